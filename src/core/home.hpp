// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Where the project's own files are (assets, scenarios, schema, the built page), for the program and for the library alike, and which version this is.
#pragma once

#include <string>

namespace volary::core {

const char* program_version();  // "0.1.0"

// The file that holds this code: the program, or the shared library when it is part of one. Empty: not known.
std::string this_file();

// VOLARY_HOME, else share/volary of the installation that this_file() belongs to, else the source tree, else the folder of this_file()
std::string home_folder();
// share/volary of the installation that `file` belongs to, PREFIX/bin/program, PREFIX/lib/[TRIPLET/]library or FOLDER/module; empty: it is not installed
std::string installed_share(const std::string& file);
// of the C and C++ headers that come with it
std::string include_folder();
std::string page_folder();  // of the built page

}  // namespace volary::core

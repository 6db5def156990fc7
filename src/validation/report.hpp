// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The report of a validation: one Markdown file, and its pictures as SVG in a folder beside it.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "validation/check.hpp"

namespace volary::validation {

// a picture as one SVG document
std::string svg_of(const Picture& picture);

// `folder` is where the pictures are, as the text should name it
std::string markdown_of(const std::vector<CheckReport>& reports, const std::string& folder);

// writes `path` and the folder <path without .md>_plots
core::Status write_report(const std::vector<CheckReport>& reports, const std::string& path);

}  // namespace volary::validation

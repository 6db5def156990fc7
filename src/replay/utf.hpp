// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Texts from files and scripts for formats that take only sound characters.
#pragma once

#include <string>
#include <string_view>

namespace volary::replay {

// characters of a UTF-8 text; bytes that are none become U+FFFD
std::u32string utf32(std::string_view text);

// a text of an XML document: markup is escaped, and characters that XML does not have become spaces
std::string xml_text(std::string_view text);

}  // namespace volary::replay

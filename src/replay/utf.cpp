// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/utf.hpp"

namespace volary::replay {

namespace {

constexpr char32_t kReplacement = 0xfffd;

void put_utf8(std::string& out, char32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
    return;
  }
  const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  const unsigned lead = more == 1 ? 0xc0u : more == 2 ? 0xe0u : 0xf0u;
  out += static_cast<char>(lead | static_cast<unsigned>(c >> (6 * more)));
  for (int k = more - 1; k >= 0; --k) out += static_cast<char>(0x80u | (static_cast<unsigned>(c >> (6 * k)) & 0x3fu));
}

}  // namespace

std::u32string utf32(std::string_view text) {
  std::u32string out;
  for (std::size_t k = 0; k < text.size();) {
    const auto lead = static_cast<unsigned char>(text[k]);
    const std::size_t more = lead < 0x80 ? 0 : lead >= 0xc2 && lead < 0xe0 ? 1 : lead >= 0xe0 && lead < 0xf0 ? 2 : lead >= 0xf0 && lead < 0xf5 ? 3 : 4;
    char32_t c = more == 0 ? lead : lead & (0x3fu >> more);
    bool good = more < 4 && k + more < text.size();
    for (std::size_t i = 1; good && i <= more; ++i) {
      const auto next = static_cast<unsigned char>(text[k + i]);
      good = (next & 0xc0) == 0x80;
      c = c << 6 | (next & 0x3fu);
    }
    good = good && c <= 0x10ffff && !(c >= 0xd800 && c < 0xe000) && (more < 2 || c >= (more == 2 ? 0x800u : 0x10000u));
    out += good ? c : kReplacement;
    k += good ? more + 1 : 1;
  }
  return out;
}

std::string xml_text(std::string_view text) {
  std::string out;
  for (const char32_t c : utf32(text)) {
    if (c == U'&') out += "&amp;";
    else if (c == U'<') out += "&lt;";
    else if (c == U'>') out += "&gt;";
    else if (c == U'"') out += "&quot;";
    else put_utf8(out, c < 0x20 || c == 0xfffe || c == 0xffff ? U' ' : c);
  }
  return out;
}

}  // namespace volary::replay

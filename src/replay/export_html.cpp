// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A recording inside the page that shows it: one file that opens in any browser, without a server.
#include <filesystem>
#include <fstream>
#include <iterator>

#include "replay/export_file.hpp"
#include "replay/exports.hpp"

namespace volary::replay {

namespace {

constexpr std::string_view kMark = "<!--recording-->";
constexpr std::uintmax_t kMostBytes = 512u << 20;  // beyond, browsers fail to open the text

std::string base64(const std::string& bytes) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 3; ++i) word = word << 8 | (k + i < bytes.size() ? static_cast<std::uint8_t>(bytes[k + i]) : 0u);
    for (std::size_t i = 0; i < 4; ++i) text += k + i <= bytes.size() ? kDigits[word >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

core::Result<std::string> read_whole(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return core::Error{.message = "cannot be read", .file = path};
  return std::string(std::istreambuf_iterator<char>(in), {});
}

}  // namespace

core::Result<Exported> export_html(const Recording& recording, const std::string& path, const std::string& page) {
  std::error_code code;
  const std::uintmax_t size = std::filesystem::file_size(recording.path(), code);
  if (code || size > kMostBytes)
    return core::Error{.message = "too large for a page: browsers open at most 512 MB", .file = recording.path(), .suggestion = "--export mcap"};
  core::Result<std::string> html = read_whole(page);
  if (!html) return core::Error{.message = "the page for the recording is not built", .file = page, .suggestion = "./volary replay builds it"};
  const std::size_t at = html.value().find(kMark);
  if (at == std::string::npos) return core::Error{.message = "the page has no place for a recording", .file = page};
  const core::Result<std::string> bytes = read_whole(recording.path());
  if (!bytes) return bytes.error();
  auto out = NewFile::create(path);
  if (!out) return out.error();
  for (const std::string& part : {html.value().substr(0, at), std::string("<script id=\"recording\" type=\"application/octet-stream\">"), base64(bytes.value()),
                                  std::string("</script>"), html.value().substr(at + kMark.size())})
    out.value().put(part.data(), part.size());
  if (const core::Status written = out.value().finish(); !written) return written.error();
  return Exported{.files = 1, .bytes = out.value().size()};
}

}  // namespace volary::replay

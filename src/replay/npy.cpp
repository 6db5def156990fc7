// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/npy.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/bytes.hpp"
#include "core/check.hpp"
#include "replay/utf.hpp"

namespace volary::replay {

namespace {

void put_text(core::ByteWriter& out, const std::u32string& text, std::size_t width) {
  for (std::size_t k = 0; k < width; ++k) out.put(k < text.size() ? static_cast<std::uint32_t>(text[k]) : 0u);
}

std::string type_of(const NpyTable::Cell& cell, std::size_t width) {
  switch (cell.index()) {
    case 0: return "'<f8'";
    case 1: return "'<i8'";
    case 2: return "'<u8'";
    case 3: return "'|b1'";
  }
  return fmt::format("'<U{}'", width);
}

void put_cell(core::ByteWriter& out, const NpyTable::Cell& cell, std::size_t width) {
  std::visit(
      [&](const auto& x) {
        using X = std::decay_t<decltype(x)>;
        if constexpr (std::is_same_v<X, std::string>)
          put_text(out, utf32(x), width);
        else if constexpr (std::is_same_v<X, bool>)
          out.put(static_cast<std::uint8_t>(x));
        else
          out.put(x);
      },
      cell);
}

}  // namespace

std::string npy_header(const std::string& descr, const std::vector<std::uint64_t>& shape, std::size_t size) {
  constexpr std::size_t kFixed = 10, kAligned = 64;  // magic, version, length; where the data begin
  std::string text = "{'descr': " + descr + ", 'fortran_order': False, 'shape': (";
  for (std::size_t k = 0; k < shape.size(); ++k) text += (k == 0 ? "" : ", ") + std::to_string(shape[k]);
  if (shape.size() == 1) text += ",";  // a tuple
  text += "), }";
  const std::size_t whole = size > 0 ? size : (kFixed + text.size() + 1 + kAligned - 1) / kAligned * kAligned;
  core::require(kFixed + text.size() + 1 <= whole && whole - kFixed <= 0xffff, "the header of an array fits its place");
  text.resize(whole - kFixed - 1, ' ');
  text += '\n';
  const auto length = static_cast<std::uint16_t>(text.size());
  std::string head("\x93NUMPY\x01\x00", 8);
  head += static_cast<char>(length & 0xff);
  head += static_cast<char>(length >> 8);
  return head + text;
}

std::vector<std::byte> NpyTable::bytes() const {
  std::vector<std::size_t> widths(fields_.size(), 1);
  for (const auto& row : rows_)
    for (std::size_t k = 0; k < row.size(); ++k)
      if (const auto* text = std::get_if<std::string>(&row[k])) widths[k] = std::max(widths[k], utf32(*text).size());
  std::string descr = "[";
  for (std::size_t k = 0; k < fields_.size(); ++k)
    descr += fmt::format("{}('{}', {})", k == 0 ? "" : ", ", fields_[k], type_of(rows_.empty() ? Cell(std::string()) : rows_[0][k], widths[k]));
  const std::string header = npy_header(descr + "]", {rows_.size()});
  core::ByteWriter out;
  out.put_bytes(std::as_bytes(std::span(header)));
  for (const auto& row : rows_)
    for (std::size_t k = 0; k < row.size(); ++k) put_cell(out, row[k], widths[k]);
  return out.take();
}

std::vector<std::byte> npy_texts(const std::vector<std::string>& texts) {
  std::size_t width = 1;
  for (const std::string& t : texts) width = std::max(width, utf32(t).size());
  const std::string header = npy_header(fmt::format("'<U{}'", width), {texts.size()});
  core::ByteWriter out;
  out.put_bytes(std::as_bytes(std::span(header)));
  for (const std::string& t : texts) put_text(out, utf32(t), width);
  return out.take();
}

}  // namespace volary::replay

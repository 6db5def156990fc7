// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Exports read byte by byte, as their formats say: tables of CSV (RFC 4180), archives of zip and arrays of NumPy.
#pragma once

#include <gtest/gtest.h>

#include <charconv>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "volary/world.hpp"

namespace volary::replay {

inline std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

// ---------------------------------------------------------------- CSV

struct CsvTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  mutable std::map<std::string, int> places = {};

  // the column whose name, before its units, is `name`; -1: none
  int find(const std::string& name) const {
    if (places.empty())
      for (std::size_t k = 0; k < header.size(); ++k) places.emplace(header[k].substr(0, header[k].find(" [")), static_cast<int>(k));
    const auto found = places.find(name);
    return found == places.end() ? -1 : found->second;
  }
  const std::string& cell(std::size_t row, const std::string& name) const { return rows[row].at(static_cast<std::size_t>(find(name))); }
  double number(std::size_t row, const std::string& name) const { return to_number(cell(row, name)); }
  static double to_number(const std::string& text) {
    double x = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), x);
    EXPECT_TRUE(code == std::errc() && end == text.data() + text.size()) << "'" << text << "' is no number";
    return x;
  }
};

inline CsvTable read_csv(const std::string& path) {
  CsvTable table;
  std::vector<std::string> row(1);
  bool quoted = false;
  const std::string text = bytes_of(path);
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (quoted && c == '"' && k + 1 < text.size() && text[k + 1] == '"') {
      row.back() += c, ++k;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == ',') {
      row.emplace_back();
    } else if (!quoted && c == '\n') {
      (table.header.empty() ? table.header : table.rows.emplace_back()) = std::move(row);
      row.assign(1, "");
    } else {
      row.back() += c;
    }
  }
  EXPECT_TRUE(row.size() == 1 && row[0].empty() && !quoted) << path << " ends inside a row";
  for (const auto& r : table.rows) EXPECT_EQ(r.size(), table.header.size());
  return table;
}

// ---------------------------------------------------------------- NPZ

struct NpyArray {
  std::string descr;
  std::vector<std::size_t> shape;
  std::string data;

  template <class T> T at(std::size_t k) const {
    T x{};
    EXPECT_LE((k + 1) * sizeof(T), data.size());
    if ((k + 1) * sizeof(T) <= data.size()) std::memcpy(&x, data.data() + k * sizeof(T), sizeof(T));
    return x;
  }
  // of an array of texts of `width` characters, those of ASCII
  std::string text(std::size_t k, std::size_t width) const {
    std::string out;
    for (std::size_t c = 0; c < width; ++c)
      if (const auto x = at<std::uint32_t>(k * width + c); x != 0) out += static_cast<char>(x);
    return out;
  }
};

inline std::uint32_t crc32_bit_by_bit(const std::string& bytes) {
  std::uint32_t c = 0xffffffffu;
  for (const char b : bytes) {
    c ^= static_cast<std::uint8_t>(b);
    for (int k = 0; k < 8; ++k) c = (c >> 1) ^ ((c & 1) != 0 ? 0xedb88320u : 0u);
  }
  return ~c;
}

template <class T> T number_at(const std::string& bytes, std::size_t at) {
  T x{};
  EXPECT_LE(at + sizeof(T), bytes.size());
  if (at + sizeof(T) <= bytes.size()) std::memcpy(&x, bytes.data() + at, sizeof(T));
  return x;
}

// stored entries by name, their checksums compared
inline std::map<std::string, std::string> read_zip(const std::string& zip) {
  std::map<std::string, std::string> entries;
  const std::size_t end = zip.rfind("PK\x05\x06");
  EXPECT_NE(end, std::string::npos);
  if (end == std::string::npos) return entries;
  std::size_t at = number_at<std::uint32_t>(zip, end + 16);
  for (int n = number_at<std::uint16_t>(zip, end + 10); n > 0; --n) {
    EXPECT_EQ(number_at<std::uint32_t>(zip, at), 0x02014b50u);
    EXPECT_EQ(number_at<std::uint16_t>(zip, at + 10), 0) << "stored";
    const auto crc = number_at<std::uint32_t>(zip, at + 16);
    std::uint64_t size = number_at<std::uint32_t>(zip, at + 24);
    const auto name_bytes = number_at<std::uint16_t>(zip, at + 28), extra = number_at<std::uint16_t>(zip, at + 30);
    const auto offset = number_at<std::uint32_t>(zip, at + 42);
    const std::string name = zip.substr(at + 46, name_bytes);
    if (size == 0xffffffffu) {
      EXPECT_EQ(number_at<std::uint16_t>(zip, at + 46 + name_bytes), 1) << "the extra field of ZIP64";
      size = number_at<std::uint64_t>(zip, at + 46 + name_bytes + 4);
    }
    EXPECT_EQ(number_at<std::uint32_t>(zip, offset), 0x04034b50u);
    EXPECT_EQ(number_at<std::uint32_t>(zip, offset + 14), crc);
    EXPECT_EQ(zip.substr(offset + 30, name_bytes), name);
    const std::size_t begin = offset + 30u + number_at<std::uint16_t>(zip, offset + 26) + number_at<std::uint16_t>(zip, offset + 28);
    EXPECT_LE(begin + size, zip.size());
    entries[name] = zip.substr(begin, size);
    EXPECT_EQ(crc32_bit_by_bit(entries[name]), crc) << name;
    at += 46u + name_bytes + extra + number_at<std::uint16_t>(zip, at + 32);
  }
  EXPECT_EQ(at, end) << "the directory ends where its end begins, in an archive below 4 GB";
  return entries;
}

inline NpyArray read_npy(const std::string& bytes) {
  NpyArray a;
  EXPECT_TRUE(bytes.starts_with(std::string("\x93NUMPY\x01\x00", 8)));
  const std::size_t length = number_at<std::uint16_t>(bytes, 8);
  EXPECT_EQ((10 + length) % 64, 0u);
  const std::string header = bytes.substr(10, length);
  EXPECT_TRUE(header.ends_with("\n"));
  EXPECT_NE(header.find("'fortran_order': False"), std::string::npos);
  const std::size_t descr = header.find("'descr': ") + 9;
  a.descr = header.substr(descr, header.find(", 'fortran_order'") - descr);
  for (std::size_t k = header.find("'shape': (") + 10; header[k] != ')'; ++k) {
    if (header[k] < '0' || header[k] > '9') continue;
    std::size_t n = 0;
    for (; header[k] >= '0' && header[k] <= '9'; ++k) n = 10 * n + static_cast<std::size_t>(header[k] - '0');
    a.shape.push_back(n);
    --k;
  }
  a.data = bytes.substr(10 + length);
  return a;
}

inline std::map<std::string, NpyArray> read_npz(const std::string& path) {
  std::map<std::string, NpyArray> arrays;
  for (const auto& [name, bytes] : read_zip(bytes_of(path))) {
    EXPECT_TRUE(name.ends_with(".npy"));
    arrays[name.substr(0, name.size() - 4)] = read_npy(bytes);
  }
  return arrays;
}

// ---------------------------------------------------------------- the world

// the bytes of one number of a column
inline std::string element(const View& v, std::size_t slot, std::size_t part) {
  const std::size_t size = v.dtype == Dtype::Float32 || v.dtype == Dtype::Uint32 ? 4 : 8;
  const auto* at = static_cast<const char*>(v.pointer) + static_cast<std::ptrdiff_t>(slot / 16) * v.strides[0] + static_cast<std::ptrdiff_t>(slot % 16) * v.strides[1] +
                   static_cast<std::ptrdiff_t>(part) * v.strides[2];
  return std::string(at, size);
}
// a decimal as the bytes of a number of a type
inline std::string bytes_as(Dtype type, const std::string& text) {
  const auto as = [&](auto x) {
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), x);
    EXPECT_TRUE(code == std::errc() && end == text.data() + text.size()) << text;
    return std::string(reinterpret_cast<const char*>(&x), sizeof x);
  };
  switch (type) {
    case Dtype::Float32: return as(float{});
    case Dtype::Float64: return as(double{});
    case Dtype::Uint32: return as(std::uint32_t{});
    case Dtype::Uint64: return as(std::uint64_t{});
  }
  return "";
}

}  // namespace volary::replay

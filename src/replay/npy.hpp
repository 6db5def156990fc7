// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Arrays of NumPy (format .npy, version 1.0): the header, texts as fixed-width UTF-32, and small tables of records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace volary::replay {

// `descr` is a type such as '<f8', with its quotes, or a list of fields. With `size` the header is padded to so many bytes.
std::string npy_header(const std::string& descr, const std::vector<std::uint64_t>& shape, std::size_t size = 0);

// Rows of named fields, as one array of records. Texts are as wide as the widest.
class NpyTable {
 public:
  using Cell = std::variant<double, std::int64_t, std::uint64_t, bool, std::string>;
  explicit NpyTable(std::vector<std::string> fields) : fields_(std::move(fields)) {}
  void add(std::vector<Cell> row) { rows_.push_back(std::move(row)); }
  // header and rows; the types of the fields are those of the first row, and of an empty table texts
  std::vector<std::byte> bytes() const;

 private:
  std::vector<std::string> fields_;
  std::vector<std::vector<Cell>> rows_;
};

// one array of texts
std::vector<std::byte> npy_texts(const std::vector<std::string>& texts);

}  // namespace volary::replay

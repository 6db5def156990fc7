// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Little-endian bytes out and in. A reader never passes its end: what is missing reads as zero and `good()` turns
// false for good, so that a decoder checks once at the end of a record and bounds every count before it allocates.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace volary::core {

static_assert(std::endian::native == std::endian::little, "files are written as they lie in memory");

class ByteWriter {
 public:
  ByteWriter() = default;
  explicit ByteWriter(std::vector<std::byte> reuse) : bytes_(std::move(reuse)) { bytes_.clear(); }  // its memory
  template <class T> void put(T x) {
    static_assert(std::is_arithmetic_v<T>);
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof(T));
    std::memcpy(bytes_.data() + at, &x, sizeof(T));
  }
  void put_bytes(std::span<const std::byte> raw) { bytes_.insert(bytes_.end(), raw.begin(), raw.end()); }
  // 32-bit length, then the text; longer than the limit is cut, never misread
  void put_text(std::string_view text, std::size_t most = 0xffffffffu) {
    text = text.substr(0, most);
    put(static_cast<std::uint32_t>(text.size()));
    put_bytes(std::as_bytes(std::span(text.data(), text.size())));
  }
  std::size_t size() const { return bytes_.size(); }
  bool empty() const { return bytes_.empty(); }
  void reserve(std::size_t n) { bytes_.reserve(n); }
  const std::vector<std::byte>& bytes() const { return bytes_; }
  std::vector<std::byte> take() { return std::exchange(bytes_, {}); }

 private:
  std::vector<std::byte> bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class T> T get() {
    static_assert(std::is_arithmetic_v<T>);
    T x{};
    if (!has(sizeof(T))) return x;
    std::memcpy(&x, rest_.data(), sizeof(T));
    rest_ = rest_.subspan(sizeof(T));
    return x;
  }
  std::span<const std::byte> get_bytes(std::size_t n) {
    if (!has(n)) return {};
    const auto part = rest_.first(n);
    rest_ = rest_.subspan(n);
    return part;
  }
  std::string get_text(std::size_t most) {
    const auto n = get<std::uint32_t>();
    if (n > most) good_ = false;
    const auto part = get_bytes(n);
    return std::string(reinterpret_cast<const char*>(part.data()), part.size());
  }
  // a count of records of at least `each` bytes: one that cannot be there is a fault, before anything is allocated
  std::size_t get_count(std::size_t each) {
    const auto n = get<std::uint64_t>();
    if (each > 0 && n > rest_.size() / each) good_ = false;
    return good_ ? static_cast<std::size_t>(n) : 0;
  }
  void fail() { good_ = false; }
  bool good() const { return good_; }
  std::size_t left() const { return rest_.size(); }

 private:
  bool has(std::size_t n) {
    if (n > rest_.size()) good_ = false;
    return good_;
  }
  std::span<const std::byte> rest_;
  bool good_ = true;
};

}  // namespace volary::core

// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// State that does not live in columns is snapshotted through one list per class:
//
//   template <class F> void each_state(F& f) { f(queue_); f(next_packet_); }
//
// of plain values, texts, structs with such a list, and vectors of them. StateWriter copies them out; StateReader puts them back and says
// when the bytes do not fit.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/bytes.hpp"
#include "core/copy.hpp"

namespace volary::core {

class StateWriter {
 public:
  static constexpr bool kReads = false;
  StateWriter() = default;
  // into the memory of what was written before, which is written over: only what is longer than that costs more than copying
  explicit StateWriter(std::vector<std::byte> reuse) : out_(std::move(reuse)) {}
  template <class T> void operator()(const T& value) {
    if constexpr (requires(T& t) { t.each_state(*this); }) {
      const_cast<T&>(value).each_state(*this);  // the list is the same for reading and writing
    } else {
      static_assert(std::is_trivially_copyable_v<T>);
      std::memcpy(room(sizeof value), &value, sizeof value);
    }
  }
  void operator()(const std::string& text) {
    (*this)(static_cast<std::uint64_t>(text.size()));
    raw(std::span(text));
  }
  template <class T> void operator()(const std::vector<T>& list) {
    (*this)(static_cast<std::uint64_t>(list.size()));
    if constexpr (std::is_trivially_copyable_v<T>)
      raw(std::span(list));
    else
      for (const T& item : list) (*this)(item);
  }
  // as many as there are, without their number
  template <class T> void raw(std::span<T> list) {
    copy_bytes(room(list.size_bytes()), list.data(), list.size_bytes());
  }
  // the next so many bytes, for the caller to fill
  std::byte* room(std::size_t n) {
    if (n > out_.size() - at_) out_.resize(at_ + n <= out_.capacity() ? at_ + n : std::max(at_ + n, 2 * out_.size()));
    return out_.data() + std::exchange(at_, at_ + n);
  }
  std::vector<std::byte> take() {
    out_.resize(std::exchange(at_, 0));
    return std::exchange(out_, {});
  }

 private:
  std::vector<std::byte> out_;
  std::size_t at_ = 0;  // end of what is written
};

class StateReader {
 public:
  static constexpr bool kReads = true;
  explicit StateReader(std::span<const std::byte> bytes) : in_(bytes) {}
  template <class T> void operator()(T& value) {
    if constexpr (requires { value.each_state(*this); }) {
      value.each_state(*this);
    } else {
      static_assert(std::is_trivially_copyable_v<T>);
      copy(&value, sizeof value);
    }
  }
  void operator()(std::string& text) {
    text.resize(in_.get_count(1));
    copy(text.data(), text.size());
  }
  template <class T> void operator()(std::vector<T>& list) {
    constexpr bool plain = std::is_trivially_copyable_v<T>;
    const std::size_t n = in_.get_count(plain ? sizeof(T) : 8);
    list.resize(n);
    if constexpr (plain)
      copy(list.data(), n * sizeof(T));
    else
      for (T& item : list) (*this)(item);
  }
  template <class T> void raw(std::span<T> list) { copy(list.data(), list.size_bytes()); }
  // the next so many bytes; empty, and not whole, where they are not there
  std::span<const std::byte> part(std::size_t n) { return in_.get_bytes(n); }
  void fail() { in_.fail(); }
  bool whole() const { return in_.good() && in_.left() == 0; }

 private:
  void copy(void* to, std::size_t n) {
    const auto part = in_.get_bytes(n);
    if (!part.empty()) std::memcpy(to, part.data(), part.size());
  }
  ByteReader in_;
};

}  // namespace volary::core

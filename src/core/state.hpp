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

#include <string>
#include <vector>

#include "core/bytes.hpp"

namespace volary::core {

class StateWriter {
 public:
  static constexpr bool kReads = false;
  StateWriter() = default;
  explicit StateWriter(std::vector<std::byte> reuse) : out_(std::move(reuse)) {}
  template <class T> void operator()(const T& value) {
    if constexpr (requires(T& t) { t.each_state(*this); }) {
      const_cast<T&>(value).each_state(*this);  // the list is the same for reading and writing
    } else {
      static_assert(std::is_trivially_copyable_v<T>);
      out_.put_bytes(std::as_bytes(std::span(&value, 1)));
    }
  }
  void operator()(const std::string& text) {
    out_.put(static_cast<std::uint64_t>(text.size()));
    out_.put_bytes(std::as_bytes(std::span(text)));
  }
  template <class T> void operator()(const std::vector<T>& list) {
    out_.put(static_cast<std::uint64_t>(list.size()));
    if constexpr (std::is_trivially_copyable_v<T>)
      out_.put_bytes(std::as_bytes(std::span(list)));
    else
      for (const T& item : list) (*this)(item);
  }
  // as many as there are, without their number
  template <class T> void raw(std::span<T> list) { out_.put_bytes(std::as_bytes(list)); }
  std::vector<std::byte> take() { return out_.take(); }

 private:
  ByteWriter out_;
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
  bool whole() const { return in_.good() && in_.left() == 0; }

 private:
  void copy(void* to, std::size_t n) {
    const auto part = in_.get_bytes(n);
    if (!part.empty()) std::memcpy(to, part.data(), part.size());
  }
  ByteReader in_;
};

}  // namespace volary::core

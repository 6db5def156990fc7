// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Fields of messages to payloads and back, one by one in wire order: the layout of the structs in memory does not matter. Included by frame.hpp.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "autopilot/mavlink/frame.hpp"

namespace volary::mavlink {

namespace codec {

template <std::size_t N>
using Unsigned = std::conditional_t<N == 1, std::uint8_t, std::conditional_t<N == 2, std::uint16_t, std::conditional_t<N == 4, std::uint32_t, std::uint64_t>>>;

// little-endian on every machine; compilers make one load or store of it
template <class T> constexpr T load(const std::byte* at) {
  static_assert(std::is_arithmetic_v<T>);
  using U = Unsigned<sizeof(T)>;
  U bits = 0;
  for (std::size_t k = 0; k < sizeof(T); ++k) bits = static_cast<U>(bits | static_cast<U>(static_cast<U>(at[k]) << (8 * k)));
  return std::bit_cast<T>(bits);
}
template <class T> constexpr void store(T x, std::byte* at) {
  static_assert(std::is_arithmetic_v<T>);
  const auto bits = std::bit_cast<Unsigned<sizeof(T)>>(x);
  for (std::size_t k = 0; k < sizeof(T); ++k) at[k] = static_cast<std::byte>(static_cast<std::uint8_t>(bits >> (8 * k)));
}

struct Reader {
  const std::byte* at;
  template <class T> constexpr void operator()(T& field) {
    field = load<T>(at);
    at += sizeof(T);
  }
  template <class T, std::size_t N> constexpr void operator()(std::array<T, N>& field) {
    for (T& x : field) (*this)(x);
  }
};

struct Appender {
  std::byte* at;
  template <class T> constexpr void operator()(const T& field) {
    store(field, at);
    at += sizeof(T);
  }
  template <class T, std::size_t N> constexpr void operator()(const std::array<T, N>& field) {
    for (const T& x : field) (*this)(x);
  }
};

}  // namespace codec

template <class M> M decode(const Frame& frame) {
  static_assert(M::kFullLength <= kMostPayload);
  M message;
  M::fields(message, codec::Reader{frame.payload.data()});  // what did not come is zero there
  return message;
}

template <class M> std::size_t encode(const M& message, std::span<std::byte, kMostPayload> payload) {
  static_assert(M::kFullLength <= kMostPayload);
  M::fields(message, codec::Appender{payload.data()});
  std::size_t length = M::kFullLength;
  while (length > 1 && payload[length - 1] == std::byte{0}) --length;
  return length;
}

}  // namespace volary::mavlink

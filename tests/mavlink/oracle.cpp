// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Our codec as a program, for tests/mavlink_oracle.py to compare with another implementation:
//
//   mavlink_oracle          reads a frame in hexadecimal per line, decodes it and writes it anew with sequence number 0; `unknown` or `none` where it cannot
//   mavlink_oracle --all    writes a frame of every message, a JSON object per line: name, frame in hexadecimal, values in wire order
#include <cstdio>
#include <iostream>
#include <string>
#include <type_traits>

#include "autopilot/mavlink/frame.hpp"

namespace volary::mavlink {

namespace {

std::string hex(const Bytes& bytes) {
  std::string out;
  for (const std::byte b : bytes) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned>(b));
    out += digits;
  }
  return out;
}

Bytes from_hex(const std::string& text) {
  Bytes out;
  unsigned value = 0;
  for (std::size_t k = 0; k + 1 < text.size(); k += 2) {
    if (std::sscanf(text.c_str() + k, "%2x", &value) != 1) return {};
    out.push_back(static_cast<std::byte>(value));
  }
  return out;
}

std::string again(const std::string& line) {
  std::string out = "none";
  Parser parser;
  parser.feed(from_hex(line), [&](const Frame& frame) {
    out = "unknown";
    each_message([&]<class M>() {
      if (frame.id != M::kId) return;
      Bytes bytes;
      Writer(frame.system, frame.component).append(decode<M>(frame), bytes);
      out = hex(bytes);
    });
  });
  return out;
}

// Values that use every byte of a field and are the same on every machine; floats that decimal digits write exactly.
struct Fill {
  std::uint64_t state;
  std::uint64_t next() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state ^ (state >> 29);
  }
  template <class T> void operator()(T& field) {
    if constexpr (std::is_same_v<T, char>)
      field = static_cast<char>('a' + next() % 26);
    else if constexpr (std::is_floating_point_v<T>)
      field = static_cast<T>(static_cast<std::int32_t>(next() >> 40) - (1 << 23)) / 1024;
    else
      field = static_cast<T>(next() >> 3);
  }
  template <class T, std::size_t N> void operator()(std::array<T, N>& field) {
    for (T& x : field) (*this)(x);
  }
};

struct Print {
  std::string& out;
  template <class T> void operator()(const T& field) {
    if constexpr (std::is_floating_point_v<T>) {
      char text[40];
      std::snprintf(text, sizeof text, "%.17g", static_cast<double>(field));
      out += text;
    } else {
      out += std::to_string(field);
    }
    out += ", ";
  }
  template <class T, std::size_t N> void operator()(const std::array<T, N>& field) {
    out += '[';
    for (const T& x : field) (*this)(x);
    close(']');
  }
  template <std::size_t N> void operator()(const std::array<char, N>& field) { out += '"' + text_of(field) + "\", "; }
  void close(char bracket) {
    out.resize(out.size() - 2);
    out += bracket;
    out += ", ";
  }
};

void write_all() {
  each_message([]<class M>() {
    M message;
    M::fields(message, Fill{M::kId + 1});
    Bytes bytes;
    Writer(1, 1).append(message, bytes);
    std::string values = "[";
    Print print{values};
    M::fields(static_cast<const M&>(message), print);
    print.close(']');
    values.resize(values.size() - 2);
    std::printf("{\"name\": \"%s\", \"frame\": \"%s\", \"values\": %s}\n", M::kName, hex(bytes).c_str(), values.c_str());
  });
}

}  // namespace

}  // namespace volary::mavlink

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "--all") {
    volary::mavlink::write_all();
    return 0;
  }
  for (std::string line; std::getline(std::cin, line);) std::cout << volary::mavlink::again(line) << '\n';
  return 0;
}

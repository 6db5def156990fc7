// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Writes ULog, version 1. Formats come before the first subscription, as readers expect. Bytes are taken away as they come, so that a long log needs no memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/bytes.hpp"
#include "logs/magic.hpp"

namespace volary::logs {

class UlogWriter {
 public:
  explicit UlogWriter(std::uint64_t start_us) {
    put_text(kUlogMagic);
    out_.put(std::uint8_t{1}), out_.put(start_us);
    core::ByteWriter flags;
    for (int k = 0; k < 5; ++k) flags.put(std::uint64_t{0});
    message('B', flags);
  }

  void info(const std::string& key, std::string_view text) {
    core::ByteWriter body = keyed("char[" + std::to_string(text.size()) + "] " + key);
    append(body, text);
    message('I', body);
  }
  void parameter(const std::string& name, float value) {
    core::ByteWriter body = keyed("float " + name);
    body.put(value);
    message('P', body);
  }
  void parameter(const std::string& name, std::int32_t value) {
    core::ByteWriter body = keyed("int32_t " + name);
    body.put(value);
    message('P', body);
  }
  // "vehicle_attitude:uint64_t timestamp;float[4] q;"
  void format(std::string_view text) {
    core::ByteWriter body;
    append(body, text);
    message('F', body);
  }
  std::uint16_t subscribe(std::string_view name, std::uint8_t instance = 0) {
    core::ByteWriter body;
    body.put(instance), body.put(next_);
    append(body, name);
    message('A', body);
    return next_++;
  }
  void data(std::uint16_t number, const core::ByteWriter& row) {
    core::ByteWriter body;
    body.put(number), body.put_bytes(row.bytes());
    message('D', body);
  }
  // level as syslog has them
  void line(int level, std::uint64_t time_us, std::string_view text) {
    core::ByteWriter body;
    body.put(static_cast<char>('0' + level)), body.put(time_us);
    append(body, text.substr(0, 1000));
    message('L', body);
  }
  void dropout(std::uint16_t milliseconds) {
    core::ByteWriter body;
    body.put(milliseconds);
    message('O', body);
  }
  void sync() {
    core::ByteWriter body;
    append(body, kUlogSync);
    message('S', body);
  }
  void message(char type, const core::ByteWriter& body) {
    out_.put(static_cast<std::uint16_t>(body.size())), out_.put(type);
    out_.put_bytes(body.bytes());
  }
  std::size_t size() const { return out_.size(); }
  std::vector<std::byte> take() { return out_.take(); }
  std::string take_text() {
    const std::vector<std::byte> bytes = take();
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }

 private:
  static void append(core::ByteWriter& to, std::string_view text) { to.put_bytes(std::as_bytes(std::span(text.data(), text.size()))); }
  static core::ByteWriter keyed(const std::string& key) {
    core::ByteWriter body;
    body.put(static_cast<std::uint8_t>(key.size()));
    append(body, key);
    return body;
  }
  void put_text(std::string_view text) { append(out_, text); }
  core::ByteWriter out_;
  std::uint16_t next_ = 0;
};

}  // namespace volary::logs

// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// MCAP version 0 (https://mcap.dev/spec), written by hand: header, zstd chunks with their message indexes, data end, a summary
// with schemas, channels, chunk indexes and statistics, footer. Messages are JSON texts.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/bytes.hpp"
#include "core/result.hpp"
#include "replay/crc32.hpp"
#include "replay/export_file.hpp"

namespace volary::replay {

struct McapChannel {
  std::uint16_t id = 0;  // from 1, also of its schema
  std::string topic, schema, definition;  // name of the schema, and itself as JSON Schema
  std::vector<std::pair<std::string, std::string>> metadata = {};
};

class McapFile {
 public:
  static core::Result<McapFile> create(const std::string& path);

  // all channels are known before the first message
  void begin(const std::string& library, std::vector<McapChannel> channels);
  void message(std::uint16_t channel, std::uint64_t ns, std::string_view json);
  core::Status finish();
  core::Status status() const { return file_.status(); }
  std::uint64_t size() const { return file_.size(); }

 private:
  struct ChunkInfo {
    std::uint64_t first = 0, last = 0, offset = 0, length = 0, index_length = 0, stored = 0, raw = 0;
    std::map<std::uint16_t, std::uint64_t> indexes;
  };
  explicit McapFile(NewFile file) : file_(std::move(file)) {}
  void write(std::span<const std::byte> bytes);
  void write_chunk();
  core::ByteWriter statistics() const;

  NewFile file_;
  std::vector<McapChannel> channels_;
  Crc32 data_crc_;
  core::ByteWriter chunk_;
  std::uint64_t first_ = ~std::uint64_t{0}, last_ = 0;  // of the chunk
  std::map<std::uint16_t, std::vector<std::pair<std::uint64_t, std::uint64_t>>> offsets_;
  std::vector<ChunkInfo> chunks_;
  std::map<std::uint16_t, std::uint64_t> counts_;
  std::uint32_t sequence_ = 0;
};

}  // namespace volary::replay

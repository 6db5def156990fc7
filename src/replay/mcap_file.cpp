// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/mcap_file.hpp"

#include <zstd.h>

#include <algorithm>
#include <array>

namespace volary::replay {

namespace {

enum Op : std::uint8_t {
  kHeader = 1,
  kFooter = 2,
  kSchema = 3,
  kChannel = 4,
  kMessage = 5,
  kChunk = 6,
  kMessageIndex = 7,
  kChunkIndex = 8,
  kStatistics = 11,
  kSummaryOffset = 14,
  kDataEnd = 15
};
constexpr unsigned char kMagic[8] = {0x89, 'M', 'C', 'A', 'P', 0x30, '\r', '\n'};
constexpr std::size_t kChunkBytes = 4u << 20;

void record(core::ByteWriter& out, Op op, const core::ByteWriter& body) {
  out.put(static_cast<std::uint8_t>(op));
  out.put<std::uint64_t>(body.size());
  out.put_bytes(body.bytes());
}

core::ByteWriter schema_of(const McapChannel& c) {
  core::ByteWriter b;
  b.put(c.id);
  b.put_text(c.schema);
  b.put_text("jsonschema");
  b.put_text(c.definition);
  return b;
}

core::ByteWriter channel_of(const McapChannel& c) {
  core::ByteWriter b, metadata;
  for (const auto& [key, value] : c.metadata) metadata.put_text(key), metadata.put_text(value);
  b.put(c.id);
  b.put(c.id);  // its schema has the same number
  b.put_text(c.topic);
  b.put_text("json");
  b.put(static_cast<std::uint32_t>(metadata.size()));
  b.put_bytes(metadata.bytes());
  return b;
}

}  // namespace

core::Result<McapFile> McapFile::create(const std::string& path) {
  auto file = NewFile::create(path);
  if (!file) return file.error();
  return McapFile(std::move(file).value());
}

void McapFile::write(std::span<const std::byte> bytes) {
  file_.put(bytes.data(), bytes.size());
  data_crc_.add(bytes);
}

void McapFile::begin(const std::string& library, std::vector<McapChannel> channels) {
  channels_ = std::move(channels);
  write(std::as_bytes(std::span(kMagic)));
  core::ByteWriter body, out;
  body.put_text("");
  body.put_text(library);
  record(out, kHeader, body);
  for (const McapChannel& c : channels_) record(out, kSchema, schema_of(c)), record(out, kChannel, channel_of(c));
  write(out.bytes());
}

void McapFile::message(std::uint16_t channel, std::uint64_t ns, std::string_view data) {
  core::ByteWriter b;
  b.put(channel);
  b.put(sequence_++);
  b.put(ns);
  b.put(ns);
  b.put_bytes(std::as_bytes(std::span(data.data(), data.size())));
  offsets_[channel].push_back({ns, chunk_.size()});
  record(chunk_, kMessage, b);
  first_ = std::min(first_, ns);
  last_ = std::max(last_, ns);
  ++counts_[channel];
  if (chunk_.size() >= kChunkBytes) write_chunk();
}

void McapFile::write_chunk() {
  if (chunk_.empty()) return;
  const std::vector<std::byte> raw = chunk_.take();
  std::vector<std::byte> packed(ZSTD_compressBound(raw.size()));
  packed.resize(ZSTD_compress(packed.data(), packed.size(), raw.data(), raw.size(), 3));
  Crc32 crc;
  crc.add(raw);
  core::ByteWriter b, out;
  b.put(first_);
  b.put(last_);
  b.put<std::uint64_t>(raw.size());
  b.put(crc.value());
  b.put_text("zstd");
  b.put<std::uint64_t>(packed.size());
  b.put_bytes(packed);
  record(out, kChunk, b);
  ChunkInfo info{first_, last_, size(), out.size(), 0, packed.size(), raw.size(), {}};
  write(out.bytes());
  const std::uint64_t before = size();
  for (const auto& [channel, list] : offsets_) {
    core::ByteWriter index, whole;
    index.put(channel);
    index.put(static_cast<std::uint32_t>(list.size() * 16));
    for (const auto& [ns, offset] : list) index.put(ns), index.put(offset);
    record(whole, kMessageIndex, index);
    info.indexes[channel] = size();
    write(whole.bytes());
  }
  info.index_length = size() - before;
  chunks_.push_back(std::move(info));
  offsets_.clear();
  first_ = ~std::uint64_t{0};
  last_ = 0;
}

core::ByteWriter McapFile::statistics() const {
  std::uint64_t total = 0, first = ~std::uint64_t{0}, last = 0;
  for (const auto& [channel, n] : counts_) total += n;
  for (const ChunkInfo& c : chunks_) first = std::min(first, c.first), last = std::max(last, c.last);
  core::ByteWriter b;
  b.put(total);
  b.put(static_cast<std::uint16_t>(channels_.size()));
  b.put(static_cast<std::uint32_t>(channels_.size()));
  b.put<std::uint32_t>(0);  // attachments
  b.put<std::uint32_t>(0);  // metadata
  b.put(static_cast<std::uint32_t>(chunks_.size()));
  b.put(total > 0 ? first : 0);
  b.put(last);
  b.put(static_cast<std::uint32_t>(counts_.size() * 10));
  for (const auto& [channel, n] : counts_) b.put(channel), b.put(n);
  return b;
}

core::Status McapFile::finish() {
  write_chunk();
  core::ByteWriter end, out;
  end.put(data_crc_.value());
  record(out, kDataEnd, end);
  write(out.bytes());

  // the summary, and where each group of it begins
  const std::uint64_t summary_start = size();
  core::ByteWriter summary;
  std::vector<std::array<std::uint64_t, 3>> groups;  // op, start, length
  auto group = [&](Op op, auto&& fill) {
    const std::uint64_t start = summary_start + summary.size();
    fill();
    const std::uint64_t length = summary_start + summary.size() - start;
    if (length > 0) groups.push_back({op, start, length});
  };
  group(kSchema, [&] {
    for (const McapChannel& c : channels_) record(summary, kSchema, schema_of(c));
  });
  group(kChannel, [&] {
    for (const McapChannel& c : channels_) record(summary, kChannel, channel_of(c));
  });
  group(kStatistics, [&] { record(summary, kStatistics, statistics()); });
  group(kChunkIndex, [&] {
    for (const ChunkInfo& c : chunks_) {
      core::ByteWriter b;
      b.put(c.first), b.put(c.last), b.put(c.offset), b.put(c.length);
      b.put(static_cast<std::uint32_t>(c.indexes.size() * 10));
      for (const auto& [channel, offset] : c.indexes) b.put(channel), b.put(offset);
      b.put(c.index_length);
      b.put_text("zstd");
      b.put(c.stored), b.put(c.raw);
      record(summary, kChunkIndex, b);
    }
  });
  const std::uint64_t offsets_start = summary_start + summary.size();
  for (const auto& [op, start, length] : groups) {
    core::ByteWriter b;
    b.put(static_cast<std::uint8_t>(op));
    b.put(start), b.put(length);
    record(summary, kSummaryOffset, b);
  }
  // the checksum covers the summary and the footer up to the checksum itself
  summary.put(static_cast<std::uint8_t>(kFooter));
  summary.put<std::uint64_t>(20);
  summary.put(summary_start);
  summary.put(offsets_start);
  Crc32 crc;
  crc.add(summary.bytes());
  summary.put(crc.value());
  write(summary.bytes());
  write(std::as_bytes(std::span(kMagic)));
  return file_.finish();
}

}  // namespace volary::replay

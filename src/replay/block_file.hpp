// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The container of a recording: blocks, one after the other, never changed once written. Each has a header of 64
// bytes with lengths, ticks, checksums and the checksums of the block before it (docs/recording.md has the bytes).
// A file that ends anywhere opens up to its last whole block; damage in the middle is found, named and skipped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"

struct ZSTD_CCtx_s;

namespace volary::replay {

enum class BlockType : std::uint8_t { Head = 1, Inputs, Hashes, Checkpoint, View, Events, Metrics, Roster, Index, End, Plots };
inline constexpr int kBlockTypes = 11;
const char* name_of(BlockType type);

inline constexpr std::uint32_t kBlockMagic = 0x43455256;  // "VREC"
inline constexpr std::uint16_t kFormatVersion = 1;
inline constexpr std::size_t kHeaderBytes = 64;
inline constexpr std::uint8_t kZstd = 1;  // flag: the payload is one zstd frame
// what a reader accepts and a writer makes
inline constexpr std::size_t kMaxStored = 512u << 20, kMaxRaw = 1u << 30, kMaxRatio = 4096;
inline constexpr std::size_t kIndexEvery = 64;  // blocks

struct BlockHeader {
  BlockType type = BlockType::Head;
  std::uint8_t flags = 0;
  std::uint32_t stored = 0, raw = 0;  // bytes of the payload: in the file, and when decompressed
  std::uint64_t first_tick = 0, last_tick = 0;
  std::uint64_t sequence = 0;   // counts from 0
  std::uint64_t previous = 0;   // header and payload checksum of the block before, 0 for the first
  std::uint64_t recording = 0;  // a random number, the same in every block of a file
  std::uint32_t payload_crc = 0, header_crc = 0;

  std::uint64_t link() const { return (static_cast<std::uint64_t>(payload_crc) << 32) | header_crc; }
};

void write_header(BlockHeader& h, std::byte (&out)[kHeaderBytes]);  // fills in header_crc
bool read_header(std::span<const std::byte> bytes, BlockHeader& h);  // false: not a header, or damaged, or out of bounds

struct BlockAt {
  BlockHeader header;
  std::uint64_t offset = 0;
};

// ---------------------------------------------------------------- writing

class BlockWriter {
 public:
  static core::Result<std::unique_ptr<BlockWriter>> create(const std::string& path);
  ~BlockWriter();
  BlockWriter(const BlockWriter&) = delete;
  BlockWriter& operator=(const BlockWriter&) = delete;

  // `compress` tries zstd and keeps the smaller. After an error the file ends with its last whole block, and no
  // further block is taken.
  core::Status append(BlockType type, std::uint64_t first_tick, std::uint64_t last_tick, std::span<const std::byte> payload, bool compress);
  core::Status commit();  // what was appended is on the disk when this returns
  core::Status close(std::uint64_t tick, std::span<const std::byte> end);  // index, end block, commit

  std::uint64_t size() const { return size_; }
  std::uint64_t index_bytes() const;  // what close() will write, about
  std::uint64_t blocks() const { return sequence_; }
  bool failed() const { return failed_; }

 private:
  BlockWriter(int fd, std::string path);
  core::Status write_block(BlockType type, std::uint64_t first_tick, std::uint64_t last_tick, std::span<const std::byte> payload, bool compress);
  core::Status write_index(std::uint64_t tick);
  core::Status give_up(const std::string& what, int code);

  int fd_ = -1;
  std::string path_;
  ZSTD_CCtx_s* zstd_ = nullptr;  // kept: making one costs more than a small block
  std::uint64_t size_ = 0, sequence_ = 0, previous_ = 0, recording_ = 0;
  bool failed_ = false;
  std::vector<BlockAt> unindexed_;
  std::vector<std::uint64_t> indexes_;  // offsets of the index blocks so far
};

// ---------------------------------------------------------------- reading

// what could not be read, and what is known about it
struct Damage {
  std::uint64_t offset = 0, bytes = 0;              // in the file
  std::uint64_t first_sequence = 0, blocks = 0;     // lost blocks; 0: only rubbish between whole blocks, or at the end
  std::uint64_t first_tick = 0, last_tick = 0;      // what they may have held
  std::string what;                                 // types, when an index or their own header names them
  bool at_end = false;                              // no whole block comes after it
  bool cut = false;                                 // the file ends inside a block: normal for a killed run
  bool hashes = false;                              // hashes may be among it
  std::uint64_t hash_tick = 0;                      // the last tick of those that are, when they are named

  std::string text(double tick_seconds) const;
};

struct Scan {
  std::vector<BlockAt> blocks;  // whole and sound, in order
  std::vector<Damage> damage;
  std::uint64_t bytes = 0;
  bool closed = false;  // has its end block
};

class BlockReader {
 public:
  static core::Result<std::unique_ptr<BlockReader>> open(const std::string& path);
  ~BlockReader();
  BlockReader(const BlockReader&) = delete;
  BlockReader& operator=(const BlockReader&) = delete;

  const Scan& scan() const { return scan_; }
  const std::string& path() const { return path_; }
  // the payload, checked and decompressed
  core::Result<std::vector<std::byte>> payload(const BlockAt& block) const;

 private:
  BlockReader(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
  core::Status find_blocks();
  bool read_at(std::uint64_t offset, std::span<std::byte> out) const;
  bool sound_block_at(std::uint64_t offset, BlockAt& found) const;
  std::uint64_t next_block_after(std::uint64_t offset, BlockAt& found) const;
  void note_damage(std::uint64_t offset, std::uint64_t end, const BlockAt* next);
  void look_at_tail(Damage& d) const;
  void name_lost_blocks();

  int fd_ = -1;
  std::string path_;
  Scan scan_;
};

// one entry of an index block
struct IndexEntry {
  std::uint64_t offset = 0, first_tick = 0, last_tick = 0, sequence = 0;
  std::uint32_t stored = 0, raw = 0;
  BlockType type = BlockType::Head;
  std::uint8_t flags = 0;
};
inline constexpr std::size_t kIndexEntryBytes = 48;
core::Result<std::vector<IndexEntry>> read_index(std::span<const std::byte> payload);

// zstd with the bounds above
core::Result<std::vector<std::byte>> decompress(std::span<const std::byte> stored, std::size_t raw);

}  // namespace volary::replay

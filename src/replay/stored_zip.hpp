// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A zip archive of stored (not compressed) entries that are written side by side in small parts: as their sizes are known
// beforehand, so are their places in the file. At most one entry, open at its end, may grow. Large archives are ZIP64.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/bytes.hpp"
#include "core/result.hpp"
#include "replay/crc32.hpp"
#include "replay/export_file.hpp"

namespace volary::replay {

class StoredZip {
 public:
  static core::Result<StoredZip> create(const std::string& path);

  // a new entry of so many bytes; returns its number
  std::size_t add(const std::string& name, std::uint64_t size);
  // the next bytes of an entry
  void put(std::size_t entry, std::span<const std::byte> bytes);
  // An entry whose first bytes are given when it ends, because they say how long it is. Until then no other is added.
  std::size_t add_growing(const std::string& name, std::size_t first_bytes);
  void end_growing(std::span<const std::byte> first);

  core::Status status() const { return file_.status(); }
  core::Status finish();
  std::uint64_t size() const { return file_.size(); }

 private:
  struct Entry {
    std::string name;
    std::uint64_t offset = 0;  // of its header in the file
    std::uint64_t size = 0, written = 0;
    bool large = false;        // its sizes need 64 bits
    Crc32 crc = {};
    bool grown = false;
    std::uint32_t checksum = 0;  // once all is written
    std::vector<std::byte> part = {};

    std::uint64_t header_bytes() const { return 30 + name.size() + (large ? 20 : 0); }
  };
  static constexpr std::size_t kNone = ~std::size_t{0};
  explicit StoredZip(NewFile file) : file_(std::move(file)) {}
  void flush(Entry& entry);
  std::size_t part_bytes() const;
  void put_header(const Entry& entry);
  static void put_directory_entry(core::ByteWriter& out, const Entry& entry);

  NewFile file_;
  std::vector<Entry> entries_;
  std::uint64_t end_ = 0;         // of the last entry
  std::size_t growing_ = kNone, first_bytes_ = 0;
};

}  // namespace volary::replay

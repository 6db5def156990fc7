// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// APPNOTE.TXT 6.3.10 of PKWARE: 4.3.7 local header, 4.3.12 central directory, 4.3.14 to 4.3.16 its ends, 4.5.3 the extra field of ZIP64.
#include "replay/stored_zip.hpp"

#include <algorithm>

namespace volary::replay {

namespace {

constexpr std::uint32_t kMost32 = 0xffffffffu;
constexpr std::uint16_t kMost16 = 0xffffu, kUtf8Names = 1u << 11, kOldest = 20, kZip64 = 45, kFirstDay = 0x21;  // 1980-01-01: the same run, the same bytes
constexpr std::size_t kWaiting = 64u << 20;  // bytes in memory, of all entries

std::uint32_t cut(std::uint64_t x) { return static_cast<std::uint32_t>(std::min<std::uint64_t>(x, kMost32)); }

}  // namespace

core::Result<StoredZip> StoredZip::create(const std::string& path) {
  auto file = NewFile::create(path);
  if (!file) return file.error();
  return StoredZip(std::move(file).value());
}

std::size_t StoredZip::add(const std::string& name, std::uint64_t size) {
  core::require(growing_ == kNone, "an entry of the archive is still growing");
  entries_.push_back({name, end_, size, 0, size >= kMost32});
  end_ += entries_.back().header_bytes() + size;
  return entries_.size() - 1;
}

std::size_t StoredZip::add_growing(const std::string& name, std::size_t first_bytes) {
  const std::size_t entry = add(name, 0);
  entries_[entry].large = true;  // it may become so
  end_ = entries_[entry].offset + entries_[entry].header_bytes() + first_bytes;
  growing_ = entry, first_bytes_ = first_bytes;
  return entry;
}

// many entries share the memory; each has enough for a write that is worth it
std::size_t StoredZip::part_bytes() const { return std::clamp<std::size_t>(kWaiting / std::max<std::size_t>(1, entries_.size()), 4096, 1u << 18); }

void StoredZip::put(std::size_t entry, std::span<const std::byte> bytes) {
  Entry& e = entries_[entry];
  e.part.insert(e.part.end(), bytes.begin(), bytes.end());
  if (e.part.size() >= part_bytes()) flush(e);
}

void StoredZip::flush(Entry& e) {
  const bool grows = growing_ != kNone && &e == &entries_[growing_];
  core::require(grows || e.written + e.part.size() <= e.size, "an entry of the archive is longer than was said");
  e.crc.add(e.part);
  file_.put_at(e.offset + e.header_bytes() + (grows ? first_bytes_ : 0) + e.written, e.part.data(), e.part.size());
  e.written += e.part.size();
  e.part.clear();
}

void StoredZip::end_growing(std::span<const std::byte> first) {
  core::require(growing_ != kNone && first.size() == first_bytes_, "the first bytes of a grown entry have the length that was said");
  Entry& e = entries_[growing_];
  flush(e);
  file_.put_at(e.offset + e.header_bytes(), first.data(), first.size());
  Crc32 of_first;
  of_first.add(first);
  e.checksum = joined_crc32(of_first.value(), e.crc.value(), e.written);
  e.size = e.written += first.size();
  end_ = e.offset + e.header_bytes() + e.size;
  e.grown = true;
  growing_ = kNone;
}

void StoredZip::put_header(const Entry& e) {
  core::ByteWriter out;
  out.put<std::uint32_t>(0x04034b50);
  out.put(e.large ? kZip64 : kOldest);
  out.put(kUtf8Names);
  out.put<std::uint16_t>(0);  // stored
  out.put<std::uint16_t>(0);
  out.put(kFirstDay);
  out.put(e.checksum);
  for (int k = 0; k < 2; ++k) out.put(e.large ? kMost32 : static_cast<std::uint32_t>(e.size));
  out.put(static_cast<std::uint16_t>(e.name.size()));
  out.put<std::uint16_t>(e.large ? 20 : 0);
  out.put_bytes(std::as_bytes(std::span(e.name)));
  if (e.large) {
    out.put<std::uint16_t>(1);
    out.put<std::uint16_t>(16);
    out.put(e.size), out.put(e.size);
  }
  file_.put_at(e.offset, out.bytes().data(), out.size());
}

void StoredZip::put_directory_entry(core::ByteWriter& out, const Entry& e) {
  const bool far = e.offset >= kMost32;
  const std::uint16_t extra = static_cast<std::uint16_t>((e.large ? 16 : 0) + (far ? 8 : 0));
  out.put<std::uint32_t>(0x02014b50);
  out.put<std::uint16_t>(kZip64);
  out.put(extra > 0 ? kZip64 : kOldest);
  out.put(kUtf8Names);
  out.put<std::uint16_t>(0);
  out.put<std::uint16_t>(0);
  out.put(kFirstDay);
  out.put(e.checksum);
  for (int k = 0; k < 2; ++k) out.put(e.large ? kMost32 : static_cast<std::uint32_t>(e.size));
  out.put(static_cast<std::uint16_t>(e.name.size()));
  out.put<std::uint16_t>(extra > 0 ? extra + 4 : 0);
  out.put<std::uint16_t>(0);  // comment
  out.put<std::uint16_t>(0);  // disk
  out.put<std::uint16_t>(0);  // internal attributes
  out.put<std::uint32_t>(0);  // external attributes
  out.put(cut(e.offset));
  out.put_bytes(std::as_bytes(std::span(e.name)));
  if (extra == 0) return;
  out.put<std::uint16_t>(1);
  out.put(extra);
  if (e.large) out.put(e.size), out.put(e.size);
  if (far) out.put(e.offset);
}

core::Status StoredZip::finish() {
  core::require(growing_ == kNone, "an entry of the archive is still growing");
  core::ByteWriter out;
  for (Entry& e : entries_) {
    flush(e);
    core::require(e.written == e.size, "an entry of the archive is shorter than was said");
    if (!e.grown) e.checksum = e.crc.value();
    put_header(e);
    put_directory_entry(out, e);
  }
  const std::uint64_t n = entries_.size(), bytes = out.size();
  if (n >= kMost16 || bytes >= kMost32 || end_ >= kMost32) {
    out.put<std::uint32_t>(0x06064b50);
    out.put<std::uint64_t>(44);  // of the rest of this record
    out.put(kZip64), out.put(kZip64);
    out.put<std::uint32_t>(0), out.put<std::uint32_t>(0);
    out.put(n), out.put(n);
    out.put(bytes), out.put(end_);
    out.put<std::uint32_t>(0x07064b50);
    out.put<std::uint32_t>(0);
    out.put(end_ + bytes);
    out.put<std::uint32_t>(1);
  }
  out.put<std::uint32_t>(0x06054b50);
  out.put<std::uint16_t>(0), out.put<std::uint16_t>(0);
  for (int k = 0; k < 2; ++k) out.put(static_cast<std::uint16_t>(std::min<std::uint64_t>(n, kMost16)));
  out.put(cut(bytes)), out.put(cut(end_));
  out.put<std::uint16_t>(0);
  file_.put_at(end_, out.bytes().data(), out.size());
  return file_.finish();
}

}  // namespace volary::replay

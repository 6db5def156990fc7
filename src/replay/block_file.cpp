// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/block_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <utility>

#include "core/bytes.hpp"
#include "core/crc32c.hpp"

namespace volary::replay {

namespace {

constexpr std::size_t kWindow = 1u << 20;  // read at a time while looking for the next block

// a checkpoint is large and hardly smaller at a higher level
int level_of(BlockType type) { return type == BlockType::Checkpoint ? 1 : 3; }

std::vector<std::byte> compress(ZSTD_CCtx* context, std::span<const std::byte> raw, int level) {
  std::vector<std::byte> out(ZSTD_compressBound(raw.size()));
  const std::size_t n = ZSTD_compressCCtx(context, out.data(), out.size(), raw.data(), raw.size(), level);
  if (ZSTD_isError(n) != 0) return {};
  out.resize(n);
  return out;
}

bool write_all(int fd, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return true;
}

// a new file is there after a crash only once its folder is on the disk too
void sync_folder(const std::string& path) {
  std::string folder = std::filesystem::path(path).parent_path().string();
  if (folder.empty()) folder = ".";
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

core::Error file_error(const std::string& path, std::string message, std::string suggestion = "") {
  return core::Error{.message = std::move(message), .file = path, .suggestion = std::move(suggestion)};
}

std::span<std::byte> as_span(std::vector<std::byte>& v) { return {v.data(), v.size()}; }

}  // namespace

const char* name_of(BlockType type) {
  static constexpr const char* kNames[] = {"?", "head", "inputs", "hashes", "checkpoint", "view", "events", "metrics", "roster", "index", "end", "plots"};
  const auto k = static_cast<std::size_t>(type);
  return kNames[k <= kBlockTypes ? k : 0];
}

void write_header(BlockHeader& h, std::byte (&out)[kHeaderBytes]) {
  core::ByteWriter w;
  w.put(kBlockMagic);
  w.put(kFormatVersion);
  w.put(static_cast<std::uint8_t>(h.type));
  w.put(h.flags);
  w.put(h.stored);
  w.put(h.raw);
  w.put(h.first_tick);
  w.put(h.last_tick);
  w.put(h.sequence);
  w.put(h.previous);
  w.put(h.recording);
  w.put(h.payload_crc);
  h.header_crc = core::crc32c(w.bytes());
  w.put(h.header_crc);
  std::memcpy(out, w.bytes().data(), kHeaderBytes);
}

bool read_header(std::span<const std::byte> bytes, BlockHeader& h) {
  if (bytes.size() < kHeaderBytes) return false;
  core::ByteReader r(bytes.first(kHeaderBytes));
  if (r.get<std::uint32_t>() != kBlockMagic || r.get<std::uint16_t>() != kFormatVersion) return false;
  const auto type = r.get<std::uint8_t>();
  h.type = static_cast<BlockType>(type);
  h.flags = r.get<std::uint8_t>();
  h.stored = r.get<std::uint32_t>();
  h.raw = r.get<std::uint32_t>();
  h.first_tick = r.get<std::uint64_t>();
  h.last_tick = r.get<std::uint64_t>();
  h.sequence = r.get<std::uint64_t>();
  h.previous = r.get<std::uint64_t>();
  h.recording = r.get<std::uint64_t>();
  h.payload_crc = r.get<std::uint32_t>();
  h.header_crc = r.get<std::uint32_t>();
  if (h.header_crc != core::crc32c(bytes.first(kHeaderBytes - 4))) return false;
  const bool compressed = (h.flags & kZstd) != 0;
  const bool sizes = h.stored <= kMaxStored && h.raw <= kMaxRaw && (compressed ? h.raw / kMaxRatio <= h.stored : h.raw == h.stored);
  return type >= 1 && type <= kBlockTypes && (h.flags & ~kZstd) == 0 && sizes && h.first_tick <= h.last_tick;
}

core::Result<std::vector<std::byte>> decompress(std::span<const std::byte> stored, std::size_t raw) {
  if (raw > kMaxRaw || raw / kMaxRatio > stored.size()) return core::Error{.message = "its stated size is above the limit"};
  std::vector<std::byte> out(raw);
  const std::size_t n = ZSTD_decompress(out.data(), out.size(), stored.data(), stored.size());
  if (ZSTD_isError(n) != 0 || n != raw) return core::Error{.message = "does not decompress"};
  return out;
}

// ---------------------------------------------------------------- writing

BlockWriter::BlockWriter(int fd, std::string path) : fd_(fd), path_(std::move(path)), zstd_(ZSTD_createCCtx()) {
  std::random_device device;
  recording_ = (static_cast<std::uint64_t>(device()) << 32) | device();
}
BlockWriter::~BlockWriter() {
  ZSTD_freeCCtx(zstd_);
  if (fd_ >= 0) ::close(fd_);
}

core::Result<std::unique_ptr<BlockWriter>> BlockWriter::create(const std::string& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0 && errno == EEXIST) return file_error(path, "is already there and is not overwritten", "choose another name, or delete it");
  if (fd < 0) return file_error(path, std::string("cannot be made: ") + std::strerror(errno), "does its folder exist, and may it be written?");
  sync_folder(path);
  return std::unique_ptr<BlockWriter>(new BlockWriter(fd, path));
}

core::Status BlockWriter::give_up(const std::string& what, int code) {
  failed_ = true;
  // what is half written would only be reported as torn; without it the file is whole
  [[maybe_unused]] const int cut = ::ftruncate(fd_, static_cast<off_t>(size_));
  const bool full = code == ENOSPC || code == EDQUOT || code == EFBIG;
  return file_error(path_, what + ": " + std::strerror(code), full ? "the file is complete up to here; free some space for the next run" : "");
}

core::Status BlockWriter::write_block(BlockType type, std::uint64_t first_tick, std::uint64_t last_tick, std::span<const std::byte> payload, bool try_zstd) {
  if (failed_) return file_error(path_, "recording has stopped");
  if (payload.size() > kMaxRaw) return file_error(path_, fmt::format("a {} block of {} bytes is above the limit", name_of(type), payload.size()));
  BlockHeader h;
  h.type = type;
  h.raw = static_cast<std::uint32_t>(payload.size());
  std::vector<std::byte> packed;
  if (try_zstd && payload.size() > 64) packed = compress(zstd_, payload, level_of(type));
  if (!packed.empty() && packed.size() < payload.size() && payload.size() / kMaxRatio <= packed.size()) {
    h.flags = kZstd;
    payload = packed;
  }
  if (payload.size() > kMaxStored) return file_error(path_, fmt::format("a {} block of {} bytes is above the limit", name_of(type), payload.size()));
  h.stored = static_cast<std::uint32_t>(payload.size());
  h.first_tick = first_tick;
  h.last_tick = std::max(first_tick, last_tick);
  h.sequence = sequence_;
  h.previous = previous_;
  h.recording = recording_;
  h.payload_crc = core::crc32c(payload);
  std::byte header[kHeaderBytes];
  write_header(h, header);
  if (!write_all(fd_, header) || !write_all(fd_, payload)) return give_up("cannot be written", errno);
  unindexed_.push_back({h, size_});
  size_ += kHeaderBytes + payload.size();
  previous_ = h.link();
  ++sequence_;
  return core::ok();
}

std::uint64_t BlockWriter::index_bytes() const { return 2 * kHeaderBytes + 16 + 8 * (indexes_.size() + 1) + kIndexEntryBytes * (unindexed_.size() + 1); }

core::Status BlockWriter::write_index(std::uint64_t tick) {
  core::ByteWriter w;
  w.put<std::uint64_t>(indexes_.size());
  for (const std::uint64_t offset : indexes_) w.put(offset);
  w.put<std::uint64_t>(unindexed_.size());
  for (const BlockAt& b : unindexed_) {
    w.put(b.offset);
    w.put(b.header.first_tick);
    w.put(b.header.last_tick);
    w.put(b.header.sequence);
    w.put(b.header.stored);
    w.put(b.header.raw);
    w.put(static_cast<std::uint8_t>(b.header.type));
    w.put(b.header.flags);
    for (int k = 0; k < 6; ++k) w.put<std::uint8_t>(0);
  }
  unindexed_.clear();
  const std::uint64_t offset = size_;
  const core::Status written = write_block(BlockType::Index, tick, tick, w.bytes(), true);
  if (written) indexes_.push_back(offset);
  return written;
}

core::Status BlockWriter::append(BlockType type, std::uint64_t first_tick, std::uint64_t last_tick, std::span<const std::byte> payload, bool try_zstd) {
  const core::Status written = write_block(type, first_tick, last_tick, payload, try_zstd);
  if (!written || unindexed_.size() < kIndexEvery) return written;
  return write_index(last_tick);
}

core::Status BlockWriter::commit() {
  if (failed_) return file_error(path_, "recording has stopped");
  if (::fdatasync(fd_) != 0 && errno != EINVAL && errno != EROFS) return give_up("cannot be written to the disk", errno);
  return core::ok();
}

core::Status BlockWriter::close(std::uint64_t tick, std::span<const std::byte> end) {
  if (const core::Status s = write_index(tick); !s) return s;
  // the end block says where the last index is, so that a reader with random access starts here
  core::ByteWriter w;
  w.put(indexes_.back());
  w.put_bytes(end);
  if (const core::Status s = write_block(BlockType::End, tick, tick, w.bytes(), false); !s) return s;
  return commit();
}

// ---------------------------------------------------------------- reading

std::string Damage::text(double tick_seconds) const {
  if (cut) return fmt::format("the last {} bytes, from byte {}, are no whole block: the run was cut off there", bytes, offset);
  const std::string where = fmt::format("bytes {} to {}", offset, offset + bytes);
  if (at_end && blocks == 0) return fmt::format("{}: damaged to the end of the file, which may have held ticks after {}", where, first_tick);
  if (blocks == 0) return fmt::format("{}: {}", where, what.empty() ? "not a block, nothing is missing" : what);
  return fmt::format("{}: {} block(s) lost from number {}{}, which may have held ticks {} to {} ({:.2f} s to {:.2f} s)", where, blocks, first_sequence,
                     what.empty() ? "" : " (" + what + ")", first_tick, last_tick, static_cast<double>(first_tick) * tick_seconds,
                     static_cast<double>(last_tick) * tick_seconds);
}

BlockReader::~BlockReader() {
  if (fd_ >= 0) ::close(fd_);
}

core::Result<std::unique_ptr<BlockReader>> BlockReader::open(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return file_error(path, std::strerror(errno));
  std::unique_ptr<BlockReader> r(new BlockReader(fd, path));
  struct stat info{};
  if (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) return file_error(path, "is not a file");
  r->scan_.bytes = static_cast<std::uint64_t>(info.st_size);
  if (const core::Status s = r->find_blocks(); !s) return s.error();
  return r;
}

bool BlockReader::read_at(std::uint64_t offset, std::span<std::byte> out) const {
  while (!out.empty()) {
    const ssize_t n = ::pread(fd_, out.data(), out.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    out = out.subspan(static_cast<std::size_t>(n));
    offset += static_cast<std::uint64_t>(n);
  }
  return true;
}

// header and payload whole, of this recording, and later than what came before
bool BlockReader::sound_block_at(std::uint64_t offset, BlockAt& found) const {
  std::byte header[kHeaderBytes];
  if (offset + kHeaderBytes > scan_.bytes || !read_at(offset, header) || !read_header(header, found.header)) return false;
  const BlockHeader& h = found.header;
  if (offset + kHeaderBytes + h.stored > scan_.bytes) return false;
  if (!scan_.blocks.empty() && (h.recording != scan_.blocks[0].header.recording || h.sequence <= scan_.blocks.back().header.sequence)) return false;
  std::vector<std::byte> payload(h.stored);
  if (!read_at(offset + kHeaderBytes, as_span(payload)) || core::crc32c(payload) != h.payload_crc) return false;
  found.offset = offset;
  return true;
}

// Looks for the magic number from `offset` on. Rubbish made of false headers may not cost more than a few readings
// of the file.
std::uint64_t BlockReader::next_block_after(std::uint64_t offset, BlockAt& found) const {
  std::vector<std::byte> window(kWindow + 3);
  std::uint64_t budget = 8 * scan_.bytes + (64u << 20);
  const std::uint32_t magic = kBlockMagic;
  for (; offset + kHeaderBytes <= scan_.bytes; offset += kWindow) {
    const std::size_t n = static_cast<std::size_t>(std::min<std::uint64_t>(window.size(), scan_.bytes - offset));
    if (!read_at(offset, std::span(window).first(n))) break;
    for (std::size_t k = 0; k + 4 <= n; ++k) {
      if (window[k] != static_cast<std::byte>(magic & 0xff) || std::memcmp(window.data() + k, &magic, 4) != 0) continue;
      if (sound_block_at(offset + k, found)) return found.offset;
      budget -= std::min<std::uint64_t>(budget, kHeaderBytes + std::min<std::uint64_t>(found.header.stored, scan_.bytes));
      if (budget == 0) return scan_.bytes;
    }
  }
  return scan_.bytes;
}

void BlockReader::note_damage(std::uint64_t offset, std::uint64_t end, const BlockAt* next) {
  Damage d;
  d.offset = offset;
  d.bytes = end - offset;
  d.first_sequence = scan_.blocks.empty() ? 0 : scan_.blocks.back().header.sequence + 1;
  d.blocks = next != nullptr ? next->header.sequence - d.first_sequence : 0;
  d.at_end = next == nullptr;
  // without an index that names them: from the last tick that a block before tells of to the first after; the view is
  // written when its ten seconds are over, so it reaches further back (see name_lost_blocks)
  d.first_tick = scan_.blocks.empty() ? 0 : scan_.blocks.back().header.last_tick;
  d.last_tick = next != nullptr ? std::max(next->header.last_tick, d.first_tick) : d.first_tick;
  d.hashes = d.blocks > 0;
  if (d.at_end) look_at_tail(d);
  scan_.damage.push_back(std::move(d));
}

// A block that was never written whole is no damage; one that is all there and not sound is, and its header may still say what it was.
void BlockReader::look_at_tail(Damage& d) const {
  std::byte bytes[kHeaderBytes];
  BlockHeader h;
  d.cut = d.bytes < kHeaderBytes;
  if (d.cut || !read_at(d.offset, bytes)) return;
  const bool named = read_header(bytes, h);
  d.cut = named && kHeaderBytes + h.stored > d.bytes;
  d.hashes = !d.cut;
  if (!named || d.cut) return;
  d.blocks = 1;
  d.what = name_of(h.type);
  d.first_tick = h.first_tick, d.last_tick = h.last_tick;
  d.hashes = h.type == BlockType::Hashes;
  d.hash_tick = d.hashes ? h.last_tick : 0;
}

core::Status BlockReader::find_blocks() {
  std::uint64_t offset = 0;
  while (offset < scan_.bytes) {
    BlockAt found;
    if (!sound_block_at(offset, found)) {
      const std::uint64_t at = next_block_after(offset + 1, found);
      note_damage(offset, at, at < scan_.bytes ? &found : nullptr);
      if (at >= scan_.bytes) break;
      offset = at;
    } else if (!scan_.blocks.empty()) {
      const BlockHeader& before = scan_.blocks.back().header;
      if (found.header.sequence != before.sequence + 1) {
        note_damage(offset, offset, &found);
      } else if (found.header.previous != before.link()) {
        note_damage(offset, offset, &found);
        scan_.damage.back().what = fmt::format("block {} was not written after the block before it", found.header.sequence);
      }
    } else if (found.header.sequence != 0) {
      note_damage(offset, offset, &found);
    }
    scan_.closed = found.header.type == BlockType::End;
    scan_.blocks.push_back(found);
    offset += kHeaderBytes + found.header.stored;
  }
  if (scan_.blocks.empty()) {
    return file_error(path_, scan_.bytes == 0 ? "is empty: the run ended before its first commit" : "is no recording, or nothing of it is left",
                      "recordings are .vrec files written by volary run");
  }
  name_lost_blocks();
  return core::ok();
}

// an index after the damage knows what was there
void BlockReader::name_lost_blocks() {
  const bool any_lost = std::any_of(scan_.damage.begin(), scan_.damage.end(), [](const Damage& d) { return d.blocks > 0; });
  if (!any_lost) return;
  std::map<std::uint64_t, IndexEntry> known;
  for (const BlockAt& b : scan_.blocks) {
    if (b.header.type != BlockType::Index) continue;
    const auto raw = payload(b);
    const auto entries = raw ? read_index(raw.value()) : core::Result<std::vector<IndexEntry>>(core::Error{});
    if (entries)
      for (const IndexEntry& e : entries.value()) known[e.sequence] = e;
  }
  for (Damage& d : scan_.damage) {
    if (d.blocks == 0 || d.at_end) continue;
    bool all = true;
    std::uint64_t first = ~std::uint64_t{0}, last = 0;
    std::set<std::string> types;
    for (std::uint64_t s = d.first_sequence; s < d.first_sequence + std::min<std::uint64_t>(d.blocks, 1'000'000); ++s) {
      const auto e = known.find(s);
      if (e == known.end()) {
        all = false;
        continue;
      }
      first = std::min(first, e->second.first_tick);
      last = std::max(last, e->second.last_tick);
      types.insert(name_of(e->second.type));
      if (e->second.type == BlockType::Hashes) d.hash_tick = std::max(d.hash_tick, e->second.last_tick);
    }
    d.hashes = !all || types.contains(name_of(BlockType::Hashes));
    for (const std::string& t : types) d.what += (d.what.empty() ? "" : ", ") + t;
    if (!all) d.what += d.what.empty() ? "kind unknown" : " and others";
    d.first_tick = all ? first : std::min(first, d.first_tick);
    d.last_tick = all ? last : std::max(last, d.last_tick);
  }
}

core::Result<std::vector<std::byte>> BlockReader::payload(const BlockAt& block) const {
  auto bad = [&](const std::string& what) {
    return file_error(path_, fmt::format("block {} ({}) at byte {}: {}", block.header.sequence, name_of(block.header.type), block.offset, what));
  };
  std::vector<std::byte> stored(block.header.stored);
  if (!read_at(block.offset + kHeaderBytes, as_span(stored))) return bad("cannot be read");
  if (core::crc32c(stored) != block.header.payload_crc) return bad("its checksum is wrong");
  if ((block.header.flags & kZstd) == 0) return stored;
  auto raw = decompress(stored, block.header.raw);
  if (!raw) return bad(raw.error().message);
  return raw;
}

core::Result<std::vector<IndexEntry>> read_index(std::span<const std::byte> payload) {
  core::ByteReader r(payload);
  const std::size_t n_indexes = r.get_count(8);
  for (std::size_t k = 0; k < n_indexes; ++k) r.get<std::uint64_t>();
  const std::size_t n = r.get_count(kIndexEntryBytes);
  std::vector<IndexEntry> list;
  list.reserve(n);
  for (std::size_t k = 0; k < n; ++k) {
    IndexEntry e;
    e.offset = r.get<std::uint64_t>();
    e.first_tick = r.get<std::uint64_t>();
    e.last_tick = r.get<std::uint64_t>();
    e.sequence = r.get<std::uint64_t>();
    e.stored = r.get<std::uint32_t>();
    e.raw = r.get<std::uint32_t>();
    e.type = static_cast<BlockType>(r.get<std::uint8_t>());
    e.flags = r.get<std::uint8_t>();
    r.get_bytes(6);
    list.push_back(e);
  }
  if (!r.good() || r.left() != 0) return core::Error{.message = "the index is damaged"};
  return list;
}

}  // namespace volary::replay

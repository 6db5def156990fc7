// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/view_columns.hpp"

#include <zstd.h>

#include <memory>

namespace volary::replay {

namespace {

constexpr std::uint8_t kVersion = 1;
constexpr std::size_t kMaxRatio = 1u << 14;  // bytes out for each byte in; zstd itself reaches more only on runs of zeros

core::Error fault(const char* message) { return {.message = message, .field = "view block", .suggestion = "the recording is damaged here"}; }

bool is_between(double x, double low, double high) { return x >= low && x <= high; }

Column head_bytes(const BlockHead& head, const Columns& columns) {
  Column out;
  out.push_back(kVersion);
  for (const double x : {head.tick, head.bounds.position, head.bounds.velocity, head.bounds.angle, head.steps.position, head.steps.velocity, head.steps.turn})
    put_double(out, x);
  put_unsigned(out, head.n_tracks);
  for (const Column& c : columns.columns) put_unsigned(out, c.size());
  return out;
}

// One frame, and a block of zstd for each column: a block has its own table of symbols.
class Frame {
 public:
  Frame(int level, std::size_t size) : context_(ZSTD_createCCtx(), ZSTD_freeCCtx) {
    core::require(context_ != nullptr, "memory for zstd");
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 0);
    // The columns are noise to a search for repeats: what counts are the tables of symbols, and the long runs of columns that hardly change.
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_strategy, ZSTD_dfast);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_minMatch, 7);
    ZSTD_CCtx_setPledgedSrcSize(context_.get(), size);
    // a flushed block costs up to a header more than ZSTD_compressBound knows of
    out_.resize(ZSTD_compressBound(size) + (kFields + 2) * 32);
  }
  void add(const Column& column, bool last) {
    ZSTD_inBuffer in{column.data(), column.size(), 0};
    ZSTD_outBuffer out{out_.data(), out_.size(), used_};
    const std::size_t left = ZSTD_compressStream2(context_.get(), &out, &in, last ? ZSTD_e_end : ZSTD_e_flush);
    core::require(left == 0 && in.pos == in.size, "zstd takes a column at once");
    used_ = out.pos;
  }
  std::vector<std::byte> take() {
    out_.resize(used_);
    return std::move(out_);
  }

 private:
  std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> context_;
  std::vector<std::byte> out_;
  std::size_t used_ = 0;
};

}  // namespace

bool ColumnReaders::failed() const {
  for (const ByteReader& c : columns)
    if (c.failed()) return true;
  return false;
}
bool ColumnReaders::finished() const {
  for (const ByteReader& c : columns)
    if (c.failed() || c.left() != 0) return false;
  return true;
}

std::vector<std::byte> pack_columns(const BlockHead& head, const Columns& columns, int level) {
  const Column first = head_bytes(head, columns);
  std::size_t size = first.size();
  for (const Column& c : columns.columns) size += c.size();
  core::require(size <= kMaxBlockBytes, "a block of a recording is too large");
  Frame frame(level, size);
  frame.add(first, false);
  for (const Column& c : columns.columns)
    if (!c.empty()) frame.add(c, false);
  frame.add({}, true);
  return frame.take();
}

core::Status unpack_columns(std::span<const std::byte> payload, std::vector<std::uint8_t>& bytes, BlockHead& head, ColumnReaders& columns) {
  const unsigned long long size = ZSTD_getFrameContentSize(payload.data(), payload.size());
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR) return fault("not a zstd frame with a size");
  if (size > kMaxBlockBytes || size / kMaxRatio > payload.size()) return fault("the block would grow beyond the limit");
  bytes.resize(static_cast<std::size_t>(size));
  const std::size_t got = ZSTD_decompress(bytes.data(), bytes.size(), payload.data(), payload.size());
  if (ZSTD_isError(got) || got != bytes.size()) return fault("the compressed bytes are damaged");
  ByteReader in(bytes);
  const auto version = in.take(1);
  if (in.failed() || version[0] != kVersion) return fault("a version of the view block that this program does not know");
  double* const fields[] = {&head.tick,           &head.bounds.position, &head.bounds.velocity, &head.bounds.angle,
                            &head.steps.position, &head.steps.velocity,  &head.steps.turn};
  for (double* x : fields) *x = in.get_double();
  const std::uint64_t n_tracks = in.get_unsigned();
  std::array<std::uint64_t, kFields> sizes{};
  for (std::uint64_t& n : sizes) n = in.get_unsigned();
  for (std::size_t i = 0; i < kFields; ++i) {
    if (sizes[i] > in.left()) return fault("a column is longer than the block");
    columns.columns[i] = ByteReader(in.take(static_cast<std::size_t>(sizes[i])));
  }
  if (in.failed() || in.left() != 0) return fault("the columns do not fill the block");
  if (!is_between(head.tick, kSmallestTick, kLargestTick) || n_tracks > kMaxBlockTracks) return fault("the head is out of range");
  for (const double* x : std::span(fields).subspan(1))
    if (!is_between(*x, kSmallestBound * 1e-3, kLargestBound * 1e3)) return fault("a bound or step is out of range");
  head.n_tracks = static_cast<std::uint32_t>(n_tracks);
  return core::ok();
}

}  // namespace volary::replay

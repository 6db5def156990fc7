// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// MCAP version 0 (https://mcap.dev/spec), written by hand: header, zstd chunks with their message indexes, data end, a summary
// with schemas, channels, chunk indexes and statistics, footer. Messages are JSON in the shapes that Foxglove draws.
#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/bytes.hpp"
#include "replay/export_file.hpp"
#include "replay/exports.hpp"

namespace volary::replay {

namespace {

using Json = nlohmann::ordered_json;

// MCAP's checksums are CRC-32 of zlib, not the container's CRC-32C
class Crc32 {
 public:
  void add(std::span<const std::byte> bytes) {
    static constexpr auto kTable = [] {
      std::array<std::uint32_t, 256> t{};
      for (std::uint32_t n = 0; n < 256; ++n) {
        std::uint32_t c = n;
        for (int k = 0; k < 8; ++k) c = (c >> 1) ^ ((c & 1) != 0 ? 0xedb88320u : 0u);
        t[n] = c;
      }
      return t;
    }();
    for (const std::byte b : bytes) c_ = (c_ >> 8) ^ kTable[(c_ ^ static_cast<std::uint32_t>(b)) & 0xff];
  }
  std::uint32_t value() const { return ~c_; }

 private:
  std::uint32_t c_ = 0xffffffffu;
};

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

struct ChannelInfo {
  std::uint16_t id;
  const char* topic;
  const char* schema;  // name
  Json definition;
};

// ---------------------------------------------------------------- schemas

Json number() { return {{"type", "number"}}; }
Json text() { return {{"type", "string"}}; }
Json object(std::initializer_list<std::pair<const char*, Json>> fields) {
  Json properties = Json::object();
  for (const auto& [name, schema] : fields) properties[name] = schema;
  return {{"type", "object"}, {"properties", std::move(properties)}};
}
Json list_of(Json items) { return {{"type", "array"}, {"items", std::move(items)}}; }
Json stamp() { return object({{"sec", {{"type", "integer"}}}, {"nsec", {{"type", "integer"}}}}); }
Json vector3() { return object({{"x", number()}, {"y", number()}, {"z", number()}}); }
Json quaternion() { return object({{"x", number()}, {"y", number()}, {"z", number()}, {"w", number()}}); }
Json pose() { return object({{"position", vector3()}, {"orientation", quaternion()}}); }
Json colour() { return object({{"r", number()}, {"g", number()}, {"b", number()}, {"a", number()}}); }

std::vector<ChannelInfo> channels() {
  const Json transform =
      object({{"timestamp", stamp()}, {"parent_frame_id", text()}, {"child_frame_id", text()}, {"translation", vector3()}, {"rotation", quaternion()}});
  const Json cube = object({{"pose", pose()}, {"size", vector3()}, {"color", colour()}});
  const Json entity = object({{"timestamp", stamp()},
                              {"frame_id", text()},
                              {"id", text()},
                              {"lifetime", stamp()},
                              {"frame_locked", {{"type", "boolean"}}},
                              {"metadata", list_of(object({{"key", text()}, {"value", text()}}))},
                              {"cubes", list_of(cube)}});
  const Json deletion = object({{"timestamp", stamp()}, {"type", {{"type", "integer"}}}, {"id", text()}});
  std::vector<ChannelInfo> list = {{1, "/tf", "foxglove.FrameTransforms", object({{"transforms", list_of(transform)}})},
                                   {2, "/vehicles", "foxglove.SceneUpdate", object({{"deletions", list_of(deletion)}, {"entities", list_of(entity)}})},
                                   {3, "/events", "foxglove.Log",
                                    object({{"timestamp", stamp()},
                                            {"level", {{"type", "integer"}}},
                                            {"message", text()},
                                            {"name", text()},
                                            {"file", text()},
                                            {"line", {{"type", "integer"}}}})}};
  for (ChannelInfo& c : list) c.definition["title"] = c.schema;
  return list;
}

// ---------------------------------------------------------------- the file

class McapWriter {
 public:
  static core::Result<std::unique_ptr<McapWriter>> create(const std::string& path) {
    auto file = NewFile::create(path);
    if (!file) return file.error();
    return std::unique_ptr<McapWriter>(new McapWriter(std::move(file).value()));
  }

  void begin(const std::string& library);
  void message(std::uint16_t channel, std::uint64_t ns, const Json& content);
  core::Status finish();
  core::Status status() const { return file_.status(); }
  std::uint64_t size() const { return file_.size(); }

 private:
  struct ChunkInfo {
    std::uint64_t first = 0, last = 0, offset = 0, length = 0, index_length = 0, stored = 0, raw = 0;
    std::map<std::uint16_t, std::uint64_t> indexes;
  };
  explicit McapWriter(NewFile file) : file_(std::move(file)), channels_(channels()) {}
  static void record(core::ByteWriter& out, Op op, const core::ByteWriter& body) {
    out.put(static_cast<std::uint8_t>(op));
    out.put<std::uint64_t>(body.size());
    out.put_bytes(body.bytes());
  }
  static core::ByteWriter schema_of(const ChannelInfo& c);
  static core::ByteWriter channel_of(const ChannelInfo& c);
  void write(std::span<const std::byte> bytes);
  void write_chunk();
  core::ByteWriter statistics() const;

  NewFile file_;
  std::vector<ChannelInfo> channels_;
  Crc32 data_crc_;
  core::ByteWriter chunk_;
  std::uint64_t first_ = ~std::uint64_t{0}, last_ = 0;  // of the chunk
  std::map<std::uint16_t, std::vector<std::pair<std::uint64_t, std::uint64_t>>> offsets_;
  std::vector<ChunkInfo> chunks_;
  std::map<std::uint16_t, std::uint64_t> counts_;
  std::uint32_t sequence_ = 0;
};

void McapWriter::write(std::span<const std::byte> bytes) {
  file_.put(bytes.data(), bytes.size());
  data_crc_.add(bytes);
}

core::ByteWriter McapWriter::schema_of(const ChannelInfo& c) {
  core::ByteWriter b;
  b.put(c.id);
  b.put_text(c.schema);
  b.put_text("jsonschema");
  b.put_text(c.definition.dump());
  return b;
}
core::ByteWriter McapWriter::channel_of(const ChannelInfo& c) {
  core::ByteWriter b;
  b.put(c.id);
  b.put(c.id);  // its schema has the same number
  b.put_text(c.topic);
  b.put_text("json");
  b.put<std::uint32_t>(0);  // no metadata
  return b;
}

void McapWriter::begin(const std::string& library) {
  write(std::as_bytes(std::span(kMagic)));
  core::ByteWriter body, out;
  body.put_text("");
  body.put_text(library);
  record(out, kHeader, body);
  for (const ChannelInfo& c : channels_) record(out, kSchema, schema_of(c)), record(out, kChannel, channel_of(c));
  write(out.bytes());
}

void McapWriter::message(std::uint16_t channel, std::uint64_t ns, const Json& content) {
  const std::string data = content.dump(-1, ' ', false, Json::error_handler_t::replace);
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

void McapWriter::write_chunk() {
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

core::ByteWriter McapWriter::statistics() const {
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

core::Status McapWriter::finish() {
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
    for (const ChannelInfo& c : channels_) record(summary, kSchema, schema_of(c));
  });
  group(kChannel, [&] {
    for (const ChannelInfo& c : channels_) record(summary, kChannel, channel_of(c));
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

// ---------------------------------------------------------------- messages

Json time_of(std::uint64_t ns) { return {{"sec", ns / 1'000'000'000}, {"nsec", ns % 1'000'000'000}}; }
std::uint64_t ns_of(double seconds) { return static_cast<std::uint64_t>(seconds * 1e9 + 0.5); }
Json vector_of(double x, double y, double z) { return {{"x", x}, {"y", y}, {"z", z}}; }

// names need not be unique, frames must be
std::string frame_of(const Recording& r, std::uint32_t vehicle) { return fmt::format("{}#{}", r.roster()[vehicle].name, vehicle); }

Json transforms(const Recording& r, const Frame& frame, std::uint64_t ns) {
  Json list = Json::array();
  for (const VehicleAt& v : frame.vehicles) {
    const Pose& p = v.pose;
    list.push_back({{"timestamp", time_of(ns)},
                    {"parent_frame_id", "world"},
                    {"child_frame_id", frame_of(r, v.vehicle)},
                    {"translation", vector_of(p.position[0], p.position[1], p.position[2])},
                    {"rotation", {{"x", p.attitude[1]}, {"y", p.attitude[2]}, {"z", p.attitude[3]}, {"w", p.attitude[0]}}}});
  }
  return {{"transforms", std::move(list)}};
}

// a body for each newcomer, which its frame carries along, and an end for each who left
Json scene(const Recording& r, const std::vector<std::uint32_t>& came, const std::vector<std::uint32_t>& left, std::uint64_t ns) {
  static constexpr std::array<std::array<double, 3>, 6> kColours = {
      {{0.13, 0.47, 0.71}, {1, 0.5, 0.05}, {0.17, 0.63, 0.17}, {0.84, 0.15, 0.16}, {0.58, 0.4, 0.74}, {0.55, 0.34, 0.29}}};
  Json entities = Json::array(), deletions = Json::array();
  for (const std::uint32_t k : came) {
    const RosterEntry& e = r.roster()[k];
    const auto& c = kColours[e.flock % kColours.size()];
    Json cube = {{"pose", {{"position", vector_of(0, 0, 0)}, {"orientation", {{"x", 0}, {"y", 0}, {"z", 0}, {"w", 1}}}}},
                 {"size", vector_of(0.2, 0.2, 0.06)},
                 {"color", {{"r", c[0]}, {"g", c[1]}, {"b", c[2]}, {"a", 1}}}};
    const std::string flock = e.flock < r.head().flocks.size() ? r.head().flocks[e.flock].name : "";
    entities.push_back({{"timestamp", time_of(ns)},
                        {"frame_id", frame_of(r, k)},
                        {"id", frame_of(r, k)},
                        {"lifetime", time_of(0)},
                        {"frame_locked", true},
                        {"metadata", Json::array({{{"key", "flock"}, {"value", flock}}})},
                        {"cubes", Json::array({std::move(cube)})}});
  }
  for (const std::uint32_t k : left) deletions.push_back({{"timestamp", time_of(ns)}, {"type", 0}, {"id", frame_of(r, k)}});
  return {{"deletions", std::move(deletions)}, {"entities", std::move(entities)}};
}

}  // namespace

core::Result<Exported> export_mcap(const Recording& r, const std::string& path, const ExportOptions& o) {
  if (const core::Status s = need_view(r); !s) return s.error();
  auto made = McapWriter::create(path);
  if (!made) return made.error();
  McapWriter& out = *made.value();
  out.begin("volary " + r.head().program);
  Exported done{1, 0, 0, 0};
  std::vector<std::uint32_t> seen;
  std::size_t next_event = 0;
  const core::Status s = each_frame(r, o, [&](const Frame& frame) -> core::Status {
    const std::uint64_t ns = ns_of(frame.time);
    std::vector<std::uint32_t> now, came, left;
    for (const VehicleAt& v : frame.vehicles) now.push_back(v.vehicle);
    std::set_difference(now.begin(), now.end(), seen.begin(), seen.end(), std::back_inserter(came));
    std::set_difference(seen.begin(), seen.end(), now.begin(), now.end(), std::back_inserter(left));
    seen = std::move(now);
    if (!came.empty() || !left.empty()) out.message(2, ns, scene(r, came, left, ns));
    out.message(1, ns, transforms(r, frame, ns));
    for (; next_event < r.events().size() && r.seconds(r.events()[next_event].tick) <= frame.time; ++next_event) {
      const Event& e = r.events()[next_event];
      const bool bad = e.what.starts_with("diverged") || e.what.starts_with("refused");
      out.message(3, ns,
                  {{"timestamp", time_of(ns_of(r.seconds(e.tick)))}, {"level", bad ? 3 : 2}, {"message", e.what}, {"name", e.name}, {"file", ""}, {"line", 0}});
    }
    done.samples += frame.vehicles.size();
    done.missing += frame.missing.size();
    return out.status();
  });
  if (!s) return s.error();
  if (const core::Status written = out.finish(); !written) return written.error();
  done.bytes = out.size();
  return done;
}

}  // namespace volary::replay

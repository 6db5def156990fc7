// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/snapshot_bytes.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "engine/payloads.hpp"
#include "math/hash.hpp"

namespace volary::engine {

namespace {

constexpr std::uint32_t kMagic = 0x53594c56;  // "VLYS"
constexpr std::uint32_t kVersion = 10;
constexpr std::size_t kMaxName = 65'535;
constexpr std::size_t kMaxSlots = 1u << 27;

std::uint64_t mix(std::uint64_t h, std::uint64_t x) { return math::mix64(h ^ (x + 0x9e3779b97f4a7c15ull)); }
std::uint64_t mix(std::uint64_t h, std::string_view text) {
  for (const char c : text) h = mix(h, static_cast<unsigned char>(c));
  return mix(h, text.size());
}

std::size_t column_bytes(const Flock& f, std::size_t capacity, int rows) {
  return capacity * static_cast<std::size_t>(rows) * static_cast<std::size_t>(f.bytes);
}

void write_book(core::ByteWriter& out, const Snapshot::FlockBook& b) {
  out.put<std::uint64_t>(b.capacity);
  out.put<std::uint64_t>(b.slots);
  for (std::size_t s = 0; s < b.slots; ++s) {
    out.put(b.ids[s].value);
    out.put(b.worlds[s]);
    std::uint8_t failed = 0;  // a rotor each
    for (std::size_t r = 0; r < b.failed[s].size() && r < 8; ++r) failed = static_cast<std::uint8_t>(failed | (b.failed[s][r] ? 1u << r : 0u));
    out.put(static_cast<std::uint8_t>(b.failed[s].empty() ? 0 : 1));
    out.put(failed);
    out.put_text(b.names[s], kMaxName);
  }
  out.put<std::uint64_t>(b.breaches.size());
  for (const std::uint64_t bits : b.breaches) out.put(bits);
  out.put<std::uint64_t>(b.free_slots.size());
  for (const std::size_t s : b.free_slots) out.put<std::uint64_t>(s);
  out.put<std::uint64_t>(b.last_places.size());
  for (const std::uint64_t place : b.last_places) out.put(place);
  out.put<std::uint64_t>(b.override_rows.size());
  for (const int r : b.override_rows) out.put(static_cast<std::int32_t>(r));
}

void read_book(core::ByteReader& in, Snapshot::FlockBook& b) {
  b.capacity = in.get<std::uint64_t>();
  b.slots = in.get_count(8 + 4 + 1 + 1 + 4);
  if (b.slots > b.capacity || b.capacity > kMaxSlots || b.capacity % kBlock != 0) return in.fail();
  for (std::size_t s = 0; s < b.slots && in.good(); ++s) {
    b.ids.push_back({in.get<std::uint64_t>()});
    b.worlds.push_back(in.get<std::uint32_t>());
    const bool has_failed = in.get<std::uint8_t>() != 0;
    const auto failed = in.get<std::uint8_t>();
    b.failed.emplace_back(has_failed ? 8 : 0, false);
    for (std::size_t r = 0; r < b.failed.back().size(); ++r) b.failed.back()[r] = (failed >> r & 1) != 0;
    b.names.push_back(in.get_text(kMaxName));
  }
  b.breaches.resize(in.get_count(8));
  for (std::uint64_t& bits : b.breaches) bits = in.get<std::uint64_t>();
  const std::size_t n_free = in.get_count(8);
  for (std::size_t k = 0; k < n_free; ++k) b.free_slots.push_back(in.get<std::uint64_t>());
  b.last_places.resize(in.get_count(8));
  for (std::uint64_t& place : b.last_places) place = in.get<std::uint64_t>();
  const std::size_t n_rows = in.get_count(4);
  for (std::size_t k = 0; k < n_rows; ++k) b.override_rows.push_back(in.get<std::int32_t>());
}

core::Error bad(std::string what) { return core::Error{.message = "checkpoint: " + std::move(what)}; }

// a book that would not work is refused: every index is used unchecked later
bool is_sound(const Snapshot::FlockBook& b, const Flock& f, std::size_t n_worlds) {
  const bool increasing =
      std::is_sorted(b.free_slots.begin(), b.free_slots.end()) && std::adjacent_find(b.free_slots.begin(), b.free_slots.end()) == b.free_slots.end();
  if (b.breaches.size() > b.slots || !increasing || (!b.free_slots.empty() && b.free_slots.back() >= b.slots)) return false;
  for (const std::size_t s : b.free_slots)
    if (b.ids[s]) return false;
  for (const std::uint32_t w : b.worlds)
    if (w >= n_worlds) return false;
  if (b.last_places.size() > n_worlds) return false;
  for (std::size_t k = 0; k < b.override_rows.size(); ++k) {
    const int row = b.override_rows[k];
    if (row < 0 || static_cast<std::size_t>(row) >= f.param_values.size()) return false;
    if (std::find(b.override_rows.begin(), b.override_rows.begin() + static_cast<std::ptrdiff_t>(k), row) !=
        b.override_rows.begin() + static_cast<std::ptrdiff_t>(k))
      return false;
  }
  return true;
}

// every vehicle is where its location says, and the other way round
bool locations_agree(const Snapshot& s) {
  bool good = true;
  s.locations.each([&](std::uint64_t number, const Location& l) {
    if (!l.alive) return;
    good = good && l.flock < s.books.size() && l.slot < s.books[l.flock].slots && s.books[l.flock].ids[l.slot] == make_vehicle_id(number, l.generation);
  });
  for (const auto& b : s.books)
    for (const VehicleId id : b.ids) good = good && (!id || s.locations.find(id.number()) != nullptr);
  return good;
}

// paths are looked up by an index in the plan
bool paths_exist(const Flock& f, const std::vector<std::byte>& plan, std::size_t n_paths) {
  const auto column = std::find_if(f.program->plan.begin(), f.program->plan.end(), [](const ColumnInfo& c) { return c.name == "plan.path"; });
  if (!f.guided() || column == f.program->plan.end()) return true;
  const std::size_t size = static_cast<std::size_t>(f.bytes), rows = static_cast<std::size_t>(f.kernel->plan_rows), per_block = rows * kBlock * size;
  for (std::size_t at = static_cast<std::size_t>(column->row) * kBlock * size; at + kBlock * size <= plan.size(); at += per_block)
    for (std::size_t l = 0; l < kBlock; ++l) {
      std::uint64_t path = 0;
      std::memcpy(&path, plan.data() + at + l * size, size);
      if (path > n_paths) return false;
    }
  return true;
}

// the pieces in the order of the registry, each of the size that its flock has at this capacity
bool read_pieces(core::ByteReader& in, const Data& d, Snapshot& s) {
  for (std::size_t k = 0; k < d.flocks.size(); ++k) {
    const Flock& f = d.flocks[k];
    const Snapshot::FlockBook& b = s.books[k];
    std::vector<std::size_t> sizes = {column_bytes(f, b.capacity, f.kernel->hot_rows), f.guided() ? column_bytes(f, b.capacity, f.kernel->plan_rows) : 0,
                                      column_bytes(f, b.capacity, 4)};
    if (f.has_ground) sizes.push_back(column_bytes(f, b.capacity, kGroundRows));
    sizes.insert(sizes.end(), b.override_rows.size(), column_bytes(f, b.capacity, 1));
    for (const std::size_t size : sizes) {
      if (in.get<std::uint64_t>() != size) return false;
      const auto raw = in.get_bytes(size);
      if (!in.good()) return false;
      s.pieces.emplace_back(raw.begin(), raw.end());
    }
    if (!paths_exist(f, s.pieces[s.pieces.size() - sizes.size() + 1], d.def.paths.size())) return false;
  }
  return true;
}

void read_bookkeeping(core::ByteReader& in, Snapshot& s, const Data& d) {
  const std::size_t n_locations = in.get_count(25);
  for (std::size_t k = 0; k < n_locations && in.good(); ++k) {
    const auto number = in.get<std::uint64_t>();
    Location l;
    l.flock = in.get<std::uint32_t>();
    l.generation = in.get<std::uint32_t>();
    l.slot = in.get<std::uint64_t>();
    l.alive = in.get<std::uint8_t>() != 0;
    if (number == 0 || number > kMostVehicleNumber || l.generation == 0 || l.flock >= d.flocks.size()) return in.fail();
    s.locations.add(number) = l;
  }
  const std::size_t n_sources = in.get_count(8);
  for (std::size_t k = 0; k < n_sources; ++k) {
    const auto source = in.get<std::uint32_t>();
    s.next_seq[source] = in.get<std::uint32_t>();
  }
  const std::size_t n_inputs = in.get_count(kLeastInputBytes);
  for (std::size_t k = 0; k < n_inputs && in.good(); ++k) {
    s.inputs.emplace_back();
    if (!read_input(in, s.inputs.back()) || !check_input(d, s.inputs.back())) in.fail();
  }
}

}  // namespace

core::Error of_another_world(const std::string& what) {
  return core::Error{.message = what + " is of another world: flocks, airframes, controllers, paths, worlds, seed, tick and precision must be the same"};
}

std::uint64_t fingerprint(const Data& d) {
  std::uint64_t h = mix(kVersion, static_cast<std::uint64_t>(d.def.tick_ns));
  h = mix(mix(h, static_cast<std::uint64_t>(d.def.worlds)), static_cast<std::uint64_t>(d.def.first_world) << 32 | d.def.episode);
  h = mix(mix(h, d.def.seed), d.def.paths.size());
  for (const RegionDef& r : d.def.regions) h = mix(h, r.name);
  for (const double x : d.paths.headers8) h = mix(h, std::bit_cast<std::uint64_t>(x));
  for (const Flock& f : d.flocks) {
    h = mix(mix(mix(mix(h, f.def.name), f.def.airframe.name), f.model->name), f.program->name);
    for (const BehaviourDef& b : f.def.node.behaviours) h = mix(h, b.kind);
    h = mix(mix(h, static_cast<std::uint64_t>(f.bytes)), static_cast<std::uint64_t>(f.kernel->hot_rows * 4096 + f.kernel->plan_rows));
  }
  return h;
}

std::vector<std::byte> snapshot_to_bytes(const Snapshot& s) {
  core::ByteWriter out;
  std::size_t n_locations = 0;
  s.locations.each([&](std::uint64_t, const Location&) { ++n_locations; });
  out.reserve(s.bytes() + n_locations * 64 + 4096);
  out.put(kMagic);
  out.put(kVersion);
  out.put(s.fingerprint);
  out.put(s.tick);
  out.put<std::uint64_t>(n_locations);
  s.locations.each([&](std::uint64_t number, const Location& l) {
    out.put(number);
    out.put(l.flock);
    out.put(l.generation);
    out.put<std::uint64_t>(l.slot);
    out.put(static_cast<std::uint8_t>(l.alive));
  });
  out.put<std::uint64_t>(s.next_seq.size());
  for (const auto& [source, seq] : s.next_seq) out.put(source), out.put(seq);
  out.put<std::uint64_t>(s.inputs.size());
  for (const Input& in : s.inputs) write_input(out, in);
  out.put<std::uint64_t>(s.books.size());
  for (const auto& b : s.books) write_book(out, b);
  for (const auto& p : s.pieces) {
    out.put<std::uint64_t>(p.size());
    out.put_bytes(p);
  }
  out.put<std::uint64_t>(s.logical.size());
  out.put_bytes(s.logical);
  return out.take();
}

core::Result<std::shared_ptr<const Snapshot>> snapshot_from_bytes(std::span<const std::byte> bytes, const Data& d) {
  core::ByteReader in(bytes);
  auto s = std::make_shared<Snapshot>();
  if (in.get<std::uint32_t>() != kMagic) return bad("the bytes are not a checkpoint");
  if (const auto version = in.get<std::uint32_t>(); version != kVersion) return bad("version " + std::to_string(version) + " is not known");
  s->fingerprint = in.get<std::uint64_t>();
  if (s->fingerprint != fingerprint(d)) return of_another_world("the checkpoint");
  s->tick = in.get<std::uint64_t>();
  read_bookkeeping(in, *s, d);
  if (in.get<std::uint64_t>() != d.flocks.size()) return bad("another number of flocks");
  for (std::size_t k = 0; k < d.flocks.size() && in.good(); ++k) {
    s->books.emplace_back();
    read_book(in, s->books.back());
    if (in.good() && !is_sound(s->books.back(), d.flocks[k], static_cast<std::size_t>(d.def.worlds))) in.fail();
  }
  if (!in.good() || !locations_agree(*s)) return bad("its list of vehicles is inconsistent");
  if (!read_pieces(in, d, *s)) return bad("its columns have other sizes than this world's");
  const auto logical = in.get_bytes(in.get_count(1));
  s->logical.assign(logical.begin(), logical.end());
  std::vector<std::span<const std::uint32_t>> worlds;
  for (const Snapshot::FlockBook& b : s->books) worlds.emplace_back(b.worlds);
  if (!in.good() || in.left() != 0 || !logical_fits(d, s->logical, worlds)) return bad("the knowledge of its vehicles has other sizes than in this world");
  return std::shared_ptr<const Snapshot>(std::move(s));
}

}  // namespace volary::engine

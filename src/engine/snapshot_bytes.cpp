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
constexpr std::uint32_t kVersion = 13;
constexpr std::size_t kMaxName = 65'535;
constexpr std::size_t kMaxSlots = 1u << 27;

std::uint64_t mix(std::uint64_t h, std::uint64_t x) { return math::mix64(h ^ (x + 0x9e3779b97f4a7c15ull)); }
std::uint64_t mix(std::uint64_t h, std::string_view text) {
  for (const char c : text) h = mix(h, static_cast<unsigned char>(c));
  return mix(h, text.size());
}

void write_flock(core::ByteWriter& out, const Roster::OfFlock& r) {
  out.put<std::uint64_t>(r.capacity);
  out.put<std::uint64_t>(r.slots);
  for (std::size_t s = 0; s < r.slots; ++s) {
    out.put(r.ids[s].value);
    out.put(r.worlds[s]);
    out.put(r.failed[s]);
    out.put_text(r.names[s], kMaxName);
  }
  out.put<std::uint64_t>(r.free_slots.size());
  for (const std::size_t s : r.free_slots) out.put<std::uint64_t>(s);
  out.put<std::uint64_t>(r.last_places.size());
  for (const std::uint64_t place : r.last_places) out.put(place);
  out.put<std::uint64_t>(r.identity.size());
  out.put_bytes(r.identity);
  out.put<std::uint64_t>(r.homes.size());
  for (const swarm::V3& p : r.homes) out.put(p.x), out.put(p.y), out.put(p.z);
  out.put<std::uint64_t>(r.weights.size());
  for (const double w : r.weights) out.put(w);
}

void read_flock(core::ByteReader& in, Roster::OfFlock& r) {
  r.capacity = in.get<std::uint64_t>();
  r.slots = in.get_count(8 + 4 + 1 + 4);
  if (r.slots > r.capacity || r.capacity > kMaxSlots || r.capacity % kBlock != 0) return in.fail();
  for (std::size_t s = 0; s < r.slots && in.good(); ++s) {
    r.ids.push_back({in.get<std::uint64_t>()});
    r.worlds.push_back(in.get<std::uint32_t>());
    r.failed.push_back(in.get<std::uint8_t>());
    r.names.push_back(in.get_text(kMaxName));
  }
  const std::size_t n_free = in.get_count(8);
  for (std::size_t k = 0; k < n_free; ++k) r.free_slots.push_back(in.get<std::uint64_t>());
  r.last_places.resize(in.get_count(8));
  for (std::uint64_t& place : r.last_places) place = in.get<std::uint64_t>();
  const auto identity = in.get_bytes(in.get_count(1));
  r.identity.assign(identity.begin(), identity.end());
  r.homes.resize(in.get_count(24));
  for (swarm::V3& p : r.homes) p.x = in.get<double>(), p.y = in.get<double>(), p.z = in.get<double>();
  r.weights.resize(in.get_count(8));
  for (double& w : r.weights) w = in.get<double>();
}

core::Error bad(std::string what) { return core::Error{.message = "checkpoint: " + std::move(what)}; }

// a roster that would not work is refused: every index is used unchecked later
bool is_sound(const Roster::OfFlock& r, const Data& d, std::size_t flock) {
  const Flock& f = d.flocks[flock];
  const auto n_worlds = static_cast<std::size_t>(d.def.worlds);
  const bool increasing =
      std::is_sorted(r.free_slots.begin(), r.free_slots.end()) && std::adjacent_find(r.free_slots.begin(), r.free_slots.end()) == r.free_slots.end();
  if (!increasing || (!r.free_slots.empty() && r.free_slots.back() >= r.slots)) return false;
  for (const std::size_t s : r.free_slots)
    if (r.ids[s]) return false;
  for (const std::uint32_t w : r.worlds)
    if (w >= n_worlds) return false;
  const std::size_t social = d.is_social ? r.slots : 0;
  return r.last_places.size() <= n_worlds && r.identity.size() == r.capacity * 4 * static_cast<std::size_t>(f.bytes) && r.homes.size() == social &&
         r.weights.size() == social * d.societies[flock].library.size();
}
bool are_sound(const std::vector<int>& override_rows, const Flock& f) {
  std::vector<int> rows = override_rows;
  std::sort(rows.begin(), rows.end());
  return std::adjacent_find(rows.begin(), rows.end()) == rows.end() &&
         std::all_of(rows.begin(), rows.end(), [&](int row) { return row >= 0 && static_cast<std::size_t>(row) < f.param_values.size(); });
}

// every vehicle is where its location says, and the other way round
bool locations_agree(const Roster& r) {
  bool good = true;
  r.locations.each([&](std::uint64_t number, const Location& l) {
    if (!l.alive) return;
    good = good && l.flock < r.flocks.size() && l.slot < r.flocks[l.flock].slots && r.flocks[l.flock].ids[l.slot] == make_vehicle_id(number, l.generation);
  });
  for (const auto& f : r.flocks)
    for (const VehicleId id : f.ids) good = good && (!id || r.locations.find(id.number()) != nullptr);
  return good;
}

// paths are looked up by an index in the plan
bool paths_exist(const Flock& f, std::span<const std::byte> plan, std::size_t n_paths) {
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

// the columns have the sizes that the flocks have at the capacity of the roster
bool columns_fit(const Data& d, const Snapshot& s) {
  std::size_t at = 0;
  for (std::size_t k = 0; k < d.flocks.size(); ++k) {
    const Flock& f = d.flocks[k];
    const std::size_t row = s.roster->flocks[k].capacity * static_cast<std::size_t>(f.bytes), hot = row * static_cast<std::size_t>(f.kernel->hot_rows);
    const std::size_t plan = f.guided() ? row * static_cast<std::size_t>(f.kernel->plan_rows) : 0;
    const int beside = (f.has_ground ? kGroundRows : 0) + (f.senses != nullptr ? f.senses->layout.rows : 0) + (f.joined != nullptr ? f.joined->rows : 0);
    const std::size_t all = hot + plan + row * (static_cast<std::size_t>(beside) + s.override_rows[k].size());
    if (s.columns.size() - at < all || !paths_exist(f, std::span(s.columns).subspan(at + hot, plan), d.def.paths.size())) return false;
    at += all;
  }
  return at == s.columns.size();
}

void read_bookkeeping(core::ByteReader& in, Snapshot& s, Roster& roster, const Data& d) {
  const std::size_t n_locations = in.get_count(25);
  for (std::size_t k = 0; k < n_locations && in.good(); ++k) {
    const auto number = in.get<std::uint64_t>();
    Location l;
    l.flock = in.get<std::uint32_t>();
    l.generation = in.get<std::uint32_t>();
    l.slot = in.get<std::uint64_t>();
    l.alive = in.get<std::uint8_t>() != 0;
    if (number == 0 || number > kMostVehicleNumber || l.generation == 0 || l.flock >= d.flocks.size()) return in.fail();
    roster.locations.add(number) = l;
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
  return core::Error{.message =
                         what + " is of another world: flocks, airframes, controllers, paths, worlds, seed, tick, horizon and precision must be the same"};
}

std::uint64_t fingerprint(const Data& d) {
  if (d.fingerprint != 0) return d.fingerprint;
  std::uint64_t h = mix(kVersion, static_cast<std::uint64_t>(d.def.tick_ns));
  h = mix(mix(h, static_cast<std::uint64_t>(d.def.worlds)), static_cast<std::uint64_t>(d.def.first_world) << 32 | d.def.episode);
  h = mix(mix(h, d.def.seed), d.def.paths.size());
  if (d.coupling.delays()) h = mix(h, d.coupling.horizon);
  for (const RegionDef& r : d.def.regions) h = mix(h, r.name);
  for (const double x : d.paths.headers8) h = mix(h, std::bit_cast<std::uint64_t>(x));
  for (const Flock& f : d.flocks) {
    h = mix(mix(mix(mix(h, f.def.name), f.def.airframe.name), f.model->name), f.program->name);
    for (const BehaviourDef& b : f.def.node.behaviours) h = mix(h, b.kind);
    if (f.def.piloted && !f.def.node.behaviours.empty()) h = mix(h, "piloted");
    h = mix(mix(h, static_cast<std::uint64_t>(f.bytes)), static_cast<std::uint64_t>(f.kernel->hot_rows * 4096 + f.kernel->plan_rows));
    if (f.joined != nullptr) h = mix(mix(mix(h, "joined"), static_cast<std::uint64_t>(f.joined->rows)), f.def.docking.with);
    for (const std::string& name : f.def.load ? f.def.load->with : std::vector<std::string>()) h = mix(h, name);
    if (f.senses == nullptr) continue;
    h = mix(mix(h, "senses"), static_cast<std::uint64_t>(f.senses->layout.rows) << 32 | static_cast<std::uint64_t>(f.senses->layout.horizon));
    for (const ColumnInfo& c : f.senses->columns) h = mix(h, c.name);
    for (const SensePlace& p : f.senses->layout.sensors) h = mix(h, p.period << 32 | p.phase << 16 | p.latency);
  }
  return d.fingerprint = h;
}

std::vector<std::byte> snapshot_to_bytes(const Snapshot& s) {
  core::ByteWriter out;
  std::size_t n_locations = 0;
  s.roster->locations.each([&](std::uint64_t, const Location&) { ++n_locations; });
  out.reserve(s.bytes() + s.roster->bytes() + n_locations * 32 + 4096);
  out.put(kMagic);
  out.put(kVersion);
  out.put(s.fingerprint);
  out.put(s.tick);
  out.put<std::uint64_t>(n_locations);
  s.roster->locations.each([&](std::uint64_t number, const Location& l) {
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
  out.put<std::uint64_t>(s.roster->flocks.size());
  for (std::size_t k = 0; k < s.roster->flocks.size(); ++k) {
    write_flock(out, s.roster->flocks[k]);
    out.put<std::uint64_t>(s.override_rows[k].size());
    for (const int r : s.override_rows[k]) out.put(static_cast<std::int32_t>(r));
  }
  out.put<std::uint64_t>(s.columns.size());
  out.put_bytes(s.columns);
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
  auto roster = std::make_shared<Roster>();
  read_bookkeeping(in, *s, *roster, d);
  if (in.get<std::uint64_t>() != d.flocks.size()) return bad("another number of flocks");
  for (std::size_t k = 0; k < d.flocks.size() && in.good(); ++k) {
    read_flock(in, roster->flocks.emplace_back());
    std::vector<int>& rows = s->override_rows.emplace_back(in.get_count(4));
    for (int& row : rows) row = in.get<std::int32_t>();
    if (in.good() && (!is_sound(roster->flocks.back(), d, k) || !are_sound(rows, d.flocks[k]))) in.fail();
  }
  if (!in.good() || !locations_agree(*roster)) return bad("its list of vehicles is inconsistent");
  s->roster = roster;
  const auto columns = in.get_bytes(in.get_count(1));
  s->columns.assign(columns.begin(), columns.end());
  if (!in.good() || !columns_fit(d, *s)) return bad("its columns have other sizes than this world's");
  const auto logical = in.get_bytes(in.get_count(1));
  s->logical.assign(logical.begin(), logical.end());
  std::vector<std::span<const std::uint32_t>> worlds;
  for (const Roster::OfFlock& r : roster->flocks) worlds.emplace_back(r.worlds);
  if (!in.good() || in.left() != 0 || !logical_fits(d, s->logical, worlds)) return bad("the knowledge of its vehicles has other sizes than in this world");
  return std::shared_ptr<const Snapshot>(std::move(s));
}

}  // namespace volary::engine

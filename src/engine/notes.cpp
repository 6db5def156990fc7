// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/notes.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/data.hpp"

namespace volary::engine {

namespace {

constexpr std::uint32_t kLinesPerSecond = 20;  // of one vehicle
constexpr std::size_t kLinesPerTick = 1000;    // of one world
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

std::uint64_t second_of(const Data& d, std::uint64_t tick) { return tick * static_cast<std::uint64_t>(d.def.tick_ns) / 1'000'000'000; }

// not add_event: tasks look at what happens to vehicles, never at what their behaviours tell
void add_log(Data& d, const Noted& n, std::string text) {
  d.events.push_back({d.tick, n.id, d.flocks[n.flock].names[n.slot], "log: " + std::move(text), world_of(d, n.id.number())});
}

void tell_dropped(Data& d, const Noted& n, LogAllowance& a) {
  if (a.dropped == 0) return;
  add_log(d, n, std::to_string(a.dropped) + " line(s) dropped between " + std::to_string(a.second) + " s and " + std::to_string(a.second + 1) +
                    " s: at most 8 lines per decision, 20 per second and vehicle, 1000 per tick");
  a.dropped = 0;
}

// the vehicle decides no more in this second, or never again
bool is_last_decision(const Data& d, const Noted& n) {
  const Society& s = d.societies[n.flock];
  const std::uint64_t now = tick_of_world(d, world_of(d, n.id.number())), next = now + s.decide_every;
  return s.nodes[n.slot].stopped != 0 || next >= planned_ticks(d.def) || second_of(d, next) != second_of(d, now);
}

void take_lines(Data& d, const Noted& n, std::size_t& lines_of_world) {
  LogAllowance& a = d.societies[n.flock].notes.allowances[n.slot];
  const std::uint64_t second = second_of(d, tick_of_world(d, world_of(d, n.id.number())));
  if (a.second != second) {
    tell_dropped(d, n, a);
    a = {second, 0, 0};
  }
  a.dropped += static_cast<std::uint32_t>(n.notes.dropped);
  for (const std::string& line : n.notes.lines) {
    if (a.used >= kLinesPerSecond || lines_of_world >= kLinesPerTick) {
      ++a.dropped;
      continue;
    }
    ++a.used;
    ++lines_of_world;
    add_log(d, n, n.behaviour + ": " + line);
  }
  if (is_last_decision(d, n)) tell_dropped(d, n, a);
}

// the column of a name, made at its first use; none: the flock has too many
std::size_t column_of(Data& d, const Noted& n, const std::string& name) {
  PlotColumns& p = d.societies[n.flock].notes.plots;
  const auto at = static_cast<std::size_t>(std::find(p.names.begin(), p.names.end(), name) - p.names.begin());
  if (at < p.names.size()) return at;
  if (at == PlotColumns::kMost) {
    if (std::exchange(p.is_full, 1) == 0) add_log(d, n, n.behaviour + ": plot: '" + name + "' is not kept: a flock has at most 16 names");
    return PlotColumns::kMost;
  }
  p.names.push_back(name);
  p.values.emplace_back(d.flocks[n.flock].capacity, kNothing);
  return at;
}

void take_values(Data& d, const Noted& n) {
  for (const swarm::Notes::Value& v : n.notes.values) {
    const std::size_t at = column_of(d, n, v.name);
    if (at == PlotColumns::kMost) continue;
    d.societies[n.flock].notes.plots.values[at][n.slot] = v.value;
    d.plotted.push_back({n.id, v.name, v.value});
  }
}

// Whoever decided in this tick without a word may still owe people the number of lines that were dropped.
void note_owed(Data& d) {
  const auto has_failed = [&](VehicleId id) { return std::any_of(d.told.faults.begin(), d.told.faults.end(), [&](const Fault& f) { return f.id == id; }); };
  for (const Flock& f : d.flocks) {
    const Society& s = d.societies[f.index];
    for (std::size_t slot = 0; slot < s.notes.allowances.size(); ++slot) {
      if (s.notes.allowances[slot].dropped == 0 || d.frame.place_of[f.index][slot] == Frame::kNobody) continue;
      const std::uint64_t now = tick_of_world(d, f.worlds[slot]);
      const bool has_turn = s.decide_every > 0 && (now + f.draws[slot]) % s.decide_every == 0 && now >= s.nodes[slot].in_hand_until;
      if (has_turn && (s.nodes[slot].stopped == 0 || has_failed(f.ids[slot]))) d.told.noted.push_back({f.ids[slot], f.index, slot, "", {}});
    }
  }
}

}  // namespace

bool PlotColumns::fits(std::size_t slots) const {
  return names.size() <= kMost && values.size() == names.size() &&
         std::all_of(values.begin(), values.end(), [&](const std::vector<double>& v) { return v.size() >= slots && v.size() % kBlock == 0; });
}

void FlockNotes::settle(std::size_t slot, std::size_t slots, std::size_t capacity) {
  if (!is_on) return;
  allowances.resize(slots);
  allowances[slot] = {};
  for (std::vector<double>& column : plots.values) {
    if (column.size() < capacity) column.resize(capacity, kNothing);
    column[slot] = kNothing;
  }
}

const PlotColumns& plots_of(const Data& d, const Flock& f) { return d.societies[static_cast<std::size_t>(&f - d.flocks.data())].notes.plots; }

// a column of its own: slot after slot
std::optional<View> view_of_plot(const Data& d, const Flock& f, const std::string& name) {
  const PlotColumns& p = plots_of(d, f);
  const auto at = static_cast<std::size_t>(std::find(p.names.begin(), p.names.end(), name) - p.names.begin());
  if (at == p.names.size()) return std::nullopt;
  View v;
  v.pointer = p.values[at].data();
  v.dtype = Dtype::Float64;
  v.shape[0] = f.blocks();
  v.shape[2] = 1;
  v.strides[0] = kBlock * static_cast<std::ptrdiff_t>(sizeof(double));
  v.strides[1] = v.strides[2] = sizeof(double);
  v.n = f.slots;
  v.generation = f.generation;
  return v;
}

void tell(Data& d) {
  tell_latches(d);
  auto& [noted, faults] = d.told;
  note_owed(d);
  // in the order of ids, whatever the threads; of one vehicle in the order of its behaviours
  std::stable_sort(noted.begin(), noted.end(), [](const Noted& a, const Noted& b) { return a.id.number() < b.id.number(); });
  std::stable_sort(faults.begin(), faults.end(), [](const Fault& a, const Fault& b) { return a.id < b.id; });
  std::uint32_t world = kEveryWorld;
  std::size_t lines_of_world = 0;
  for (const Noted& n : noted) {
    if (const std::uint32_t of = world_of(d, n.id.number()); of != world) world = of, lines_of_world = 0;
    take_lines(d, n, lines_of_world);
    take_values(d, n);
  }
  for (Fault& f : faults) {
    const Location* l = locate(d, f.id);
    if (f.what.starts_with("crashed:")) note_crash(d.interaction.crashed, f.id);  // whoever simulates it has stopped it
    add_event(d, f.id, l == nullptr ? "" : d.flocks[l->flock].names[l->slot], std::move(f.what));
  }
  noted.clear();
  faults.clear();
}

}  // namespace volary::engine

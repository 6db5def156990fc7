// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/faults.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "engine/conditions.hpp"
#include "engine/data.hpp"
#include "engine/payloads.hpp"
#include "math/functions.hpp"
#include "math/hash.hpp"

namespace volary::engine {

namespace {

double tick_of(const Data& d) { return static_cast<double>(d.def.tick_ns) * 1e-9; }
std::uint64_t ticks_of(const Data& d, double seconds) { return static_cast<std::uint64_t>(math::round(seconds / tick_of(d))); }
FaultKind kind_of(const ActiveFault& a) { return static_cast<FaultKind>(a.kind); }

// ---------------------------------------------------------------- draws

// of a component of a vehicle in a tick: four words
math::Words4<std::uint32_t> draw(const Data& d, const ActiveFault& a, math::Purpose purpose, std::uint64_t tick) {
  const Flock& f = d.flocks[a.flock];
  const std::uint32_t n = (a.component >> 8) * 8 + (a.component & 7);  // below 256: its own among the draws of the tick
  return draw_for(key_of_world(d, f.worlds[a.slot]), f.draws[a.slot], purpose, tick, n);
}
double normal_of(std::uint32_t a, std::uint32_t b) { return math::sqrt(-2.0 * math::log(uniform_of(a))) * math::cos(6.283185307179586 * uniform_of(b)); }
std::uint64_t window_of(const Data& d, const ActiveFault& a, double mean) {
  const double u = uniform_of(draw(d, a, math::Purpose::FaultTimes, a.window).w[0]);
  return std::max<std::uint64_t>(1, ticks_of(d, std::min(-mean * math::log(u), 1e6)));
}

// ---------------------------------------------------------------- words

std::string seconds_text(double s) { return fmt::format("{:g} s", s); }
std::string amount_text(const SetFault& p) {
  switch (p.kind) {
    case FaultKind::Bias:
    case FaultKind::Noise: return fmt::format(" ({:g}, {:g}, {:g})", p.amount[0], p.amount[1], p.amount[2]);
    case FaultKind::Drift: return fmt::format(" ({:g}, {:g}, {:g}) per second", p.amount[0], p.amount[1], p.amount[2]);
    case FaultKind::Scale: return fmt::format(" {:g}", p.amount[0]);
    case FaultKind::Delay: return " " + seconds_text(p.amount[0]);
    case FaultKind::DropOut: return fmt::format(" {:g}", p.probability);
    default: return "";
  }
}
std::string text_of(const SetFault& p, Component c) {
  std::string text = fmt::format("fault: {} {}{}", name_of(c), names(p.kind)[static_cast<std::size_t>(p.kind)], amount_text(p));
  std::replace(text.begin(), text.end(), '_', ' ');
  if (p.mean_on > 0 && p.mean_off > 0) text += fmt::format(", on for {:g} s and off for {:g} s on average", p.mean_on, p.mean_off);
  return p.duration > 0 ? text + " for " + seconds_text(p.duration) : text;
}

ActiveFault* find(Faults& all, std::uint64_t id, std::uint32_t component) {
  ActiveFault wanted;
  wanted.id = id;
  wanted.component = component;
  const auto at = std::lower_bound(all.list.begin(), all.list.end(), wanted);
  return at != all.list.end() && at->id == id && at->component == component ? &*at : nullptr;
}

// ---------------------------------------------------------------- terms of a tick

bool is_sensed(Component c) { return c.is_sensor() || c.part == Unit::Estimator; }

// the first sensor of the list that a component stands for, -1: it is none of the list
int number_of(Unit part) {
  if (part < Unit::Gnss || part > Unit::Odometry) return -1;
  const int at = static_cast<int>(part) - static_cast<int>(Unit::Gnss);
  return part > Unit::Uwb ? at + 1 : at;
}
// by how many readings a delay makes a sensor late, as far as it keeps them
double readings_late(const Data& d, const Flock& f, Unit part, double seconds) {
  const int first = number_of(part);
  const SensePlace* place = &f.senses->layout.sensors[first];
  if (part == Unit::Uwb && place->ring < 0) ++place;
  const double readings = math::round(seconds / (static_cast<double>(place->period) * tick_of(d)));
  return std::clamp(readings, 1.0, static_cast<double>(std::max(place->room, 1)));
}

// of an actuator: what it makes of its command
ActuatorTerms actuator_terms(const Data& d, const ActiveFault& a, std::uint64_t now) {
  const double seconds = static_cast<double>(now - a.since) * tick_of(d);
  const auto words = [&](math::Purpose p) { return draw(d, a, p, now); };
  switch (kind_of(a)) {
    case FaultKind::Off:
    case FaultKind::Intermittent: return {0, 0, 0};
    case FaultKind::Stuck: return {0, a.held, 0};
    case FaultKind::Bias: return {1, a.amount[0], 0};
    case FaultKind::Drift: return {1, a.amount[0] * seconds, 0};
    case FaultKind::Scale: return {a.amount[0], 0, 0};
    case FaultKind::Noise: {
      const auto w = words(math::Purpose::FaultNoise);
      return {1, a.amount[0] * normal_of(w.w[0], w.w[1]), 0};
    }
    case FaultKind::Delay: return {1, 0, math::round(a.amount[0] / tick_of(d))};
    case FaultKind::DropOut: return uniform_of(words(math::Purpose::FaultDrop).w[0]) < a.probability ? ActuatorTerms{0, 0, 0} : ActuatorTerms{};
    case FaultKind::None: break;
  }
  return {};
}

// of a sensor or an estimator: what it makes of what it measures
SensorTerms sensor_terms(const Data& d, const ActiveFault& a, std::uint64_t now) {
  const Unit part = component_of_code(a.component).part;
  const double seconds = static_cast<double>(now - a.since) * tick_of(d);
  SensorTerms t;
  switch (kind_of(a)) {
    case FaultKind::Off:
    case FaultKind::Intermittent: t.drop = 1, t.hold = part == Unit::Estimator ? 1 : 0; break;
    case FaultKind::Stuck: t.hold = 1; break;
    case FaultKind::Bias: t.offset = a.amount; break;
    case FaultKind::Drift: t.offset = {a.amount[0] * seconds, a.amount[1] * seconds, a.amount[2] * seconds}; break;
    case FaultKind::Scale: t.scale = a.amount[0]; break;
    case FaultKind::Noise: t.sigma = a.amount[0]; break;
    case FaultKind::Delay: t.delay = readings_late(d, d.flocks[a.flock], part, a.amount[0]); break;
    case FaultKind::DropOut: t.drop = a.probability; break;
    case FaultKind::None: break;
  }
  return t;
}

LinkFault link_terms(const Data& d, const ActiveFault& a, std::uint64_t now) {
  LinkFault l;
  l.number = VehicleId{a.id}.number();
  switch (kind_of(a)) {
    case FaultKind::Off:
    case FaultKind::Stuck:
    case FaultKind::Intermittent: l.is_off = true; break;
    case FaultKind::Bias: l.power = a.amount[0]; break;
    case FaultKind::Drift: l.power = a.amount[0] * static_cast<double>(now - a.since) * tick_of(d); break;
    case FaultKind::Scale: l.power = a.amount[0] > 0 ? 10 * math::log(a.amount[0]) / math::log(10.0) : -300; break;
    case FaultKind::Noise: {
      const auto w = draw(d, a, math::Purpose::FaultNoise, now);
      l.power = a.amount[0] * normal_of(w.w[0], w.w[1]);
      break;
    }
    case FaultKind::Delay: l.delay = ticks_of(d, a.amount[0]); break;
    case FaultKind::DropOut: l.lost = a.probability; break;
    case FaultKind::None: break;
  }
  return l;
}

void begin_window(Data& d, ActiveFault& a, std::uint64_t now) {
  a.switches = now + window_of(d, a, a.is_on != 0 ? a.mean_on : a.mean_off);
  ++a.window;
}

// whether it acts in this tick; a window that is over gives way to the next
bool acts_now(Data& d, ActiveFault& a, std::uint64_t now) {
  while (a.switches <= now) {
    a.is_on ^= 1u;
    begin_window(d, a, a.switches);
  }
  return a.is_on != 0;
}

void write_fault(Data& d, ActiveFault& a, std::uint64_t now) {
  const Component c = component_of_code(a.component);
  const bool acts = acts_now(d, a, now);
  Flock& f = d.flocks[a.flock];
  if (c.is_actuator()) {
    make_fault_rows(f);
    write_terms(f, a.slot, actuator_of(f, c), acts ? actuator_terms(d, a, now) : ActuatorTerms{});
  } else if (is_sensed(c)) {
    make_sense_fault_rows(f);
    write_terms(f, a.slot, sense_fault_of(c), acts ? sensor_terms(d, a, now) : SensorTerms{});
  } else if (c.part == Unit::Link && acts) {
    d.faults.links.push_back(link_terms(d, a, now));
  }
}

// what is left of a fault that is over, or whose vehicle is gone
void clear_terms(Data& d, const ActiveFault& a) {
  const Component c = component_of_code(a.component);
  Flock& f = d.flocks[a.flock];
  if (c.is_actuator() && f.fault_rows.size() > 0) write_terms(f, a.slot, actuator_of(f, c), ActuatorTerms{});
  if (is_sensed(c) && f.sense_faults.size() > 0) write_terms(f, a.slot, sense_fault_of(c), SensorTerms{});
}

void end_faults(Data& d) {
  std::erase_if(d.faults.list, [&](const ActiveFault& a) {
    const Location* l = locate(d, VehicleId{a.id});
    const bool is_gone = l == nullptr, is_over = !is_gone && tick_of_world(d, d.flocks[a.flock].worlds[a.slot]) >= a.until;
    if (!is_gone && !is_over) return false;
    clear_terms(d, a);
    if (is_over) add_event(d, VehicleId{a.id}, d.flocks[a.flock].names[a.slot], "fault ended: " + name_of(component_of_code(a.component)));
    return true;
  });
}

// ---------------------------------------------------------------- random schedules

bool is_chosen(const RandomFaultsDef& def, const std::string& flock) {
  return def.flocks.empty() || std::find(def.flocks.begin(), def.flocks.end(), flock) != def.flocks.end();
}

std::vector<std::string> components_of(const Flock& f, const RandomFaultsDef& def) {
  std::vector<std::string> own;
  for (const std::string& name : def.components)
    if (const auto c = parse_component(name); c && has_component(f, c.value())) own.push_back(name);
  return own;
}

std::vector<WaitingFault> draw_world(const Data& d, std::uint32_t world) {
  const RandomFaultsDef& def = d.def.faults.random;
  std::vector<WaitingFault> all;
  for (const Flock& f : d.flocks) {
    if (!is_chosen(def, f.def.name)) continue;
    const std::vector<std::string> components = components_of(f, def);
    for (std::uint64_t place = 1; place <= d.def.flocks[f.index].vehicles.size(); ++place)
      for (DrawnFault& x : draw_schedule(def, components, d.def.duration, key_of_world(d, world), f.key + place))
        all.push_back({ticks_of(d, x.time), static_cast<std::uint32_t>(f.index), place, x.severity, std::move(x.fault)});
  }
  std::stable_sort(all.begin(), all.end(), [](const WaitingFault& a, const WaitingFault& b) { return a.tick < b.tick; });
  return all;
}

void begin_random(Data& d) {
  if (d.def.faults.random.per_vehicle <= 0) return;
  const std::size_t n = d.worlds.start.size();
  d.faults.schedules.resize(n);
  d.faults.drawn_for.resize(n, 0);
  for (std::uint32_t world = 0; world < n; ++world) {
    const std::uint64_t episode = std::uint64_t{1} + d.worlds.episode[world];
    if (d.faults.drawn_for[world] != episode) d.faults.drawn_for[world] = episode, d.faults.schedules[world] = draw_world(d, world);
    const std::vector<WaitingFault>& all = d.faults.schedules[world];
    const std::uint64_t now = tick_of_world(d, world);
    auto next = std::lower_bound(all.begin(), all.end(), now, [](const WaitingFault& w, std::uint64_t tick) { return w.tick < tick; });
    for (; next != all.end() && next->tick == now; ++next) {
      Flock& f = d.flocks[next->flock];
      for (std::size_t slot = 0; slot < f.slots; ++slot)
        if (f.ids[slot] && f.worlds[slot] == world && f.place_of(slot) == next->place && locate(d, f.ids[slot]) != nullptr)
          apply_fault(d, f, slot, next->fault);
    }
  }
}

}  // namespace

// ---------------------------------------------------------------- components

bool has_component(const Flock& f, Component c) {
  if (f.def.mirror) return false;
  if (c.is_actuator()) return actuator_of(f, c) >= 0;
  if (c.part == Unit::Link) return true;
  if (f.senses == nullptr) return false;
  if (c.part == Unit::Estimator) return f.senses->layout.states > 0;
  if (c.part == Unit::Gyro || c.part == Unit::Accelerometer) return f.def.sensors.imu.has_value();
  const int number = number_of(c.part);
  const SensePlace* const place = f.senses->layout.sensors;
  return place[number].ring >= 0 || (c.part == Unit::Uwb && place[number + 1].ring >= 0);
}

std::vector<ComponentDoc> components_of(const Flock& f) {
  std::vector<ComponentDoc> list;
  for (const Component c : every_component())
    if (has_component(f, c)) list.push_back({name_of(c), unit_of(c), kinds_of(c)});
  return list;
}

std::vector<SetFault> faults_of(const Data& d, VehicleId id) {
  std::vector<SetFault> list;
  const Location* l = locate(d, id);
  if (l == nullptr) return list;
  const std::uint64_t value = d.flocks[l->flock].ids[l->slot].value;
  for (const ActiveFault& a : d.faults.list) {
    if (a.id != value) continue;
    const double lasts = a.until == ActiveFault::kForGood ? 0 : static_cast<double>(a.until - a.since) * tick_of(d);
    list.push_back({name_of(component_of_code(a.component)), kind_of(a), a.amount, a.probability, a.mean_on, a.mean_off, lasts});
  }
  return list;
}

// ---------------------------------------------------------------- inputs and ticks

bool apply_fault(Data& d, Flock& f, std::size_t slot, const SetFault& p) {
  const auto c = parse_component(p.component);
  if (!c || !has_component(f, c.value())) return false;
  const std::uint64_t now = tick_of_world(d, f.worlds[slot]), id = f.ids[slot].value;
  ActiveFault* old = find(d.faults, id, c.value().code());
  if (p.kind == FaultKind::None) {
    if (old != nullptr) old->until = now;
    return true;
  }
  apply_patches(d, f);
  ActiveFault a;
  a.id = id, a.since = now, a.component = c.value().code(), a.kind = static_cast<std::uint32_t>(p.kind);
  a.until = p.duration > 0 ? now + std::max<std::uint64_t>(1, ticks_of(d, p.duration)) : ActiveFault::kForGood;
  a.flock = static_cast<std::uint32_t>(f.index), a.slot = static_cast<std::uint32_t>(slot);
  a.amount = p.amount, a.probability = p.probability, a.mean_on = p.mean_on, a.mean_off = p.mean_off;
  if (c.value().is_actuator()) make_fault_rows(f), a.held = held_by(f, slot, c.value());
  if (p.mean_on > 0 && p.mean_off > 0) begin_window(d, a, now);
  if (old != nullptr)
    *old = a;
  else
    d.faults.list.insert(std::lower_bound(d.faults.list.begin(), d.faults.list.end(), a), a);
  d.worlds.changed[f.worlds[slot]] = 1;
  add_event(d, f.ids[slot], f.names[slot], text_of(p, c.value()));
  return true;
}

void follow_faults(Data& d) {
  begin_random(d);
  d.faults.links.clear();
  for (Flock& f : d.flocks) {
    if (f.fault_rows.size() > 0 || watches_rotors(f)) make_fault_rows(f);
    if (f.sense_faults.size() > 0) make_sense_fault_rows(f);
  }
  if (d.faults.list.empty()) return;
  end_faults(d);
  for (ActiveFault& a : d.faults.list) write_fault(d, a, tick_of_world(d, d.flocks[a.flock].worlds[a.slot]));
  std::sort(d.faults.links.begin(), d.faults.links.end(), [](const LinkFault& a, const LinkFault& b) { return a.number < b.number; });
}

void forget_faults(Data& d, std::span<const std::uint8_t> worlds) {
  std::erase_if(d.faults.list, [&](const ActiveFault& a) {
    const bool begins = worlds[world_of(d, VehicleId{a.id}.number())] != 0;
    if (begins) clear_terms(d, a);
    return begins;
  });
}

std::uint64_t hash_faults(const Data& d) {
  std::uint64_t sum = 0;
  for (const ActiveFault& a : d.faults.list)
    sum += math::mix64(math::mix64(a.id ^ math::mix64(a.component << 8 | a.kind)) ^ math::mix64(a.since ^ math::mix64(a.until ^ math::mix64(a.switches))));
  return sum;
}

std::vector<DrawnFault> random_faults(const Data& d, std::uint32_t world) {
  std::vector<DrawnFault> list;
  if (d.def.faults.random.per_vehicle <= 0 || world >= d.worlds.start.size()) return list;
  for (WaitingFault& w : draw_world(d, world))
    list.push_back({static_cast<double>(w.tick) * tick_of(d), d.flocks[w.flock].def.name, w.place, w.severity, std::move(w.fault)});
  return list;
}

bool faults_fit(const Data& d, const Faults& faults, const std::vector<std::size_t>& slots) {
  const auto fits = [&](const ActiveFault& a) {
    return a.flock < slots.size() && a.slot < slots[a.flock] && a.kind > 0 && a.kind <= static_cast<std::uint32_t>(FaultKind::Intermittent) &&
           (a.component >> 8) <= static_cast<std::uint32_t>(Unit::Estimator) && has_component(d.flocks[a.flock], component_of_code(a.component)) &&
           (a.switches == ActiveFault::kForGood || (a.mean_on > 0 && a.mean_off > 0));
  };
  return std::is_sorted(faults.list.begin(), faults.list.end()) && std::all_of(faults.list.begin(), faults.list.end(), fits);
}

const LinkFault* Faults::link_of(std::uint64_t number) const {
  const auto at = std::lower_bound(links.begin(), links.end(), number, [](const LinkFault& l, std::uint64_t n) { return l.number < n; });
  return at != links.end() && at->number == number ? &*at : nullptr;
}

}  // namespace volary::engine

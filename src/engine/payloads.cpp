// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/payloads.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "core/suggest.hpp"
#include "engine/data.hpp"

namespace volary::engine {

namespace {

constexpr std::size_t kMaxText = 65'535;

// ---------------------------------------------------------------- bytes

// Numbers of many vehicles, column by column: the first bytes of all numbers, then the second ones, and so on, so that what they have in common is
// found by the compressor. Numbers that are floats all of them are kept as floats.
void put_numbers(core::ByteWriter& out, const std::vector<double>& values) {
  const bool narrow = std::all_of(values.begin(), values.end(), [](double x) { return static_cast<double>(static_cast<float>(x)) == x; });
  const std::size_t n = values.size(), width = narrow ? 4 : 8;
  out.put<std::uint64_t>(n);
  out.put(static_cast<std::uint8_t>(width));
  std::vector<std::byte> planes(n * width);
  for (std::size_t k = 0; k < n; ++k) {
    const std::uint64_t bits = narrow ? std::bit_cast<std::uint32_t>(static_cast<float>(values[k])) : std::bit_cast<std::uint64_t>(values[k]);
    for (std::size_t b = 0; b < width; ++b) planes[b * n + k] = static_cast<std::byte>(bits >> (8 * b));
  }
  out.put_bytes(planes);
}
void get_numbers(core::ByteReader& in, std::vector<double>& values) {
  const std::size_t n = in.get_count(4);
  const std::size_t width = in.get<std::uint8_t>();
  if (width != 4 && width != 8) return in.fail();
  if (n > in.left() / width) return in.fail();
  const auto planes = in.get_bytes(n * width);
  if (!in.good()) return;
  values.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    std::uint64_t bits = 0;
    for (std::size_t b = 0; b < width; ++b) bits |= static_cast<std::uint64_t>(planes[b * n + k]) << (8 * b);
    values[k] = width == 4 ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))) : std::bit_cast<double>(bits);
  }
}

// ids that follow each other are one stretch: first and how many
void put_ids(core::ByteWriter& out, const std::vector<VehicleId>& ids) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> stretches;
  for (const VehicleId id : ids) {
    if (!stretches.empty() && stretches.back().first + stretches.back().second == id.value)
      ++stretches.back().second;
    else
      stretches.emplace_back(id.value, 1);
  }
  out.put<std::uint64_t>(stretches.size());
  for (const auto& [first, n] : stretches) out.put(first), out.put(n);
}
void get_ids(core::ByteReader& in, std::vector<VehicleId>& ids) {
  constexpr std::size_t kMostIds = std::size_t{1} << 26;  // a few bytes must not ask for all memory
  const std::size_t stretches = in.get_count(16);
  for (std::size_t k = 0; k < stretches && in.good(); ++k) {
    const auto first = in.get<std::uint64_t>(), n = in.get<std::uint64_t>();
    if (n > kMostIds - std::min(kMostIds, ids.size())) return in.fail();
    for (std::uint64_t i = 0; i < n; ++i) ids.push_back({first + i});
  }
}

struct Writer {
  core::ByteWriter& out;
  template <class T> void field(const char*, T& x, const core::Info&) {
    if constexpr (std::is_enum_v<T>)
      out.put(static_cast<std::uint8_t>(x));
    else if constexpr (requires { describe(x, *this); })
      describe(x, *this);
    else
      put(x);
  }

  void put(double x) { out.put(x); }
  void put(bool x) { out.put(static_cast<std::uint8_t>(x)); }
  void put(int x) { out.put(static_cast<std::int32_t>(x)); }
  void put(std::uint32_t x) { out.put(x); }
  void put(std::uint64_t x) { out.put(x); }
  void put(const std::string& x) { out.put_text(x, kMaxText); }
  void put(const std::vector<double>& x) { put_numbers(out, x); }
  void put(const std::vector<VehicleId>& x) { put_ids(out, x); }
  template <std::size_t N> void put(const std::array<double, N>& list) {
    for (const double x : list) out.put(x);
  }
};

struct Reader {
  core::ByteReader& in;
  bool has_places = true;
  template <class T> void field(const char* name, T& x, const core::Info&) {
    if (!has_places && std::string_view(name) == "place") return;
    if constexpr (std::is_enum_v<T>) {
      const auto b = in.get<std::uint8_t>();
      if (b >= names(T{}).size()) return in.fail();
      x = static_cast<T>(b);
    } else if constexpr (requires { describe(x, *this); }) {
      describe(x, *this);
    } else {
      get(x);
    }
  }

  void get(double& x) { x = in.get<double>(); }
  void get(bool& x) {
    const auto b = in.get<std::uint8_t>();
    if (b > 1) in.fail();
    x = b == 1;
  }
  void get(int& x) { x = in.get<std::int32_t>(); }
  void get(std::uint32_t& x) { x = in.get<std::uint32_t>(); }
  void get(std::uint64_t& x) { x = in.get<std::uint64_t>(); }
  void get(std::string& x) { x = in.get_text(kMaxText); }
  void get(std::vector<double>& x) { get_numbers(in, x); }
  void get(std::vector<VehicleId>& x) { get_ids(in, x); }
  template <std::size_t N> void get(std::array<double, N>& list) {
    for (double& x : list) x = in.get<double>();
  }
};

// ---------------------------------------------------------------- checks

// finds the first field that is not finite or out of its bounds
class Checker {
 public:
  explicit Checker(std::string before = "") : before_(std::move(before)) {}
  template <class T> void field(const char* name, T& x, const core::Info& info) {
    if (fault) return;
    if constexpr (std::is_enum_v<T>) {
      if (static_cast<std::size_t>(x) >= names(T{}).size()) fault = core::Error{.message = "is not one of the known words", .field = before_ + name};
    } else if constexpr (requires { describe(x, *this); }) {
      Checker inner(before_ + name + ".");
      describe(x, inner);
      fault = std::move(inner.fault);
    } else {
      check(before_ + name, x, info);
    }
  }
  std::optional<core::Error> fault;

 private:
  void number(const std::string& name, double x, const core::Info& info) {
    if (x >= info.min && x <= info.max && x - x == 0) return;
    const std::string range = info.min == -info.max ? fmt::format("within {:g}", info.max) : fmt::format("between {:g} and {:g}", info.min, info.max);
    fault = core::Error{.message = x - x == 0 ? fmt::format("must be {} {}, and is {:g}", range, info.unit, x) : "must be a finite number", .field = name};
  }
  void check(const std::string& name, double x, const core::Info& info) { number(name, x, info); }
  void check(const std::string& name, int x, const core::Info& info) { number(name, x, info); }
  void check(const std::string& name, std::uint64_t x, const core::Info& info) {
    if (static_cast<double>(x) > info.max) fault = core::Error{.message = fmt::format("must be at most {:.0f}, and is {}", info.max, x), .field = name};
  }
  void check(const std::string&, std::uint32_t, const core::Info&) {}
  void check(const std::string&, bool, const core::Info&) {}
  void check(const std::string& name, const std::string& x, const core::Info&) {
    if (x.size() > kMaxText) fault = core::Error{.message = fmt::format("must have at most {} bytes, and has {}", kMaxText, x.size()), .field = name};
  }
  void check(const std::string& name, const std::vector<VehicleId>& ids, const core::Info&) {
    if (std::find(ids.begin(), ids.end(), VehicleId{}) != ids.end()) fault = core::Error{.message = "must not name vehicle 0", .field = name};
  }
  void check(const std::string&, const std::vector<double>&, const core::Info&) {}  // of many vehicles: check_columns()
  template <std::size_t N> void check(const std::string& name, const std::array<double, N>& list, const core::Info& info) {
    for (std::size_t k = 0; k < N && !fault; ++k) number(fmt::format("{}[{}]", name, k), list[k], info);
  }
  std::string before_;
};

core::Error wrong(const char* field, std::string message, std::string suggestion = "") {
  return core::Error{.message = std::move(message), .field = field, .suggestion = std::move(suggestion)};
}

// a rotation has length one; what a little rounding took from it does no harm
bool is_rotation(double w, double x, double y, double z) {
  const double n = w * w + x * x + y * y + z * z;
  return n > 0.98 && n < 1.02;
}
core::Status check_rotation(const std::array<double, 4>& q) {
  if (is_rotation(q[0], q[1], q[2], q[3])) return core::ok();
  return wrong("attitude", fmt::format("must be a quaternion of length 1, and is ({:g}, {:g}, {:g}, {:g})", q[0], q[1], q[2], q[3]));
}

core::Result<std::size_t> flock_of(const Data& d, const std::string& name) {
  std::vector<std::string> known;
  for (std::size_t k = 0; k < d.flocks.size(); ++k) {
    if (d.flocks[k].def.name == name) return k;
    known.push_back(d.flocks[k].def.name);
  }
  return wrong("flock", "there is no flock '" + name + "'", core::did_you_mean(name, known));
}

core::Status check_parameter(const Flock& f, const std::string& name, int component, const char* field) {
  const ColumnInfo* c = f.find_param(name);
  if (c == nullptr) {
    std::vector<std::string> known;
    for (const ColumnInfo& p : f.program->params) known.push_back(p.name);
    return wrong(field, "the vehicles of flock '" + f.def.name + "' have no parameter '" + name + "'", core::did_you_mean(name, known));
  }
  if (is_of_bodies(f, name)) return wrong(field, "'" + name + "' is one of the bodies of '" + f.def.name + "', which MuJoCo moves with the figures of their airframe");
  if (component < 0 || component >= c->rows) return wrong("component", fmt::format("must be below {}, and is {}", c->rows, component));
  return core::ok();
}

// an own sensor of a flock, and as many numbers as a reading of it has
core::Status check_reading(const Flock& f, const SetMany& p) {
  std::vector<std::string> known;
  for (const OwnSensorDef& own : f.def.sensors.own) {
    known.push_back(own.name);
    if (own.name != p.parameter) continue;
    if (own.plugin) return wrong("parameter", "a plugin measures for '" + own.name + "'", "leave the plugin out of the scenario");
    const std::size_t size = static_cast<std::size_t>(own.size), n = p.ids.size(), given = p.values.size();
    if (given > 0 && given % size == 0 && (n == 0 || given == n * size)) return core::ok();
    const std::string vehicles = n == 0 ? "all" : std::to_string(n);
    return wrong("values", fmt::format("must be {} for each of {} vehicles, as '{}' has them, and are {}", size, vehicles, own.name, given));
  }
  const std::string name = p.parameter.empty() ? "lidar" : p.parameter;
  return wrong("parameter", "the vehicles of flock '" + f.def.name + "' have no own sensor '" + p.parameter + "'",
               known.empty() ? "write sensors: {own: [{name: " + name + ", size: 1}]} in the scenario" : core::did_you_mean(p.parameter, known));
}
core::Status check_estimate(const Flock& f) {
  if (f.def.estimator.kind == EstimatorKind::Outside) return core::ok();
  return wrong("what", "the vehicles of flock '" + f.def.name + "' take no estimate from outside", "write estimator: {kind: outside} in the scenario");
}

template <class P> core::Status fits(const Data&, const P&) { return core::ok(); }

// vehicles elsewhere are told about in inputs, those of a strict federation in frames
core::Status check_reports(const Data& d, const char* field) {
  if (d.def.worlds != 1) return wrong(field, "a batch of several worlds has no vehicles that are simulated elsewhere");
  if (d.shared.is_on() && !d.shared.is_live) return wrong(field, "a strict federation has no other vehicles that are simulated elsewhere");
  return core::ok();
}
core::Status fits(const Data& d, const Assign& p) {
  if (const auto flock = flock_of(d, p.flock); !flock) return flock.error();
  if (p.first_place == 0) return wrong("first_place", "must be at least 1, and is 0");
  return check_reports(d, "flock");
}
core::Status fits(const Data&, const Say& p) {
  if (p.values.size() > swarm::Message::kMost) return wrong("values", fmt::format("must be at most {}, and are {}", swarm::Message::kMost, p.values.size()));
  for (std::size_t k = 0; k < p.values.size(); ++k)
    if (!(p.values[k] >= -limits::kAny && p.values[k] <= limits::kAny)) return wrong("values", fmt::format("number {} must be finite and within {:g}", k, limits::kAny));
  return core::ok();
}
core::Status fits(const Data& d, const SetFault& p) {
  if (const core::Status sound = check_fault(p, static_cast<double>(d.def.tick_ns) * 1e-9); !sound) return sound;
  const double room = longest_delay(d.def.faults);
  if (p.kind != FaultKind::Delay || !parse_component(p.component).value().is_sensor() || p.amount[0] <= room) return core::ok();
  core::Error e{.message = fmt::format("the sensors of this world keep their readings for {:g} s, and a delay of {:g} s needs more", room, p.amount[0]), .field = "amount"};
  e.suggestion = fmt::format("faults: {{sensor_delay: {:g}}} in the scenario", p.amount[0]);
  return e;
}
core::Status fits(const Data&, const SetSetpoint& p) { return p.level == ControlLevel::Attitude ? check_rotation(p.attitude) : core::ok(); }
core::Status fits(const Data&, const SetState& p) { return check_rotation(p.attitude); }

core::Status fits(const Data& d, const Spawn& p) {
  // inputs are written without these two
  const Turning& turn = p.vehicle.turning;
  if (turn.path >= 0 || turn.amplitude != Vec{} || turn.offset != Vec{})
    return wrong("vehicle.turning", "a platform that is added while the world runs keeps level on its mission", "leave it at its defaults");
  if (!p.vehicle.without.empty()) return wrong("vehicle.without", "a vehicle that is added while the world runs carries all sensors of its flock", "leave it empty");
  const auto flock = flock_of(d, p.flock);
  if (!flock) return flock.error();
  if (const Flock& f = d.flocks[flock.value()]; f.joined != nullptr && f.joined->shares())
    return wrong("flock", fmt::format("vehicles of '{}' {}: none can be added while the world runs", p.flock,
                                      f.joined->docks() ? "dock with those of another flock, one with one" : "carry loads with those of other flocks"));
  if (p.vehicle.world >= static_cast<std::uint32_t>(d.def.worlds))
    return wrong("vehicle.world", fmt::format("must be below {}, the number of worlds, and is {}", d.def.worlds, p.vehicle.world));
  if (p.vehicle.path >= static_cast<int>(d.def.paths.size()))
    return wrong("vehicle.path", fmt::format("must be below {}, the number of paths, and is {}", d.def.paths.size(), p.vehicle.path));
  return core::ok();
}

// Whether all are within a limit; one that is no number is not. Four side by side: there may be a million.
bool all_within(std::span<const double> list, double limit) {
  using Double4 = double __attribute__((vector_size(32)));
  using Long4 = std::int64_t __attribute__((vector_size(32)));
  Long4 good = {-1, -1, -1, -1};
  std::size_t k = 0;
  for (; k + 4 <= list.size(); k += 4) {
    Double4 x;
    std::memcpy(&x, list.data() + k, sizeof x);
    good &= (x <= limit) & (x >= -limit);
  }
  bool all = (good[0] & good[1] & good[2] & good[3]) != 0;
  for (; k < list.size(); ++k) all = all && list[k] <= limit && list[k] >= -limit;
  return all;
}

core::Status check_columns(const SetMany& p, std::size_t n) {
  std::size_t first = 0;
  for (const ManyColumns& c : columns_of(p.what)) {
    const std::size_t numbers = c.least == c.most ? c.least : p.values.size() / n;
    const std::span<const double> list = std::span(p.values).subspan(first * n, numbers * n);
    if (!all_within(list, c.limit)) {
      const auto too_large = std::find_if(list.begin(), list.end(), [&](double x) { return !(x <= c.limit && x >= -c.limit); });
      const auto k = static_cast<std::size_t>(too_large - list.begin()) % n;
      return wrong("values", fmt::format("{} of vehicle {} of the list must be within {:g}, and is {:g}", c.name, k, c.limit, *too_large));
    }
    if (std::string_view(c.name) == "attitude")
      for (std::size_t k = 0; k < n; ++k)
        if (!is_rotation(list[k], list[n + k], list[2 * n + k], list[3 * n + k]))
          return wrong("values", fmt::format("attitude of vehicle {} of the list must be a quaternion of length 1", k));
    first += numbers;
  }
  return core::ok();
}

core::Status fits(const Data& d, const SetMany& p) {
  const auto flock = flock_of(d, p.flock);
  if (!flock) return flock.error();
  const Flock& f = d.flocks[flock.value()];
  if (p.what == Many::Parameter)
    if (core::Status known = check_parameter(f, p.parameter, p.component, "parameter"); !known) return known;
  if (p.what == Many::Reading)
    if (core::Status known = check_reading(f, p); !known) return known;
  if (p.what == Many::Estimate)
    if (core::Status possible = check_estimate(f); !possible) return possible;
  if (p.what == Many::Report)
    if (core::Status possible = check_reports(d, "what"); !possible) return possible;
  const ColumnCount columns = count_columns(p.what);
  const bool fixed = columns.least == columns.most;
  // without ids it is known only when it is applied how many there are
  const std::size_t n = p.ids.empty() ? p.values.size() / columns.least : p.ids.size(), given = n == 0 ? 0 : p.values.size() / n;
  if (n == 0 || given < columns.least || given > columns.most || (p.values.size() % n != 0) || (fixed && given != columns.least)) {
    const std::string wanted = fixed ? std::to_string(columns.least) : fmt::format("{} to {}", columns.least, columns.most);
    return wrong("values", fmt::format("must be {} for each of {} vehicles, and are {}", wanted, p.ids.empty() ? "all" : std::to_string(n), p.values.size()));
  }
  return check_columns(p, n);
}

}  // namespace

std::span<const char* const> payload_names() {
  static constexpr const char* kNames[] = {"mode",      "setpoint", "wind", "wrench", "parameter", "rotor_failure", "state", "spawn", "remove",
                                           "behaviour", "field",    "bulk", "detach", "assign",    "say",           "fault", "pose",  "reaction",
                                           "release"};
  static_assert(std::size(kNames) == std::variant_size_v<Payload>);
  return kNames;
}

const std::string& name_of(const Payload& p) {
  static const std::vector<std::string> kSpoken = [] {
    std::vector<std::string> list(payload_names().begin(), payload_names().end());
    for (std::string& name : list) std::replace(name.begin(), name.end(), '_', ' ');
    return list;
  }();
  return kSpoken[p.index()];
}

bool make_payload(std::size_t index, Payload& out) {
  const auto make = [&]<std::size_t... K>(std::index_sequence<K...>) { return ((index == K && (out.emplace<K>(), true)) || ...); };
  return make(std::make_index_sequence<std::variant_size_v<Payload>>{});
}

std::span<const ManyColumns> columns_of(Many what) {
  static constexpr ManyColumns kMotors[] = {{"motor_speed", 1, 8, limits::kTurn}};
  static constexpr ManyColumns kRates[] = {{"thrust", 1, 1, limits::kForce}, {"rate", 3, 3, limits::kTurn}};
  static constexpr ManyColumns kAttitude[] = {{"thrust", 1, 1, limits::kForce}, {"attitude", 4, 4, 1.01}};
  static constexpr ManyColumns kAcceleration[] = {{"acceleration", 3, 3, limits::kAcceleration}, {"yaw", 1, 1, limits::kYaw}};
  static constexpr ManyColumns kVelocity[] = {{"velocity", 3, 3, limits::kSpeed}, {"yaw", 1, 1, limits::kYaw}};
  static constexpr ManyColumns kPosition[] = {{"position", 3, 3, limits::kDistance}, {"yaw", 1, 1, limits::kYaw}};
  static constexpr ManyColumns kTrajectory[] = {{"position", 3, 3, limits::kDistance},         {"velocity", 3, 3, limits::kSpeed},
                                                {"acceleration", 3, 3, limits::kAcceleration}, {"jerk", 3, 3, limits::kJerk},
                                                {"yaw", 1, 1, limits::kYaw},                   {"yaw_rate", 1, 1, limits::kTurn}};
  static constexpr ManyColumns kPose[] = {{"position", 3, 3, limits::kDistance}, {"attitude", 4, 4, 1.01}};
  static constexpr ManyColumns kState[] = {
      {"position", 3, 3, limits::kDistance}, {"velocity", 3, 3, limits::kSpeed}, {"attitude", 4, 4, 1.01}, {"omega", 3, 3, limits::kTurn}};
  static constexpr ManyColumns kParameter[] = {{"value", 1, 1, limits::kAny}};
  static constexpr ManyColumns kReport[] = {{"age", 1, 1, limits::kReportAge},       {"straight", 1, 1, limits::kReportAge}, {"position", 3, 3, limits::kDistance},
                                            {"velocity", 3, 3, limits::kSpeed}, {"attitude", 4, 4, 1.01},               {"mode", 1, 1, 15},
                                            {"condition", 1, 1, 2},             {"intent", 3, 3, limits::kSpeed},       {"role", 1, 1, limits::kAny}};
  static constexpr ManyColumns kReading[] = {{"value", 1, kMostOwnNumbers, limits::kAny}};
  switch (what) {
    case Many::MotorSpeeds: return kMotors;
    case Many::Rates: return kRates;
    case Many::Attitude: return kAttitude;
    case Many::Acceleration: return kAcceleration;
    case Many::Velocity: return kVelocity;
    case Many::Position: return kPosition;
    case Many::Trajectory: return kTrajectory;
    case Many::Pose: return kPose;
    case Many::State: return kState;
    case Many::Parameter: return kParameter;
    case Many::Report: return kReport;
    case Many::Estimate: return kState;
    case Many::Reading: return kReading;
  }
  return kParameter;
}

ColumnCount count_columns(Many what) {
  ColumnCount sum{0, 0};
  for (const ManyColumns& c : columns_of(what)) sum.least += c.least, sum.most += c.most;
  return sum;
}

core::Status check_fields(const Payload& payload) {
  Checker checker;
  std::visit([&](const auto& p) { describe(const_cast<std::remove_cvref_t<decltype(p)>&>(p), checker); }, payload);
  return checker.fault ? core::Status(*checker.fault) : core::ok();
}

core::Status check_input(const Data& d, const Input& in) {
  if (core::Status sound = check_fields(in.payload); !sound) return sound;
  return std::visit([&](const auto& p) { return fits(d, p); }, in.payload);
}

core::Status check_target(const Data& d, const Input& in) {
  if (!in.target) return core::ok();
  const Location* l = locate(d, in.target);
  if (l == nullptr) return core::Error{.message = "for a vehicle that does not exist"};
  const auto* p = std::get_if<SetParameter>(&in.payload);
  return p == nullptr ? core::ok() : check_parameter(d.flocks[l->flock], p->name, p->component, "name");
}

void write_input(core::ByteWriter& out, const Input& in) {
  out.put(in.tick);
  out.put(in.source);
  out.put(in.seq);
  out.put(in.target.value);
  out.put(static_cast<std::uint8_t>(in.payload.index()));
  Writer w{out};
  std::visit([&](const auto& p) { describe(const_cast<std::remove_cvref_t<decltype(p)>&>(p), w); }, in.payload);
}

bool read_input(core::ByteReader& in, Input& out, bool has_places) {
  out.tick = in.get<std::uint64_t>();
  out.source = in.get<std::uint32_t>();
  out.seq = in.get<std::uint32_t>();
  out.target = {in.get<std::uint64_t>()};
  if (!make_payload(in.get<std::uint8_t>(), out.payload)) return false;
  Reader r{in, has_places};
  std::visit([&](auto& p) { describe(p, r); }, out.payload);
  return in.good() && check_fields(out.payload);
}

}  // namespace volary::engine

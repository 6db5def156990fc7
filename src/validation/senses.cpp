// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "validation/senses.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "estimation/consistency.hpp"
#include "math/functions.hpp"
#include "validation/check.hpp"
#include "volary/scenario.hpp"
#include "volary/world.hpp"

namespace volary::validation {

namespace {

namespace fs = std::filesystem;
using math::Vec3;

constexpr std::uint64_t kFreshSeed = 7001;  // never used while the filter's figures were chosen

struct Flown {
  WorldDef def;
  std::unique_ptr<World> world;
};

core::Result<Flown> make_worlds(const std::string& scenario, const std::string& assets, const std::vector<std::string>& overrides, int runs) {
  Loaded<WorldDef> def = load_scenario(scenario, {.assets = assets}, overrides);
  if (!def) return core::Error{.message = def.error};
  Flown f{std::move(*def.value), nullptr};
  f.def.worlds = runs;
  f.def.seed = kFreshSeed;
  std::string error;
  f.world = World::create(f.def, {}, &error);
  if (f.world == nullptr) return core::Error{.message = scenario + ": " + error};
  return f;
}

// the columns of the one flock
class Columns {
 public:
  explicit Columns(const Flown& f) : w_(*f.world), flock_(f.def.flocks[0].name) {}
  double number(const char* column, std::size_t slot, std::size_t k = 0) const { return w_.view(flock_, column).at(slot, k); }
  Vec3<double> vec(const char* column, std::size_t slot, std::size_t first = 0) const {
    const View v = w_.view(flock_, column);
    return {v.at(slot, first), v.at(slot, first + 1), v.at(slot, first + 2)};
  }
  Vec3<double> place(const char* column, std::size_t slot) const { return vec(column, slot) + vec(column, slot, 3); }
  math::Quat<double> attitude(const char* column, std::size_t slot) const {
    const View v = w_.view(flock_, column);
    return {v.at(slot, 0), v.at(slot, 1), v.at(slot, 2), v.at(slot, 3)};
  }
  std::vector<double> all(const char* column, std::size_t slot) const {
    const View v = w_.view(flock_, column);
    std::vector<double> out(v.shape[2]);
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = v.at(slot, k);
    return out;
  }

 private:
  const World& w_;
  std::string flock_;
};

// estimate and truth of one vehicle: the biases are all parts that the IMU has at the moment
double nees_of(const Columns& c, std::size_t slot) {
  estimation::Nominal<double> truth{}, seen{};
  truth.q_WB = c.attitude("attitude", slot), seen.q_WB = c.attitude("estimate.attitude", slot);
  truth.velocity_W = c.vec("velocity", slot), seen.velocity_W = c.vec("estimate.velocity", slot);
  truth.position_W = {c.place("position", slot), {0, 0, 0}}, seen.position_W = {c.place("estimate.position", slot), {0, 0, 0}};
  truth.gyro_bias = c.vec("imu.turn_on_gyro", slot) + (c.vec("imu.drift_gyro", slot) + c.vec("imu.walk_gyro", slot));
  truth.accel_bias = c.vec("imu.turn_on_accel", slot) + (c.vec("imu.drift_accel", slot) + c.vec("imu.walk_accel", slot));
  seen.gyro_bias = c.vec("estimate.gyro_bias", slot), seen.accel_bias = c.vec("estimate.accel_bias", slot);
  const std::vector<double> covariance = c.all("filter.covariance", slot);
  return estimation::nees(truth, seen, covariance, kFilterStates);
}

std::string scenario_of(const CheckOptions& o, const char* name) { return (fs::path(o.assets).parent_path() / "scenarios" / name).string(); }

constexpr int kSets = 20;

std::string mean_of(const Normalised& n, std::size_t k) { return fmt::format("{:.2f}", n.mean[k]); }
std::string sets_of(const char* name, const Normalised& n) {
  return fmt::format("{}: one set of {} flights lies within {:.2f} to {:.2f} (95 %) at {} of {} instants in the median. {} of {} sets do at 9 or more.", name,
                     kConsistencyRuns, n.low, n.high, n.median_inside(), kConsistencyInstants, n.sets_with(9), n.inside.size());
}

core::Result<CheckReport> run(const CheckOptions& o) {
  CheckReport report;
  report.title = "estimates: errors beside the covariances that the filter reports, and 20 s without satellites";
  const auto sound = fly_consistency(scenario_of(o, "consistent_filter.yaml"), o.assets, {}, kSets);
  if (!sound) return sound.error();
  // a filter that assumes half the noise of its receiver has to fall outside, or the test is blind
  const auto blind = fly_consistency(scenario_of(o, "consistent_filter.yaml"), o.assets, {"flocks[0].estimator.trust.gnss=0.5"}, 1);
  if (!blind) return blind.error();
  const Consistency &s = sound.value(), &b = blind.value();
  report.header = {"s", "NEES", "NIS GNSS", "NIS barometer", "NEES, receiver trusted twice too much"};
  for (std::size_t k = 0; k < s.time.size(); ++k)
    report.table.push_back({fmt::format("{:g}", s.time[k]), mean_of(s.nees, k), mean_of(s.gnss, k), mean_of(s.height, k), mean_of(b.nees, k)});
  report.remarks.push_back(fmt::format(
      "The table has means over {} flights, in double from the rows of float worlds. A filter whose errors are as large as it says has 15, 6 and 1.",
      kSets * kConsistencyRuns));
  for (const auto& [name, n] : {std::pair{"NEES", &s.nees}, std::pair{"NIS of GNSS", &s.gnss}, std::pair{"NIS of the barometer", &s.height}})
    report.remarks.push_back(sets_of(name, *n));
  const auto figure = [&](const char* name, const Normalised& n) {
    report.figures.push_back({name, static_cast<double>(n.median_inside()), "instants", 9, Sense::AtLeast});
  };
  figure("senses/nees/inside", s.nees), figure("senses/nis/gnss/inside", s.gnss), figure("senses/nis/barometer/inside", s.height);
  report.figures.push_back({"senses/nees/inside_when_wrong", static_cast<double>(b.nees.median_inside()), "instants", 5, Sense::AtMost});
  for (const char* imu : {"icm42688p", "adis16495"}) {
    const auto gap = fly_gap(scenario_of(o, "gnss_gap.yaml"), o.assets, {fmt::format("flocks[0].sensors.imu.preset={}", imu)}, kConsistencyRuns, 80);
    if (!gap) return gap.error();
    const Gap& g = gap.value();
    report.remarks.push_back(fmt::format(
        "20 s without satellites with the IMU {}: {} of {} vehicles survive. Their estimates drift by {:.1f} m (root mean square, {:.1f} m at most). "
        "The filter claims {:.1f} m.",
        imu, g.survived, g.runs, g.drift, g.worst, g.claimed));
    const std::string path = fmt::format("senses/gap/{}/", imu);
    report.figures.push_back({path + "survived", static_cast<double>(g.survived), "flights", static_cast<double>(g.runs), Sense::AtLeast});
    report.figures.push_back({path + "drift", g.drift, "m", 0, Sense::NoBar});
    report.figures.push_back({path + "claimed", g.claimed, "m", 0, Sense::NoBar});
  }
  return report;
}

bool finds(const CheckOptions& o) { return fs::exists(scenario_of(o, "consistent_filter.yaml")) && fs::exists(scenario_of(o, "gnss_gap.yaml")); }

}  // namespace

int Normalised::median_inside() const {
  std::vector<int> sorted = inside;
  std::sort(sorted.begin(), sorted.end());
  return sorted[(sorted.size() - 1) / 2];
}
int Normalised::sets_with(int instants) const {
  return static_cast<int>(std::count_if(inside.begin(), inside.end(), [&](int n) { return n >= instants; }));
}

namespace {

void begin(Normalised& n, int degrees, int sets) {
  const estimation::Bounds b = estimation::mean_bounds(degrees, kConsistencyRuns);
  n.low = b.low, n.high = b.high;
  n.inside.assign(static_cast<std::size_t>(sets), 0);
}
// one instant, flight by flight
void add(Normalised& n, const std::vector<double>& values) {
  double all = 0;
  for (std::size_t set = 0; set < n.inside.size(); ++set) {
    double sum = 0;
    for (std::size_t k = 0; k < kConsistencyRuns; ++k) sum += values[set * kConsistencyRuns + k];
    const double mean = sum / kConsistencyRuns;
    n.inside[set] += mean >= n.low && mean <= n.high ? 1 : 0;
    all += mean;
  }
  n.mean.push_back(all / static_cast<double>(n.inside.size()));
}

}  // namespace

core::Result<Consistency> fly_consistency(const std::string& scenario, const std::string& assets, const std::vector<std::string>& overrides, int sets) {
  const int runs = sets * kConsistencyRuns;
  auto made = make_worlds(scenario, assets, overrides, runs);
  if (!made) return made.error();
  const Flown& f = made.value();
  const Columns c(f);
  Consistency out;
  begin(out.nees, kFilterStates, sets), begin(out.gnss, 6, sets), begin(out.height, 1, sets);
  const double tick = static_cast<double>(f.def.tick_ns) * 1e-9;
  std::vector<double> nees(static_cast<std::size_t>(runs)), gnss(nees), height(nees);
  for (int k = 1; k <= kConsistencyInstants; ++k) {
    // every second one is that of a reading, and the others lie between two
    const double time = f.def.duration * k / kConsistencyInstants - (k % 2 == 0 ? 0 : 0.05);
    const auto until = static_cast<std::uint64_t>(math::round(time / tick));
    f.world->step(until - f.world->tick());
    for (std::size_t slot = 0; slot < nees.size(); ++slot)
      nees[slot] = nees_of(c, slot), gnss[slot] = c.number("gnss.nis", slot), height[slot] = c.number("barometer.nis", slot);
    out.time.push_back(time);
    add(out.nees, nees), add(out.gnss, gnss), add(out.height, height);
  }
  return out;
}

core::Result<Gap> fly_gap(const std::string& scenario, const std::string& assets, const std::vector<std::string>& overrides, int runs, double until) {
  auto made = make_worlds(scenario, assets, overrides, runs);
  if (!made) return made.error();
  const Flown& f = made.value();
  const Columns c(f);
  f.world->step(static_cast<std::uint64_t>(math::round(until / (static_cast<double>(f.def.tick_ns) * 1e-9))));
  Gap out{.runs = runs};
  double square = 0, claimed = 0;
  for (std::size_t slot = 0; slot < static_cast<std::size_t>(runs); ++slot) {
    const Vec3<double> off = c.place("estimate.position", slot) - c.place("position", slot);
    const double level = off.x * off.x + off.y * off.y;
    const std::vector<double> P = c.all("filter.covariance", slot);
    const auto variance = [&P](std::size_t i) { return P[i * (2 * kFilterStates - i - 1) / 2 + i]; };
    square += level, claimed += variance(6) + variance(7);
    out.worst = std::max(out.worst, math::sqrt(level));
  }
  out.drift = math::sqrt(square / runs), out.claimed = math::sqrt(claimed / runs);
  f.world->step(planned_ticks(f.def) - f.world->tick());
  for (const VehicleId id : f.world->vehicles())
    if (f.world->is_alive(id) && f.world->condition_of(id) == Condition::Fine) ++out.survived;
  return out;
}

const Check kSensesCheck = {"senses",
                            "consistency of estimates over a hundred worlds, and their drift in 20 s without satellites",
                            "the project's own scenarios consistent_filter.yaml and gnss_gap.yaml",
                            finds,
                            run,
                            false,
                            nullptr,
                            "Scenarios of the project fly with the engine's step, in a hundred worlds of a batch."};

}  // namespace volary::validation

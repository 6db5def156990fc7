// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// ULog of PX4, a folder with a file for each vehicle: vehicle_local_position, vehicle_attitude, vehicle_angular_velocity, vehicle_status, actuator_motors of
// multirotors, and vehicle_gps_position once a second in worlds with an origin. Time is that of the simulation. Numbers are 32-bit, north east down and
// forward right down, as PX4 has them.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

#include "environment/weather.hpp"
#include "logs/ulog_writer.hpp"
#include "math/frames.hpp"
#include "math/functions.hpp"
#include "replay/export_writer.hpp"
#include "replay/resimulate.hpp"
#include "replay/vehicle_files.hpp"
#include "vehicles/multirotor_def.hpp"

namespace volary::replay {

namespace {

using Vec3d = math::Vec3<double>;
using Quatd = math::Quat<double>;
constexpr double kDegree = 0.017453292519943295;  // rad
constexpr std::size_t kMotors = 12;

constexpr const char* kFormats[] = {
    "vehicle_local_position:uint64_t timestamp;uint64_t timestamp_sample;uint64_t ref_timestamp;double ref_lat;double ref_lon;float x;float y;float z;float "
    "vx;float vy;float vz;"
    "float heading;float ref_alt;bool xy_valid;bool z_valid;bool v_xy_valid;bool v_z_valid;bool xy_global;bool z_global;",
    "vehicle_attitude:uint64_t timestamp;uint64_t timestamp_sample;float[4] q;",
    "vehicle_angular_velocity:uint64_t timestamp;uint64_t timestamp_sample;float[3] xyz;",
    "vehicle_status:uint64_t timestamp;uint8_t arming_state;uint8_t nav_state;uint8_t vehicle_type;",
    "actuator_motors:uint64_t timestamp;uint64_t timestamp_sample;float[12] control;",
    "vehicle_gps_position:uint64_t timestamp;uint64_t time_utc_usec;double latitude_deg;double longitude_deg;double altitude_msl_m;double "
    "altitude_ellipsoid_m;float vel_n_m_s;"
    "float vel_e_m_s;float vel_d_m_s;uint8_t fix_type;"};
enum Message : std::uint16_t { kPosition, kAttitude, kRates, kStatus, kControls, kSatellites };

// arming_state and nav_state for a flight mode
std::pair<std::uint8_t, std::uint8_t> status_of(Mode mode) {
  switch (mode) {
    case Mode::Disarmed: return {1, 4};
    case Mode::TakeOff: return {2, 17};
    case Mode::Mission: return {2, 3};
    case Mode::Land: return {2, 18};
    case Mode::EmergencyStop: return {2, 13};
    default: return {2, 4};
  }
}

// what a flock has of the columns that are asked for; -1: not
struct Wanted {
  int velocity = -1, omega = -1, rotors = -1, mode = -1;
  double full_speed = 0;      // rad/s, of a rotor; 0: not known
  std::uint8_t type = 0;      // vehicle_type of PX4: 1 rotors, 2 wings, 3 wheels
};

class UlogExport final : public ExportWriter {
 public:
  UlogExport(const std::string& folder, scenario::MayRun may_run) : files_(folder, "ulg"), may_run_(std::move(may_run)) { out_.take(); }

  core::Status begin(const ExportHead& head) override;
  core::Status moment(const Moment& moment) override;
  core::Status event(const PlacedEvent& event) override;
  core::Result<Exported> finish() override { return files_.finish(); }

 private:
  struct Vehicle {
    int mode = -1;               // that was written last
    std::int64_t second = -1;    // of the last sync
  };
  std::string header_of(std::size_t vehicle, std::uint64_t time_us) const;
  void set_place(const WorldDef& def);
  void add_state(const FlockMoment& flock, std::size_t k, int table, std::uint64_t time_us, Vehicle& v);
  void add_rare(const FlockMoment& flock, std::size_t k, int table, std::uint64_t time_us, Vehicle& v);
  void add_satellites(const Vec3d& position_W, const Vec3d& velocity_N, std::uint64_t time_us);
  Vec3d vector(const FlockMoment& flock, int table, int column, std::size_t k) const;
  double number(const FlockMoment& flock, int table, int column, std::size_t at) const;

  VehicleFiles files_;
  scenario::MayRun may_run_;
  const Recording* r_ = nullptr;
  std::string about_;
  std::vector<FlockTable> tables_;
  std::vector<Wanted> wanted_;  // by table
  std::vector<Vehicle> vehicles_;
  std::optional<OriginDef> origin_;
  std::int64_t started_ms_ = 0;  // since 1970, UTC
  logs::UlogWriter out_{0};      // what is written now
};

core::Status UlogExport::begin(const ExportHead& head) {
  r_ = &head.recording;
  about_ = describe_source(head);
  tables_ = head.flocks;
  vehicles_.resize(r_->roster().size());
  if (head.def != nullptr)
    set_place(*head.def);
  else if (const core::Result<WorldDef> def = scenario_of(*r_, may_run_))
    set_place(def.value());
  for (const FlockTable& t : tables_) {
    Wanted has;
    const auto find = [&](const char* name) {
      const auto found = std::find_if(t.columns.begin(), t.columns.end(), [&](const ExportColumn& c) { return c.name == name; });
      return found == t.columns.end() ? -1 : static_cast<int>(found - t.columns.begin());
    };
    has.velocity = find("velocity"), has.omega = find("omega"), has.rotors = find("rotor_speed"), has.mode = find("mode");
    const std::string& model = r_->head().flocks[t.index].model;
    has.type = model == "multirotor" ? 1 : model == "aircraft" ? 2 : model == "car" ? 3 : 0;
    if (head.def != nullptr && model == "multirotor" && t.index < head.def->flocks.size() && head.def->flocks[t.index].airframe.definition != nullptr)
      has.full_speed = static_cast<const airframe::MultirotorDef*>(head.def->flocks[t.index].airframe.definition.get())->motor.speed_max;
    wanted_.push_back(has);
  }
  return files_.create(*r_);
}

void UlogExport::set_place(const WorldDef& def) {
  origin_ = def.environment.weather.origin;
  started_ms_ = start_of(def.environment.weather);
}

std::string UlogExport::header_of(std::size_t vehicle, std::uint64_t time_us) const {
  const RosterEntry& e = r_->roster()[vehicle];
  logs::UlogWriter out(time_us);
  for (const char* format : kFormats) out.format(format);
  out.info("sys_name", "Volary");
  out.info("ver_sw", r_->head().program);
  if (e.flock < r_->head().flocks.size()) out.info("ver_hw", r_->head().flocks[e.flock].airframe);
  out.info("vehicle_name", e.name);
  out.info("source", about_);
  for (const char* format : kFormats) out.subscribe(std::string_view(format).substr(0, std::string_view(format).find(':')));
  return out.take_text();
}

double UlogExport::number(const FlockMoment& flock, int table, int column, std::size_t at) const {
  const ExportColumn& c = tables_[static_cast<std::size_t>(table)].columns[static_cast<std::size_t>(column)];
  double value = 0;
  with_number(c.number, flock.columns[static_cast<std::size_t>(column)].data() + at * size_of(c.number), [&](auto x) { value = static_cast<double>(x); });
  return value;
}
Vec3d UlogExport::vector(const FlockMoment& flock, int table, int column, std::size_t k) const {
  return {number(flock, table, column, 3 * k), number(flock, table, column, 3 * k + 1), number(flock, table, column, 3 * k + 2)};
}

core::Status UlogExport::moment(const Moment& m) {
  const auto time_us = static_cast<std::uint64_t>(math::floor(m.time * 1e6 + 0.5));
  for (std::size_t f = 0; f < m.flocks.size(); ++f)
    for (std::size_t k = 0; k < m.flocks[f].vehicles.size(); ++k) {
      const std::size_t vehicle = m.flocks[f].vehicles[k];
      const std::string head = files_.is_new(vehicle) ? header_of(vehicle, time_us) : "";
      add_state(m.flocks[f], k, static_cast<int>(f), time_us, vehicles_[vehicle]);
      if (const core::Status s = files_.put(vehicle, head + out_.take_text()); !s) return s;
    }
  return core::ok();
}

void UlogExport::add_state(const FlockMoment& flock, std::size_t k, int table, std::uint64_t time_us, Vehicle& v) {
  const Wanted& has = wanted_[static_cast<std::size_t>(table)];
  const ExportPose& p = flock.poses[k];
  const Vec3d position_W{p[0], p[1], p[2]}, position_N = math::ned_from_enu(position_W);
  const Vec3d velocity_N = has.velocity < 0 ? Vec3d{0, 0, 0} : math::ned_from_enu(vector(flock, table, has.velocity, k));
  const Quatd q = math::ned_frd_from_enu_flu(Quatd{p[3], p[4], p[5], p[6]});
  const double heading = math::atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y * q.y + q.z * q.z));
  const auto row = [&](bool twice) {
    core::ByteWriter out;
    for (int n = 0; n < (twice ? 2 : 1); ++n) out.put(time_us);
    return out;
  };
  const auto put = [](core::ByteWriter& out, auto... numbers) { (out.put(static_cast<float>(numbers)), ...); };

  core::ByteWriter position = row(true);
  position.put(std::uint64_t{0}), position.put(origin_ ? origin_->latitude : 0.0), position.put(origin_ ? origin_->longitude : 0.0);
  put(position, position_N.x, position_N.y, position_N.z, velocity_N.x, velocity_N.y, velocity_N.z, heading, origin_ ? origin_->height : 0.0);
  for (const bool flag : {true, true, has.velocity >= 0, has.velocity >= 0, origin_.has_value(), origin_.has_value()})
    position.put(static_cast<std::uint8_t>(flag));
  out_.data(kPosition, position);
  core::ByteWriter attitude = row(true);
  put(attitude, q.w, q.x, q.y, q.z);
  out_.data(kAttitude, attitude);
  if (has.omega >= 0) {
    const Vec3d omega = math::frd_from_flu(vector(flock, table, has.omega, k));
    core::ByteWriter rates = row(true);
    put(rates, omega.x, omega.y, omega.z);
    out_.data(kRates, rates);
  }
  add_rare(flock, k, table, time_us, v);
  if (const auto second = static_cast<std::int64_t>(time_us / 1'000'000); second != v.second) {
    v.second = second;
    if (origin_) add_satellites(position_W, velocity_N, time_us);
    out_.sync();
  }
}

// commands to the motors, and the mode where it has changed
void UlogExport::add_rare(const FlockMoment& flock, std::size_t k, int table, std::uint64_t time_us, Vehicle& v) {
  const Wanted& has = wanted_[static_cast<std::size_t>(table)];
  if (has.rotors >= 0 && has.full_speed > 0) {
    const std::size_t n = tables_[static_cast<std::size_t>(table)].columns[static_cast<std::size_t>(has.rotors)].count();
    core::ByteWriter motors;
    motors.put(time_us), motors.put(time_us);
    for (std::size_t m = 0; m < kMotors; ++m)
      motors.put(m < n ? static_cast<float>(number(flock, table, has.rotors, k * n + m) / has.full_speed) : std::numeric_limits<float>::quiet_NaN());
    out_.data(kControls, motors);
  }
  const int mode = has.mode < 0 ? v.mode : static_cast<int>(number(flock, table, has.mode, k));
  if (mode == v.mode || mode > static_cast<int>(Mode::EmergencyStop)) return;
  v.mode = mode;
  const auto [arming, navigation] = status_of(static_cast<Mode>(mode));
  core::ByteWriter status;
  status.put(time_us), status.put(arming), status.put(navigation), status.put(has.type);
  out_.data(kStatus, status);
}

void UlogExport::add_satellites(const Vec3d& position_W, const Vec3d& velocity_N, std::uint64_t time_us) {
  const auto place = environment::geodetic_from_enu(weather::frame_of(*origin_), position_W);
  core::ByteWriter row;
  row.put(time_us), row.put(static_cast<std::uint64_t>(std::max<std::int64_t>(0, started_ms_)) * 1000 + time_us);
  for (const double number : {place.latitude / kDegree, place.longitude / kDegree, place.height, place.height}) row.put(number);
  for (const double number : {velocity_N.x, velocity_N.y, velocity_N.z}) row.put(static_cast<float>(number));
  row.put(std::uint8_t{3});
  out_.data(kSatellites, row);
}

// texts of a vehicle go into its file; what belongs to no vehicle has none
core::Status UlogExport::event(const PlacedEvent& e) {
  const auto& roster = r_->roster();
  const auto found = std::find_if(roster.begin(), roster.end(), [&](const RosterEntry& v) { return v.id == e.event.vehicle.value; });
  if (!e.event.vehicle || found == roster.end()) return core::ok();
  const auto vehicle = static_cast<std::size_t>(found - roster.begin());
  if (files_.is_new(vehicle)) return core::ok();
  out_.line(6, static_cast<std::uint64_t>(math::floor(e.time * 1e6 + 0.5)), e.event.what);
  return files_.put(vehicle, out_.take_text());
}

}  // namespace

std::unique_ptr<ExportWriter> ulog_writer(const std::string& folder, scenario::MayRun may_run) {
  return std::make_unique<UlogExport>(folder, std::move(may_run));
}

}  // namespace volary::replay

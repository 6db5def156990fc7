// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/lockstep/launch.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace volary::autopilot {

namespace {

constexpr double kUsualPeriod = 0.004;  // s, which PX4's start-up script assumes
constexpr const char* kStartScript = "start.sh";
constexpr double kNoPacing = 100;       // ArduPilot would slow down to this multiple of real time; the run has a pace of its own

bool is_set(const AutopilotDef& def, const char* name) {
  return std::any_of(def.parameters.begin(), def.parameters.end(), [&](const AutopilotParameter& p) { return p.name == name; });
}

std::string value_text(double value) { return value == std::round(value) && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value) : fmt::format("{}", value); }

}  // namespace

const char* name_of(AutopilotKind kind) { return kind == AutopilotKind::Px4 ? "PX4" : "ArduPilot"; }
int simulator_port(AutopilotKind kind, int instance) { return kind == AutopilotKind::Px4 ? 4560 + instance : 9002 + 10 * instance; }
// between those of PX4's other links, each of which has a port for each of 250 instances
CompanionPorts px4_companion_ports(int instance) { return {13530 + instance, 13780 + instance}; }
int most_instances(AutopilotKind) { return 250; }

namespace {

// PX4's own script, and one more link, which sends nothing but what it is asked for
std::string px4_start_script(int instance) {
  const CompanionPorts ports = px4_companion_ports(instance);
  return fmt::format(". etc/init.d-posix/rcS\nstatus=$?\npx4-mavlink --instance {} start -u {} -o {} -m custom -r 400000\nexit $status\n", instance, ports.px4, ports.ours);
}

}  // namespace

Launch px4_launch(const std::string& program, const std::string& data, const AutopilotDef& def, const Instance& instance) {
  Launch l;
  l.command = {program, "-i", std::to_string(instance.number), "-d", "-s", kStartScript, data};
  l.files = {{kStartScript, px4_start_script(instance.number)}};
  // any name but "none" has the script wait for a simulator on TCP
  l.environment = {"PX4_SIM_MODEL=none_iris", fmt::format("PX4_SYS_AUTOSTART={}", def.autostart), "PX4_SIM_HOST_ADDR=127.0.0.1"};
  for (const AutopilotParameter& p : def.parameters) l.environment.push_back(fmt::format("PX4_PARAM_{}={}", p.name, value_text(p.value)));
  if (std::abs(instance.sensor_period - kUsualPeriod) > 1e-9 && !is_set(def, "IMU_INTEG_RATE"))
    l.environment.push_back(fmt::format("PX4_PARAM_IMU_INTEG_RATE={:.0f}", 1 / instance.sensor_period));
  return l;
}

Launch ardupilot_launch(const std::string& program, const AutopilotDef& def, const Instance& instance) {
  Launch l;
  const std::string defaults = instance.folder + "/defaults.parm";
  const LatLon& h = instance.home;
  // a TCP port that is not waited for: boot does not stop there, and clients may come and go
  l.command = {program,
               "--model",
               "JSON:127.0.0.1",
               "--speedup",
               fmt::format("{:.0f}", kNoPacing),
               "--instance",
               std::to_string(instance.number),
               "--sysid",
               std::to_string(instance.number + 1),
               "--defaults",
               defaults,
               "--serial0",
               "tcp:0",
               "--home",
               fmt::format("{:.8f},{:.8f},{:.3f},{:.2f}", h.latitude, h.longitude, h.altitude, instance.heading)};
  std::string text;
  for (const AutopilotParameter& p : def.parameters) text += fmt::format("{} {}\n", p.name, value_text(p.value));
  l.files = {{"defaults.parm", text}};
  return l;
}

}  // namespace volary::autopilot

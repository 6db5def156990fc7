// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Worlds whose vehicles a stand-in flies (tests/autopilot/stand_in.cpp).
#pragma once

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "autopilot/lockstep/lockstep_source.hpp"
#include "core/scratch_folder.hpp"
#include "runner/runner.hpp"
#include "scenario/airframe.hpp"

namespace volary::test {

// what the presets px4_sitl have
inline SensorsDef sensors_of_px4() {
  SensorsDef s;
  s.imu.emplace(), s.gnss.emplace(), s.barometer.emplace(), s.magnetometer.emplace(), s.airspeed.emplace();
  s.imu->gyro.noise = 1.265e-4, s.imu->accelerometer.noise = 1.897e-3;
  s.gnss->time.rate = 10, s.barometer->time.rate = s.magnetometer->time.rate = s.airspeed->time.rate = 50;
  s.barometer->error.noise = 1, s.magnetometer->error.noise = 5e-8, s.airspeed->error.noise = 0.5;
  return s;
}

// vehicles that stand on the ground side by side
inline WorldDef parked(int n, std::int64_t tick_ns, double duration, const std::string& airframe = "px4_iris") {
  WorldDef def;
  def.tick_ns = tick_ns;
  def.substeps = 1;
  def.duration = duration;
  FlockDef flock;
  flock.name = "flown";
  flock.airframe = scenario::load_airframe("assets/vehicles/" + airframe + ".yaml").value();
  flock.sensors = sensors_of_px4();
  for (int k = 0; k < n; ++k) flock.vehicles.push_back({.position_W = {3.0 * k, 0, 0}, .mode = Mode::Disarmed});
  def.flocks.push_back(std::move(flock));
  return def;
}

// the stand-in where an installed PX4 would have its program
class StandIn {
 public:
  StandIn() {
    folder_.write("etc/init.d-posix/rcS", "");
    std::filesystem::create_directories(folder_.file("bin"));
    std::filesystem::create_symlink(VOLARY_STAND_IN, program());
    // folders of those that fail are kept, but not longer than this
    std::filesystem::create_directories(folder_.file("kept"));
    ::setenv("TMPDIR", folder_.file("kept").c_str(), 1);
  }
  ~StandIn() { ::unsetenv("TMPDIR"); }
  std::string program() const { return folder_.file("bin/px4"); }

 private:
  core::ScratchFolder folder_;
};

inline bool is_free(int type, int port) {
  const int s = ::socket(AF_INET, type, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(static_cast<std::uint16_t>(port));
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool free = ::bind(s, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0;
  ::close(s);
  return free;
}

// instances whose ports nobody has: several tests may run at once
inline int next_instance(int n) {
  static int next = 1 + static_cast<int>(::getpid() % 8) * 30;
  for (;; next += n) {
    if (next + n > 249) next = 1;
    bool all = true;
    for (int k = next; k < next + n; ++k)
      all = all && is_free(SOCK_STREAM, autopilot::simulator_port(AutopilotKind::Px4, k)) &&
            is_free(SOCK_DGRAM, autopilot::simulator_port(AutopilotKind::Ardupilot, k));
    if (all) return std::exchange(next, next + n);
  }
}

struct Flown {
  runner::Outcome outcome = runner::Outcome::None;
  std::string failure;
  std::vector<std::string> told;
  std::vector<Input> inputs;
  std::vector<std::uint64_t> hashes;  // by tick
  std::unique_ptr<World> world;
};

struct FlownBy {
  AutopilotDef def;
  int vehicles = 1, threads = 1;
  double seconds = 1;
  double silence = 10, start_limit = 20;
  std::int64_t tick_ns = 4'000'000;
  std::string airframe = "px4_iris";
};

struct HashSink final : runner::Sink {
  Flown& flown;
  explicit HashSink(Flown& f) : flown(f) {}
  void begin(World& world, bool) override { world.keep_submitted(true); }
  void after_tick(World& world) override {
    flown.hashes.push_back(world.hash());
    for (Input& i : world.take_submitted()) flown.inputs.push_back(std::move(i));
  }
};

inline Flown fly(const FlownBy& how) {
  const StandIn stand_in;
  Flown out;
  const int first = next_instance(how.vehicles);
  autopilot::LockstepSource source(
      {.program = {how.def.kind, stand_in.program(), first}, .start_limit = how.start_limit, .silence = how.silence, .tell = [&](const std::string& text) {
         out.told.push_back(text);
       }});
  AutopilotDef def = how.def;
  for (AutopilotParameter& p : def.parameters)
    if (p.name == "STAND_WHO") p.value += first;
  source.fly({{"flown", def}});
  std::string error;
  out.world = World::create(parked(how.vehicles, how.tick_ns, how.seconds, how.airframe), {.threads = how.threads, .force_split = how.threads > 1}, &error);
  core::require(out.world != nullptr, error.c_str());
  HashSink sink(out);
  runner::SteadyClock clock;
  runner::Runner runner(clock);
  runner.add(source);
  runner.add(sink);
  runner.begin(*out.world, {.end = planned_ticks(out.world->def())});
  out.outcome = runner.run();
  out.failure = runner.failure();
  return out;
}

// the same inputs without any autopilot
inline std::vector<std::uint64_t> flown_again(const Flown& first, int threads) {
  std::string error;
  const auto world = World::create(first.world->def(), {.threads = threads, .force_split = threads > 1}, &error);
  for (const Input& i : first.inputs) world->submit(i);
  std::vector<std::uint64_t> hashes;
  while (hashes.size() < first.hashes.size()) {
    world->step(1);
    hashes.push_back(world->hash());
  }
  return hashes;
}

struct Said {
  int code = 0;
  std::string text;
};
// standard output and error of a command line
inline Said run(const std::string& command) {
  Said out;
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  char buffer[4096];
  for (std::size_t n = 0; (n = ::fread(buffer, 1, sizeof buffer, pipe)) > 0;) out.text.append(buffer, n);
  const int status = ::pclose(pipe);
  out.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return out;
}

}  // namespace volary::test

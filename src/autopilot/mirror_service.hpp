// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Mirrors that MAVLink moves: real vehicles, or those of another simulator, in a world of ours. Each is where its autopilot says, and its companion tells the
// autopilot what the behaviours of the mirror ask for, and what people order. A source and a sink of the runner with a thread of its own, because these vehicles fly on by the wall whether
// the world moves or not; they hold while it does not.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "autopilot/companions.hpp"
#include "autopilot/link_traffic.hpp"
#include "autopilot/past_times.hpp"
#include "autopilot/station_service.hpp"
#include "runner/autopilots.hpp"
#include "runner/sink.hpp"
#include "runner/source.hpp"

namespace volary::autopilot {

struct MirrorOptions {
  std::vector<StationLink> links;  // the number of a vehicle is the first of its link and the system less one
  std::optional<mavlink::Key> key;
  std::function<void(const std::string&)> tell = {};  // people; called from any thread
};

class MirrorService final : public runner::Source, public runner::Sink, public runner::Autopilots {
 public:
  static core::Result<std::unique_ptr<MirrorService>> open(const MirrorOptions& options);
  ~MirrorService() override;

  std::string name() const override { return "mirrored vehicles"; }
  core::Status give(const World& world, std::vector<Input>& inputs) override;

  void begin(World& world, bool again) override;
  void after_tick(World& world) override;
  void end(World& world) override;

  bool is_used() const override;
  bool flies(VehicleId id) const override;
  runner::AutopilotReport report_of(VehicleId id) const override;
  std::vector<runner::LinkReport> link_reports() const override;
  core::Status order(VehicleId id, const runner::FlightOrder& order) override;
  std::vector<Refusal> take_refusals() override;

  std::vector<std::string> links() const;  // as they are, with the ports that were found
  std::vector<Companions::Line> lines() const;

 private:
  MirrorService(MirrorOptions options, std::unique_ptr<Links> sockets);
  LinkAddress address_of(std::size_t link) const;  // with the port that was found
  void add_mirror(const World& world, const FlockDef& flock, VehicleId id);
  void serve();  // the thread
  void flush();  // under the lock
  void on_event(const LinkEvent& event);

  mutable std::mutex mutex_;  // of the companions and of sending
  MirrorOptions options_;
  Companions companions_;
  LinkTraffic traffic_;
  PastTimes times_;
  bool has_place_ = false;  // the world says where it lies on the Earth
  std::unique_ptr<Links> sockets_;
  double ticked_ = 0;  // s of the wall, of the last tick
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

// vehicles that a MirrorService can move: mirrors without a log
bool has_mirrors(const WorldDef& def);

}  // namespace volary::autopilot

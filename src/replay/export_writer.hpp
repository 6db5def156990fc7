// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a format of an export is given, in the order of time: the head, then moments, events, changes of tasks and outcomes of
// messages. Nothing that grows with the length of a run or the number of vehicles has to be kept in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/result.hpp"
#include "replay/export_table.hpp"
#include "replay/exports.hpp"
#include "replay/recording.hpp"
#include "volary/world.hpp"

namespace volary::replay {

struct ExportHead {
  const Recording& recording;
  bool exact = true;               // false: from the view layer
  const WorldDef* def = nullptr;   // of what is flown again, only during begin(); none in a view
  std::vector<FlockTable> flocks = {};
  std::uint64_t moments = 0;       // how many will come
  bool events = false, tasks = false, messages = false;  // whether such can come
};

struct PlacedEvent {
  const Event& event;
  double time = 0;              // s
  std::optional<Vec> position;  // m, of the vehicle when it happened
};
// a task that has a new state, or the first one
struct TaskChange {
  double time = 0;  // s
  std::uint32_t world = 0;
  std::size_t index = 0;  // in the definition
  const TaskStanding& task;
};
// what became of a message at one receiver
struct TimedOutcome {
  double time = 0, sent = 0;  // s, when it was decided and when the message was sent
  const MessageOutcome& outcome;
};

class ExportWriter {
 public:
  virtual ~ExportWriter() = default;
  virtual core::Status begin(const ExportHead& head) = 0;
  virtual core::Status moment(const Moment& moment) = 0;
  virtual core::Status event(const PlacedEvent&) { return core::ok(); }
  virtual core::Status task(const TaskChange&) { return core::ok(); }
  virtual core::Status message(const TimedOutcome&) { return core::ok(); }
  virtual core::Result<Exported> finish() = 0;  // files and bytes; whoever feeds it counts the rest
};

std::unique_ptr<ExportWriter> csv_writer(const std::string& path);
std::unique_ptr<ExportWriter> npz_writer(const std::string& path);
std::unique_ptr<ExportWriter> mcap_writer(const std::string& path);
std::unique_ptr<ExportWriter> tum_writer(const std::string& folder);
// a view has no definition: KML then loads the scenario itself
std::unique_ptr<ExportWriter> kml_writer(const std::string& path, scenario::MayRun may_run);
// the same, for the place on the Earth; without one there is none in the logs
std::unique_ptr<ExportWriter> ulog_writer(const std::string& folder, scenario::MayRun may_run);

// names for outcomes of messages, looked up often
class MessageNames {
 public:
  explicit MessageNames(const Recording& recording);
  const std::string& vehicle(VehicleId id) const;  // empty for one that is not in the roster
  const std::string& topic(std::uint32_t topic);

 private:
  std::unordered_map<std::uint64_t, std::string> vehicles_;
  std::unordered_map<std::uint32_t, std::string> topics_;
  std::string none_;
};

// "flown again, bit for bit" or what the view layer promises, for headers
std::string describe_source(const ExportHead& head);

}  // namespace volary::replay

// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/script/plugin.hpp"

#include <cmath>
#include <cstring>
#include <exception>

#include "swarm/stimuli/all.hpp"

namespace volary::swarm {

namespace {

// The lists of Sense are handed over as they are. Whoever changes a layout changes VOLARY_PLUGIN_VERSION.
static_assert(sizeof(volary_vec) == sizeof(V3));
static_assert(sizeof(volary_known) == sizeof(Known) && offsetof(volary_known, tick) == offsetof(Known, tick) &&
              offsetof(volary_known, position) == offsetof(Known, position) && offsetof(volary_known, velocity) == offsetof(Known, velocity) &&
              offsetof(volary_known, intent) == offsetof(Known, intent) && offsetof(volary_known, role) == offsetof(Known, role));
static_assert(sizeof(volary_message) == sizeof(Message) && offsetof(volary_message, to) == offsetof(Message, to) &&
              offsetof(volary_message, tick) == offsetof(Message, tick) && offsetof(volary_message, topic) == offsetof(Message, topic) &&
              offsetof(volary_message, count) == offsetof(Message, count) && offsetof(volary_message, values) == offsetof(Message, values) &&
              VOLARY_MESSAGE_VALUES == Message::kMost);
static_assert(sizeof(volary_detection) == sizeof(Detection) && offsetof(volary_detection, kind) == offsetof(Detection, kind) &&
              offsetof(volary_detection, position) == offsetof(Detection, position) && offsetof(volary_detection, velocity) == offsetof(Detection, velocity));
static_assert(static_cast<int>(Mode::EmergencyStop) == VOLARY_EMERGENCY_STOP && static_cast<int>(Mode::Hold) == VOLARY_HOLDING);
static_assert(static_cast<int>(Action::Kind::Disarm) == VOLARY_DISARM && static_cast<int>(Action::Kind::Position) == VOLARY_POSITION);

constexpr std::size_t kMostMemory = 64u << 10;  // bytes, as for scripts

volary_vec plain(const V3& v) { return {v.x, v.y, v.z}; }
V3 vector(const volary_vec& v) { return {v.x, v.y, v.z}; }
bool finite(const volary_vec& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

volary_sense plain(const Sense& s, std::span<const double> params) {
  volary_sense c{};
  c.id = s.self;
  c.tick = s.tick;
  c.time = s.time;
  c.interval = s.interval;
  c.position = plain(s.position);
  c.velocity = plain(s.velocity);
  c.yaw = s.yaw;
  c.mode = static_cast<std::uint32_t>(s.mode);
  c.home = plain(s.home);
  c.ground = s.ground;
  c.ground_ahead = s.ground_ahead;
  c.max_speed = s.max_speed;
  c.radius = s.radius;
  c.others = reinterpret_cast<const volary_known*>(s.others.data());
  c.messages = reinterpret_cast<const volary_message*>(s.messages.data());
  c.detections = reinterpret_cast<const volary_detection*>(s.detections.data());
  c.other_count = s.others.size();
  c.message_count = s.messages.size();
  c.detection_count = s.detections.size();
  c.light = level<Light>(s);
  c.plume = level<Plume>(s);
  c.sound = level<Sound>(s);
  c.obstacle = {plain(s.solid.way), s.solid.distance, s.solid.near ? 1u : 0u};
  c.params = params.data();
  c.math = &plugin_math();
  c.uniform = [](const volary_sense* sense, std::uint32_t draw) { return static_cast<const Sense*>(sense->host)->uniform(draw); };
  c.host = &s;
  return c;
}

// its sensors and its estimator, by name
void list_readings(const Sense& s, std::vector<volary_reading>& out) {
  if (s.readings == nullptr) return;
  for (const Reading& r : s.readings->all()) out.push_back({r.name.c_str(), numbers_of(r, s.numbers), r.count});
}

// messages wait here until it is known that the decision is sound
struct Said {
  volary_outbox face{};
  std::vector<Message> messages;
  bool sound = true;
  Notes notes;
  std::string refused;  // why the first number that was not plotted was refused
};
void say_as(volary_outbox* face, std::uint64_t from, std::uint32_t topic, std::uint64_t to, const double* values, std::uint32_t count) {
  Said& said = *reinterpret_cast<Said*>(face);  // its first member
  Message m{.from = from, .to = to, .topic = topic, .count = count};
  said.sound &= count <= Message::kMost;
  if (!said.sound) return;
  for (std::uint32_t i = 0; i < count; ++i) {
    m.values[i] = values[i];
    said.sound &= std::isfinite(values[i]);
  }
  said.messages.push_back(m);
}

void say(volary_outbox* face, std::uint32_t topic, std::uint64_t to, const double* values, std::uint32_t count) {
  say_as(face, kOwnId, topic, to, values, count);
}

void log(volary_outbox* face, const char* text) { reinterpret_cast<Said*>(face)->notes.log(text != nullptr ? text : ""); }
void plot(volary_outbox* face, const char* name, double value) {
  Said& said = *reinterpret_cast<Said*>(face);
  const std::string refused = said.notes.plot(name != nullptr ? name : "", value);
  if (said.refused.empty() && !refused.empty()) said.refused = "plot(): " + refused;
}

std::string fault_of(const volary_action& a, const Said& said) {
  if (a.kind > VOLARY_DISARM) return "act() chose an action that does not exist";
  if (!finite(a.velocity) || !finite(a.position) || !std::isfinite(a.yaw) || !std::isfinite(a.reward) || !std::isfinite(a.role))
    return "act() answered with a number that is not finite";
  if (!said.sound) return "a message has more than 12 numbers, or one that is not finite";
  return said.refused;
}

}  // namespace

core::Result<std::unique_ptr<Plugin>> Plugin::open(const std::string& path, const std::string& name) {
  std::unique_ptr<Plugin> p(new Plugin);
  p->file_ = name;
  core::Result<SharedLibrary> library = SharedLibrary::open(path, name);
  if (!library) return library.error();
  p->library_ = std::move(library).value();
  const core::Result<const void*> info = p->library_.call("volary_plugin", "plugin.h");
  if (!info) return info.error();
  if (const core::Status read = p->read_info(*static_cast<const volary_plugin_info*>(info.value())); !read) return read.error();
  return p;
}

core::Status Plugin::read_info(const volary_plugin_info& info) {
  // nothing but the version is where this program expects it before the version is known
  if (info.version != VOLARY_PLUGIN_VERSION)
    return core::Error{.message = "made for version " + std::to_string(info.version) + " of the plugin interface; this program has version " +
                                  std::to_string(VOLARY_PLUGIN_VERSION),
                       .file = file_,
                       .suggestion = "build it again with this program: volary plugin build"};
  const PluginCommon common{info.version, info.memory_bytes, info.name, info.doc, info.params, info.param_count};
  core::Result<ScriptParams> defaults = read_common(common, VOLARY_PLUGIN_VERSION, kMostMemory, info.act != nullptr, file_);
  if (!defaults) return defaults.error();
  defaults_ = std::move(defaults).value();
  info_ = &info;
  name_ = info.name;
  doc_ = info.doc != nullptr ? info.doc : "";
  memory_bytes_ = (info.memory_bytes + std::size_t{7}) / 8 * 8;
  return core::ok();
}

Script::Outcome Plugin::decide(const Sense& sense, std::span<const double> params, std::span<std::byte> memory, Outbox& out, double threshold) const {
  core::require(params.size() == defaults_.size() && memory.size() >= memory_bytes_, "a plugin gets as many parameters and bytes as it declares");
  Said said{.face = {say, say_as, log, plot}, .messages = {}, .notes = {}, .refused = {}};
  const auto fail = [&](const std::string& text) { return Script::Outcome{.error = file_ + ": " + text, .notes = std::move(said.notes)}; };
  volary_sense plain_sense = plain(sense, params);
  std::vector<volary_reading> readings;
  list_readings(sense, readings);
  plain_sense.readings = readings.data();
  plain_sense.reading_count = readings.size();
  volary_action a{};
  a.reward = 1;
  Script::Outcome outcome{.ok = true};
  std::vector<std::byte> next(memory.begin(), memory.end());
  try {
    if (info_->trigger != nullptr) outcome.trigger = info_->trigger(&plain_sense, next.data());
    if (!std::isfinite(outcome.trigger)) return fail("trigger() returned a number that is not finite");
    if (!(outcome.trigger > threshold)) return outcome;
    info_->act(&plain_sense, next.data(), &a, &said.face);
  } catch (...) {
    return fail("an exception left the plugin");
  }
  if (const std::string fault = fault_of(a, said); !fault.empty()) return fail(fault);
  if (!next.empty()) std::memcpy(memory.data(), next.data(), next.size());
  outcome.action = {.kind = static_cast<Action::Kind>(a.kind),
                    .velocity = vector(a.velocity),
                    .position = vector(a.position),
                    .yaw = a.yaw,
                    .turns = a.turns != 0,
                    .reward = a.reward,
                    .role = a.role};
  for (const Message& m : said.messages) out.post(m);
  outcome.notes = std::move(said.notes);
  return outcome;
}

}  // namespace volary::swarm

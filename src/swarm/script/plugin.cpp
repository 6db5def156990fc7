// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/script/plugin.hpp"

#include <dlfcn.h>

#include <cmath>
#include <cstring>
#include <exception>
#include <filesystem>

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
constexpr std::size_t kMostParams = 64;

constexpr volary_math kMath = {
    [](double x) { return math::sin(x); },  [](double x) { return math::cos(x); },  [](double x) { return math::tan(x); },
    [](double x) { return math::asin(x); }, [](double x) { return math::acos(x); }, [](double y, double x) { return math::atan2(y, x); },
    [](double x) { return math::exp(x); },  [](double x) { return math::log(x); },  [](double x, double y) { return math::pow(x, y); }};

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
  c.math = &kMath;
  c.uniform = [](const volary_sense* sense, std::uint32_t draw) { return static_cast<const Sense*>(sense->host)->uniform(draw); };
  c.host = &s;
  return c;
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

// what the system's loader says, without the name of the file that it was shown
std::string loader_words(const std::string& path) {
  const std::string words = dlerror(), start = std::filesystem::absolute(path).string() + ": ";
  return words.starts_with(start) ? words.substr(start.size()) : words;
}

}  // namespace

core::Result<std::unique_ptr<Plugin>> Plugin::open(const std::string& path, const std::string& name) {
  std::unique_ptr<Plugin> p(new Plugin);
  p->file_ = name;
  std::error_code code;
  if (!std::filesystem::is_regular_file(path, code))
    return core::Error{.message = "there is no such plugin", .file = name, .suggestion = "volary plugin build FILE.cpp makes one"};
  // with a bare name the loader would look everywhere else
  p->library_ = dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (p->library_ == nullptr)
    return core::Error{
        .message = "not a library that can be loaded: " + loader_words(path), .file = name, .suggestion = "volary plugin build FILE.cpp makes one"};
  void* const entry = dlsym(p->library_, "volary_plugin");
  if (entry == nullptr)
    return core::Error{.message = "no plugin: it does not export volary_plugin()", .file = name, .suggestion = "see include/volary/plugin.h"};
  const volary_plugin_info* const info = reinterpret_cast<const volary_plugin_info* (*)()>(entry)();
  if (info == nullptr) return core::Error{.message = "volary_plugin() returned nothing", .file = name, .suggestion = "see include/volary/plugin.h"};
  if (const core::Status read = p->read_info(*info); !read) return read.error();
  return p;
}

core::Status Plugin::read_info(const volary_plugin_info& info) {
  // nothing but the version is where this program expects it before the version is known
  if (info.version != VOLARY_PLUGIN_VERSION)
    return core::Error{.message = "made for version " + std::to_string(info.version) + " of the plugin interface; this program has version " +
                                  std::to_string(VOLARY_PLUGIN_VERSION),
                       .file = file_,
                       .suggestion = "build it again with this program: volary plugin build"};
  if (info.act == nullptr || info.name == nullptr || *info.name == 0) return core::Error{.message = "a plugin has at least a name and act()", .file = file_};
  if (info.memory_bytes > kMostMemory || info.param_count > kMostParams)
    return core::Error{.message = "an agent may remember at most 65536 bytes, and a plugin has at most 64 parameters", .file = file_};
  for (std::size_t i = 0; i < info.param_count; ++i) {
    const volary_param& param = info.params[i];
    if (param.name == nullptr || !std::isfinite(param.value)) return core::Error{.message = "a parameter has no name or no finite default", .file = file_};
    defaults_.emplace_back(param.name, param.value);
  }
  info_ = &info;
  name_ = info.name;
  doc_ = info.doc != nullptr ? info.doc : "";
  memory_bytes_ = (info.memory_bytes + std::size_t{7}) / 8 * 8;
  return core::ok();
}

Plugin::~Plugin() {
  if (library_ != nullptr) dlclose(library_);
}

Script::Outcome Plugin::decide(const Sense& sense, std::span<const double> params, std::span<std::byte> memory, Outbox& out, double threshold) const {
  core::require(params.size() == defaults_.size() && memory.size() >= memory_bytes_, "a plugin gets as many parameters and bytes as it declares");
  Said said{.face = {say, say_as, log, plot}, .messages = {}, .notes = {}, .refused = {}};
  const auto fail = [&](const std::string& text) { return Script::Outcome{.error = file_ + ": " + text, .notes = std::move(said.notes)}; };
  const volary_sense plain_sense = plain(sense, params);
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

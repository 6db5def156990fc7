// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/action.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/suggest.hpp"
#include "server/payload_json.hpp"
#include "vehicles/components.hpp"

namespace volary::server {

using Json = nlohmann::json;

namespace {

constexpr double kFar = 1e6;         // m: nobody flies farther
constexpr double kFastest = 1e3;     // m/s
constexpr double kFastestTurn = 50;  // rad/s
constexpr std::uint64_t kMostTicks = 100'000;
constexpr std::size_t kMostDepth = 16, kMostMoments = 1000;
constexpr double kLatest = 1e6;      // s from now

core::Error error_in(const char* field, std::string message, std::string suggestion = "") {
  return core::Error{.message = std::move(message), .field = field, .suggestion = std::move(suggestion)};
}

// reads fields of one object and remembers the first fault
class Reader {
 public:
  explicit Reader(const Json& object) : object_(object) {}

  const Json* find(const char* field, bool required = true) {
    const auto it = object_.find(field);
    if (it != object_.end() && !it->is_null()) return &*it;
    if (required) fail(field, "is missing");
    return nullptr;
  }
  void number(const char* field, double& out, double low, double high, bool required = true) {
    const Json* j = find(field, required);
    if (j == nullptr) return;
    if (!j->is_number()) return fail(field, "must be a number");
    const double x = j->get<double>();
    if (!(x >= low && x <= high)) return fail(field, fmt::format("must be between {:g} and {:g}", low, high));
    out = x;
  }
  template <class T> void integer(const char* field, T& out, std::int64_t low, std::int64_t high, bool required = true) {
    const Json* j = find(field, required);
    if (j == nullptr) return;
    if (!j->is_number_integer()) return fail(field, "must be a whole number");
    const bool too_large = j->is_number_unsigned() && j->get<std::uint64_t>() > static_cast<std::uint64_t>(high);
    if (too_large || j->get<std::int64_t>() < low || j->get<std::int64_t>() > high) return fail(field, fmt::format("must be between {} and {}", low, high));
    out = static_cast<T>(j->get<std::int64_t>());
  }
  void flag(const char* field, bool& out) {
    const Json* j = find(field, false);
    if (j == nullptr) return;
    if (!j->is_boolean()) return fail(field, "must be true or false");
    out = j->get<bool>();
  }
  void text(const char* field, std::string& out, bool required = true) {
    const Json* j = find(field, required);
    if (j != nullptr) read_text(field, *j, out);
  }
  void texts(const char* field, std::vector<std::string>& out, std::size_t most, bool required = true) {
    const Json* j = find(field, required);
    if (j == nullptr) return;
    if (!j->is_array()) return fail(field, "must be a list of texts");
    if (j->size() > most) return fail(field, fmt::format("has {} entries, at most {} are allowed", j->size(), most));
    for (const Json& item : *j) read_text(field, item, out.emplace_back());
  }
  void vec(const char* field, Vec& out, double most) {
    const Json* j = find(field);
    if (j == nullptr) return;
    if (!j->is_array() || j->size() != 3) return fail(field, "must be three numbers: east, north, up");
    for (std::size_t k = 0; k < 3; ++k) {
      if (!(*j)[k].is_number()) return fail(field, "must be three numbers: east, north, up");
      out[k] = (*j)[k].get<double>();
      if (!(out[k] >= -most && out[k] <= most)) return fail(field, fmt::format("must be within {:g}", most));
    }
  }
  // names or numbers: who has them is known to the session
  void vehicle(const char* field, std::string& out) {
    if (const Json* j = find(field)) read_vehicle(field, *j, out);
  }
  void who(const char* field, std::vector<std::string>& out, bool required = true) {
    const Json* j = find(field, required);
    if (j == nullptr) return;
    if (!j->is_array()) return fail(field, "must be a list of names or numbers of vehicles");
    if (j->size() > static_cast<std::size_t>(wire::kIdsPerCommand)) return fail(field, fmt::format("has {} entries, at most {} are allowed", j->size(), wire::kIdsPerCommand));
    if (j->empty()) return fail(field, "names no vehicle");
    for (const Json& item : *j) read_vehicle(field, item, out.emplace_back());
  }
  // refuses names that are none of these
  void only(std::initializer_list<const char*> known) {
    for (const auto& [name, value] : object_.items())
      if (std::find(known.begin(), known.end(), name) == known.end())
        fail(name.substr(0, 40).c_str(), "is not a field", core::did_you_mean(name, {known.begin(), known.end()}));
  }
  void fail(const char* field, std::string message, std::string suggestion = "") {
    if (!error_) error_ = error_in(field, std::move(message), std::move(suggestion));
  }
  void fail(core::Error error) {
    if (!error_) error_ = std::move(error);
  }
  const std::optional<core::Error>& error() const { return error_; }

 private:
  void read_text(const char* field, const Json& j, std::string& out) {
    if (!j.is_string()) return fail(field, "must be a text");
    out = j.get<std::string>();
    if (out.size() > 1024) return fail(field, "is longer than 1024 bytes");
    for (const char c : out)
      if (static_cast<unsigned char>(c) < 0x20) return fail(field, "holds a control character");
  }
  void read_vehicle(const char* field, const Json& j, std::string& out) {
    if (j.is_number_unsigned() || (j.is_number_integer() && j.get<std::int64_t>() >= 0))
      out = std::to_string(j.get<std::uint64_t>());
    else if (j.is_string())
      read_text(field, j, out);
    else
      return fail(field, "must be the name or the number of a vehicle");
    if (out.empty() || out == "0") fail(field, "'" + out + "' is neither the name nor the number of a vehicle");
  }

  const Json& object_;
  std::optional<core::Error> error_;
};

void read_mode(Reader& r, Action& a) {
  std::string word;
  r.text("mode", word);
  using Order = runner::FlightOrder::Kind;
  struct Meaning {
    const char* word;
    Order order;
    std::optional<Mode> mode;
  };
  static const Meaning kMeanings[] = {{"hold", Order::Hold, Mode::Hold},
                                      {"land", Order::Land, Mode::Land},
                                      {"take_off", Order::TakeOff, Mode::TakeOff},
                                      {"mission", Order::Mission, Mode::Mission},
                                      {"emergency_stop", Order::Terminate, Mode::EmergencyStop},
                                      {"arm", Order::Arm, {}},
                                      {"disarm", Order::Disarm, {}},
                                      {"return", Order::Return, {}}};
  const auto it = std::find_if(std::begin(kMeanings), std::end(kMeanings), [&](const Meaning& m) { return m.word == word; });
  std::vector<std::string> words;
  for (const Meaning& m : kMeanings) words.emplace_back(m.word);
  if (it == std::end(kMeanings)) return r.fail("mode", "unknown mode '" + word.substr(0, 40) + "'", core::did_you_mean(word, words));
  a.mode = it->mode;
  a.order = it->order;
  a.name = word;
}

void read_spawn(Reader& r, Action& a) {
  r.text("flock", a.flock);
  r.vec("position", a.position, kFar);
  r.text("name", a.name, false);
  if (a.name.size() > 64) r.fail("name", "is longer than 64 bytes");
}

void read_parameter(Reader& r, Action& a) {
  r.who("ids", a.who);
  r.text("name", a.name);
  r.integer("component", a.component, 0, 1000, false);
  r.number("value", a.value, -1e12, 1e12);
}

void read_behaviour(Reader& r, Action& a) {
  r.who("ids", a.who);
  r.text("kind", a.name);
  r.number("weight", a.value, 0, 1e6);
}

void read_field(Reader& r, Action& a) {
  r.who("ids", a.who, false);
  r.text("path", a.name);
  r.text("value", a.text);
}

// the same kind of input again and again: a trajectory
void read_series(Reader& r, const std::string& kind, const Json& series, bool has_fields, Action& a) {
  if (has_fields) return r.fail("series", "has fields of its own: give either fields or series");
  if (!series.is_array() || series.empty() || series.size() > kMostMoments) return r.fail("series", fmt::format("must be a list of 1 to {} objects", kMostMoments));
  for (std::size_t k = 0; k < series.size() && !r.error(); ++k) {
    const std::string at = fmt::format("series[{}]", k);
    if (!series[k].is_object()) return r.fail(at.c_str(), "must be an object with after and fields");
    Reader inner(series[k]);
    Action::Moment moment;
    inner.number("after", moment.after, 0, kLatest);
    const Json* fields = inner.find("fields");
    core::Result<Payload> payload = inner.error() ? core::Result<Payload>(*inner.error()) : read_payload(kind, *fields);
    if (!payload) {
      core::Error error = payload.error();
      if (error.field != "kind") error.field = at + "." + error.field;
      return r.fail(std::move(error));
    }
    moment.payload = std::move(payload).value();
    a.series.push_back(std::move(moment));
  }
}

// any input of the engine: its fields are those of engine/payloads.hpp
void read_input(Reader& r, Action& a) {
  std::string kind;
  r.text("kind", kind);
  r.who("ids", a.who, false);
  r.integer("tick", a.tick, 0, std::int64_t{1} << 53, false);
  const Json* fields = r.find("fields", false);
  if (const Json* series = r.find("series", false)) return read_series(r, kind, *series, fields != nullptr, a);
  if (r.error()) return;
  core::Result<Payload> payload = read_payload(kind, fields == nullptr ? Json::object() : *fields);
  if (!payload) return r.fail(payload.error());
  a.payload = std::move(payload).value();
}

// three numbers, or those that come first: the others are 0
bool read_amount(const Json& given, Json& amount) {
  amount = Json::array();
  if (given.is_number()) amount.push_back(given);
  if (given.is_array()) amount = given;
  const bool is_good = !amount.empty() && amount.size() <= 3;
  while (amount.size() < 3) amount.push_back(0);
  return is_good;
}

// a fault of a component, with the fields of the input of that name
void read_fault(Reader& r, Action& a) {
  r.who("ids", a.who);
  std::string component;
  r.text("component", component);
  if (r.find("kind") == nullptr || r.error()) return;
  if (const auto known = engine::parse_component(component); !known) return r.fail(known.error());
  r.only({"ids", "component", "kind", "amount", "probability", "mean_on", "mean_off", "duration"});
  Json fields = {{"component", component}};
  for (const char* name : {"kind", "probability", "mean_on", "mean_off", "duration"})
    if (const Json* given = r.find(name, false)) fields[name] = *given;
  if (const Json* given = r.find("amount", false); given != nullptr && !read_amount(*given, fields["amount"]))
    return r.fail("amount", "must be a number, or a list of up to three numbers");
  core::Result<Payload> payload = read_payload("fault", fields);
  if (payload) {
    a.payload = std::move(payload).value();
    return;
  }
  core::Error error = payload.error();
  if (error.field.starts_with("fields.")) error.field.erase(0, 7);
  r.fail(std::move(error));
}

void read_args(Reader& r, Action& a) {
  using wire::Command;
  switch (a.command) {
    case Command::Pause:
    case Command::Resume:
    case Command::Reset:
    case Command::Stop: return;
    case Command::Step: return r.integer("ticks", a.ticks, 1, kMostTicks, false);
    case Command::Speed:
      r.number("factor", a.factor, 0, 1e6);
      if (a.factor > 0 && a.factor < 1e-3) r.fail("factor", "must be 0 (as fast as it goes) or at least 0.001");
      return;
    case Command::Start:
      r.text("scenario", a.scenario);
      r.texts("overrides", a.overrides, 256, false);
      return r.flag("paused", a.paused);
    case Command::Goto:
      r.who("ids", a.who);
      r.vec("position", a.position, kFar);
      return r.flag("keep_offsets", a.keep_offsets);
    case Command::Mode: return r.who("ids", a.who), read_mode(r, a);
    case Command::Spawn: return read_spawn(r, a);
    case Command::Remove: return r.who("ids", a.who);
    case Command::Parameter: return read_parameter(r, a);
    case Command::Behaviour: return read_behaviour(r, a);
    case Command::Field: return read_field(r, a);
    case Command::EmergencyStop: return r.who("ids", a.who, false);
    case Command::Fault: return read_fault(r, a);
    case Command::Input: return read_input(r, a);
    case Command::Take:
    case Command::Release: return r.vehicle("id", a.who.emplace_back());
  }
}

}  // namespace

core::Result<Action> parse_action(std::string_view name, const Json& args) {
  const std::vector<std::string> known(std::begin(wire::kCommands), std::end(wire::kCommands));
  const auto it = std::find(known.begin(), known.end(), name);
  if (it == known.end())
    return core::Error{.message = "unknown command '" + std::string(name.substr(0, 40)) + "'", .suggestion = core::did_you_mean(name, known)};
  if (!args.is_object() && !args.is_null()) return core::Error{.message = std::string(name) + ": the arguments must be an object"};
  Action action;
  action.command = static_cast<wire::Command>(it - known.begin());
  const Json empty = Json::object();
  Reader reader(args.is_null() ? empty : args);
  read_args(reader, action);
  if (reader.error()) {
    core::Error error = *reader.error();
    error.field = std::string(name) + "." + error.field;
    return error;
  }
  return action;
}

namespace {

void read_view(Reader& r, LiveView& view) {
  std::string word = kLiveViewNames.front();
  r.text("view", word, false);
  const auto it = std::find(kLiveViewNames.begin(), kLiveViewNames.end(), word);
  if (it == kLiveViewNames.end())
    return r.fail("view", "unknown view '" + word.substr(0, 40) + "'", core::did_you_mean(word, {kLiveViewNames.begin(), kLiveViewNames.end()}));
  view = static_cast<LiveView>(it - kLiveViewNames.begin());
}

core::Result<ClientMessage> read_control(Reader& r) {
  ControlMessage m;
  r.vehicle("id", m.who);
  r.vec("velocity", m.velocity, kFastest);
  r.number("yaw_rate", m.yaw_rate, -kFastestTurn, kFastestTurn);
  r.number("roll_rate", m.roll_rate, -kFastestTurn, kFastestTurn, false);
  r.number("pitch_rate", m.pitch_rate, -kFastestTurn, kFastestTurn, false);
  r.flag("level", m.is_levelling);
  if (r.error()) return *r.error();
  return ClientMessage(m);
}

}  // namespace

core::Result<ClientMessage> parse_client_message(std::string_view text) {
  const core::Result<Json> json = parse_json(text);
  if (!json) return json.error();
  if (!json.value().is_object()) return core::Error{.message = "a message must be an object"};
  Reader r(json.value());
  std::string type;
  r.text("type", type);
  if (r.error()) return *r.error();
  if (type == wire::kWant) {
    WantMessage m;
    r.number("rate", m.rate, wire::kRateMin, wire::kRateMax);
    r.flag("links", m.links);
    if (r.find("decision", false) != nullptr) r.vehicle("decision", m.decision);
    r.flag("fields", m.fields);
    r.flag("stimuli", m.stimuli);
    r.texts("plots", m.plots, wire::kPlottedVehicles, false);
    r.texts("estimates", m.estimates, wire::kEstimatedVehicles, false);
    r.texts("bodies", m.bodies, wire::kBodyVehicles, false);
    read_view(r, m.view);
    if (r.error()) return *r.error();
    return ClientMessage(m);
  }
  if (type == wire::kControl) return read_control(r);
  if (type != wire::kCommand)
    return error_in("type", "unknown type '" + type.substr(0, 40) + "'", core::did_you_mean(type, {wire::kWant, wire::kCommand, wire::kControl}));
  std::int64_t seq = 0;
  std::string name;
  r.integer("seq", seq, 0, std::int64_t{1} << 53);
  r.text("name", name);
  if (r.error()) return *r.error();
  const Json* args = r.find("args", false);
  return ClientMessage(CommandMessage{seq, parse_action(name, args == nullptr ? Json() : *args)});
}

core::Result<Json> parse_json(std::string_view text) {
  bool too_deep = false;
  const auto watch = [&](int depth, Json::parse_event_t, Json&) { return too_deep = too_deep || depth > static_cast<int>(kMostDepth), !too_deep; };
  Json json = Json::parse(text, watch, false);
  if (too_deep) return core::Error{.message = "JSON that is nested too deeply"};
  if (json.is_discarded()) return core::Error{.message = "this is not JSON"};
  return json;
}

std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }
std::string id_text(VehicleId id) { return std::to_string(id.number()); }

}  // namespace volary::server

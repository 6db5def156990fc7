// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What programs write to the vehicles of a federation. Pure.
#include <algorithm>

#include <fmt/format.h>

#include "cli/federation_api.hpp"
#include "core/suggest.hpp"

namespace volary::cli {

using Json = nlohmann::json;

namespace {

core::Error wrong(const char* field, std::string message, std::string suggestion = "") {
  return {.message = std::move(message), .field = field, .suggestion = std::move(suggestion)};
}

// the first name that is none of those a message may have
core::Status check_names(const Json& object, const std::vector<std::string>& known) {
  for (const auto& [name, value] : object.items())
    if (std::find(known.begin(), known.end(), name) == known.end())
      return core::Error{.message = "'" + name.substr(0, 40) + "' is not a field", .suggestion = core::did_you_mean(name, known)};
  return core::ok();
}

core::Result<std::vector<std::string>> read_watched(const Json& ids) {
  std::vector<std::string> names;
  for (const Json& id : ids) {
    if (id.is_string())
      names.push_back(id.get<std::string>());
    else if (id.is_number_unsigned())
      names.push_back(std::to_string(id.get<std::uint64_t>()));
    else
      return wrong("vehicle", "must be the name or the number of a vehicle");
  }
  return names;
}

}  // namespace

core::Result<server::Action> parse_command(const std::string& name, const Json& fields) {
  if (name == "take" || name == "release")
    return wrong("order", "'" + name + "' is a command of the page: it ends with its connection", "send setpoints instead");
  return server::parse_action(name, fields);
}

core::Result<PhysicsWish> parse_physics(const Json& o) {
  if (!o.is_object()) return core::Error{.message = "a message must be an object"};
  PhysicsWish wish;
  if (const core::Status good = check_names(o, {"id", "vehicle", "vehicles", "setpoint", "mode", "telemetry"}); !good) return good.error();
  if (o.contains("vehicle") == o.contains("vehicles")) return wrong("vehicle", "must be given: one 'vehicle', or a list of 'vehicles'");
  const Json ids = o.contains("vehicle") ? Json::array({o["vehicle"]}) : o["vehicles"];
  if (!ids.is_array() || ids.empty() || ids.size() > static_cast<std::size_t>(server::wire::kIdsPerCommand))
    return wrong("vehicles", fmt::format("must be a list of 1 to {} names or numbers", server::wire::kIdsPerCommand));
  if (static_cast<int>(o.contains("setpoint")) + static_cast<int>(o.contains("mode")) + static_cast<int>(o.contains("telemetry")) != 1)
    return core::Error{.message = "a message has exactly one of 'setpoint', 'mode' and 'telemetry'"};
  if (o.contains("telemetry")) {
    const Json& rate = o["telemetry"];
    if (!rate.is_number() || !(rate.get<double>() >= 0 && rate.get<double>() <= 60)) return wrong("telemetry", "must be a rate from 0 to 60 Hz");
    core::Result<std::vector<std::string>> names = read_watched(ids);
    if (!names) return names.error();
    wish.watched = std::move(names).value();
    wish.telemetry = rate.get<double>();
    return wish;
  }
  core::Result<server::Action> action = o.contains("mode") ? server::parse_action("mode", {{"ids", ids}, {"mode", o["mode"]}})
                                                           : server::parse_action("input", {{"kind", "setpoint"}, {"ids", ids}, {"fields", o["setpoint"]}});
  if (!action) return action.error();
  wish.action = std::move(action).value();
  return wish;
}

}  // namespace volary::cli

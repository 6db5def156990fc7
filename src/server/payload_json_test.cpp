// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/payload_json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/payloads.hpp"

namespace volary::server {
namespace {

using Json = nlohmann::json;

// a value that the schema of a field allows
Json sound(const Json& schema) {
  if (schema.contains("enum")) return schema["enum"].back();
  const std::string type = schema["type"];
  if (type == "boolean") return true;
  if (type == "string") return "x";
  if (type == "array") return Json(schema.value("maxItems", 3), sound(schema["items"]));
  if (type == "object") {
    Json object = Json::object();
    for (const auto& [name, inner] : schema["properties"].items()) object[name] = sound(inner);
    return object;
  }
  return type == "integer" ? Json(1) : Json(0.5);
}

void expect_error(const core::Result<Payload>& result, const std::string& words) {
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().text().find(words), std::string::npos) << result.error().text();
}

TEST(payload_json, every_kind_is_read_as_its_schema_says) {
  const Json schemas = payload_schemas();
  ASSERT_EQ(schemas.size(), std::variant_size_v<Payload>);
  for (std::size_t k = 0; k < engine::payload_names().size(); ++k) {
    const char* kind = engine::payload_names()[k];
    const core::Result<Payload> whole = read_payload(kind, sound(schemas[kind]));
    ASSERT_TRUE(whole) << kind << ": " << whole.error().text();
    EXPECT_EQ(whole.value().index(), k);
    for (const auto& [name, schema] : schemas[kind]["properties"].items()) {
      EXPECT_FALSE(schema["description"].get<std::string>().empty()) << kind << "." << name;
      expect_error(read_payload(kind, {{name, Json::array({Json::object()})}}), "fields." + name);
    }
    expect_error(read_payload(kind, {{"wings", 2}}), "fields.wings: is not a field");
  }
}

TEST(payload_json, values_arrive_in_their_fields) {
  const auto set = read_payload("setpoint", {{"level", "attitude"}, {"thrust", 4.5}, {"attitude", {0, 1, 0, 0}}, {"motor_speed", {10, 20, 30, 40}}});
  ASSERT_TRUE(set);
  const auto& s = std::get<SetSetpoint>(set.value());
  EXPECT_EQ(s.level, ControlLevel::Attitude);
  EXPECT_EQ(s.thrust, 4.5);
  EXPECT_EQ(s.attitude[1], 1);
  EXPECT_EQ(s.motor_speed[3], 40);
  EXPECT_EQ(s.motor_speed[4], 0);
  const auto spawn = read_payload("spawn", {{"flock", "birds"}, {"vehicle", {{"name", "late"}, {"position", {1, 2, 3}}, {"harmonic", {{"ramp", 2}}}}}});
  ASSERT_TRUE(spawn);
  EXPECT_EQ(std::get<Spawn>(spawn.value()).vehicle.position_W[2], 3);
  EXPECT_EQ(std::get<Spawn>(spawn.value()).vehicle.harmonic.ramp, 2);
}

TEST(payload_json, what_is_wrong_is_named) {
  expect_error(read_payload("setpiont", Json::object()), "did you mean 'setpoint'");
  expect_error(read_payload("setpoint", {{"levl", "position"}}), "did you mean 'level'");
  expect_error(read_payload("setpoint", {{"level", "positon"}}), "did you mean 'position'");
  expect_error(read_payload("setpoint", {{"position", {1, 2}}}), "fields.position: must be 3 numbers");
  expect_error(read_payload("setpoint", {{"position", {1, 2, "3"}}}), "fields.position[2]: must be a number");
  expect_error(read_payload("setpoint", {{"position", {1, 2, 1e300}}}), "fields.position");
  expect_error(read_payload("rotor_failure", {{"rotor", 8}}), "fields.rotor");
  expect_error(read_payload("rotor_failure", {{"rotor", 1.5}}), "fields.rotor: must be a whole number");
  expect_error(read_payload("spawn", {{"vehicle", {{"world", -1}}}}), "fields.vehicle.world: must be a whole number between 0");
  expect_error(read_payload("parameter", {{"name", "ma\nss"}}), "fields.name: holds a control character");
  expect_error(read_payload("bulk", {{"ids", {1}}}), "fields.ids: is not a field");
  expect_error(read_payload("mode", 7), "fields: must be an object");
}

}  // namespace
}  // namespace volary::server

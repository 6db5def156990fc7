// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/federation_api.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace volary::cli {
namespace {

using Json = nlohmann::json;
using server::wire::Command;

template <class T> std::string why(const core::Result<T>& wish) { return wish ? "taken" : wish.error().text(); }
core::Result<PhysicsWish> physics(const char* text) { return parse_physics(Json::parse(text)); }

TEST(federation_api, a_command_is_one_of_the_page_that_outlives_a_connection) {
  const auto order = parse_command("goto", Json::parse(R"({"ids": ["inner[0]", 3], "position": [1, 2, 5]})"));
  ASSERT_TRUE(order) << order.error().text();
  EXPECT_EQ(order.value().command, Command::Goto);
  EXPECT_EQ(order.value().who, (std::vector<std::string>{"inner[0]", "3"}));
  EXPECT_NE(why(parse_command("gotoo", Json::object())).find("goto"), std::string::npos);
  EXPECT_NE(why(parse_command("take", {{"id", "1"}})).find("command of the page"), std::string::npos);
  EXPECT_NE(why(parse_command("goto", {{"ids", {"1"}}})).find("goto.position: is missing"), std::string::npos);
}

TEST(federation_api, a_vehicle_is_flown_by_setpoints_and_modes_and_tells_how_it_does) {
  const auto setpoint = physics(R"({"vehicle": "inner[0]", "setpoint": {"level": "velocity", "velocity": [1, 0, 0], "yaw": 0.5}})");
  ASSERT_TRUE(setpoint) << setpoint.error().text();
  const auto& payload = std::get<SetSetpoint>(setpoint.value().action->payload);
  EXPECT_EQ(payload.level, ControlLevel::Velocity);
  EXPECT_EQ(payload.velocity_W, (Vec{1, 0, 0}));
  const auto mode = physics(R"({"id": 2, "vehicles": [1, 2], "mode": "take_off"})");
  ASSERT_TRUE(mode) << mode.error().text();
  EXPECT_EQ(mode.value().action->mode, Mode::TakeOff);
  const auto telemetry = physics(R"({"vehicle": 4, "telemetry": 10})");
  ASSERT_TRUE(telemetry) << telemetry.error().text();
  EXPECT_EQ(telemetry.value().watched, std::vector<std::string>{"4"});
  EXPECT_EQ(telemetry.value().telemetry, 10);
  EXPECT_FALSE(telemetry.value().action);
  for (const auto& [text, words] :
       std::vector<std::pair<const char*, const char*>>{{R"({"setpoint": {"level": "velocity"}})", "vehicle: must be given"},
                                                        {R"({"vehicle": 1, "vehicles": [1], "mode": "hold"})", "vehicle: must be given"},
                                                        {R"({"vehicle": 1})", "exactly one of"},
                                                        {R"({"vehicle": 1, "mode": "hold", "telemetry": 1})", "exactly one of"},
                                                        {R"({"vehicle": 1, "telemetry": 61})", "0 to 60 Hz"},
                                                        {R"({"vehicle": [1], "telemetry": 1})", "name or the number"},
                                                        {R"({"vehicles": [], "mode": "hold"})", "1 to 2000"},
                                                        {R"({"vehicle": 1, "setpoint": {"level": "velocity", "velocty": [1, 0, 0]}})", "velocity"},
                                                        {R"({"vehicle": 1, "mode": "fly"})", "unknown mode"}})
    EXPECT_NE(why(physics(text)).find(words), std::string::npos) << text << ": " << why(physics(text));
}

TEST(federation_api, a_message_to_vehicles_is_an_object) {
  EXPECT_NE(why(physics("[1]")).find("must be an object"), std::string::npos);
  EXPECT_NE(why(physics(R"({"id": 1, "vehicle": 1, "setpiont": {}})")).find("setpoint"), std::string::npos);
}

}  // namespace
}  // namespace volary::cli

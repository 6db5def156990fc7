// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/schema.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace volary::scenario {

namespace {

using Json = nlohmann::json;

const Json& property(const Json& object, const char* name) { return object.at("properties").at(name); }

}  // namespace

TEST(schema, says_which_draft_it_is) {
  const Json schema = Json::parse(scenario_schema());
  EXPECT_EQ(schema.at("$schema"), "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(schema.at("type"), "object");
  EXPECT_EQ(schema.at("additionalProperties"), false);
}

TEST(schema, carries_bounds_defaults_and_units_of_the_describe_lists) {
  const Json schema = Json::parse(scenario_schema());
  const Json& gravity = property(property(schema, "environment"), "gravity");
  EXPECT_EQ(gravity.at("type"), "number");
  EXPECT_EQ(gravity.at("minimum"), 0);
  EXPECT_EQ(gravity.at("maximum"), 100);
  EXPECT_EQ(gravity.at("default"), 9.80665);
  EXPECT_EQ(gravity.at("description"), "gravitational acceleration, downwards; absent with an origin: normal gravity at the origin [m/s2]");
}

TEST(schema, required_fields_and_choices_are_listed) {
  const Json schema = Json::parse(scenario_schema());
  EXPECT_EQ(schema.at("required"), Json::array({"flocks"}));
  const Json& flock = property(schema, "flocks").at("items");
  EXPECT_EQ(flock.at("required"), Json::array({"name", "vehicles"}));
  EXPECT_EQ(property(flock, "start").at("enum"), Json::array({"disarmed", "armed", "take_off", "hold", "mission"}));
  EXPECT_EQ(property(schema, "flocks").at("minItems"), 1);
}

TEST(schema, an_angle_may_be_given_in_degrees) {
  const Json schema = Json::parse(scenario_schema());
  const Json& flock = property(schema, "flocks").at("items");
  EXPECT_NEAR(property(flock, "yaw_deg").at("maximum").get<double>(), 360, 1e-9);
}

TEST(schema, angles_of_an_optional_vector_are_three_in_degrees_too) {
  const Json schema = Json::parse(scenario_schema());
  const Json& angles = property(property(schema, "events").at("items"), "angles_deg");
  EXPECT_EQ(angles.at("type"), "array");
  EXPECT_EQ(angles.at("minItems"), 3);
  EXPECT_NEAR(angles.at("items").at("maximum").get<double>(), 360.96, 0.01);
}

TEST(schema, structures_stand_beside_what_else_the_environment_has) {
  const Json schema = Json::parse(scenario_schema());
  const Json& environment = property(schema, "environment");
  EXPECT_TRUE(environment.at("properties").contains("gravity"));
  const Json& structures = property(environment, "structures");
  EXPECT_EQ(structures.at("maxItems"), 32);
  const Json& one = structures.at("items");
  EXPECT_EQ(one.at("required"), Json::array({"name"}));
  EXPECT_EQ(property(one, "wall").at("required"), Json::array({"centre"}));
  EXPECT_NEAR(property(property(one, "funnel"), "pitch_deg").at("maximum").get<double>(), 90, 1e-9);
  EXPECT_EQ(property(property(property(one, "funnel"), "surface"), "friction").at("default"), 0.6);
}

TEST(schema, docking_is_optional_and_names_its_flock) {
  const Json flock = property(Json::parse(scenario_schema()), "flocks").at("items");
  EXPECT_EQ(property(flock, "docking").at("required"), Json::array({"with"}));
  EXPECT_EQ(property(flock, "joined").at("default"), false);
}

TEST(schema, a_load_is_optional_and_needs_mass_size_and_a_cable) {
  const Json load = property(property(Json::parse(scenario_schema()), "flocks").at("items"), "load");
  EXPECT_EQ(load.at("required"), Json::array({"mass", "size", "cable"}));
  EXPECT_EQ(property(load, "cable").at("required"), Json::array({"length"}));
  EXPECT_EQ(property(load, "hooks").at("maxItems"), 4);
  EXPECT_EQ(property(load, "with").at("maxItems"), 3);
}

TEST(schema, an_optional_field_has_no_default_and_a_vector_three_numbers) {
  const Json schema = Json::parse(scenario_schema());
  const Json& circle = property(property(property(schema, "flocks").at("items"), "mission"), "circle");
  EXPECT_FALSE(property(circle, "speed").contains("default"));
  EXPECT_EQ(property(circle, "centre").at("minItems"), 3);
  EXPECT_EQ(property(circle, "centre").at("maxItems"), 3);
}

TEST(schema, an_airframe_is_one_of_the_models) {
  const Json schema = Json::parse(airframe_schema());
  bool found = false;
  for (const Json& model : schema.at("oneOf")) {
    if (property(model, "model").at("const") != "multirotor") continue;
    found = true;
    EXPECT_EQ(property(model, "mass").at("minimum"), 1e-4);
    EXPECT_EQ(property(property(model, "rotors").at("items"), "spin").at("type"), "integer");
    EXPECT_EQ(model.at("required").at(0), "model");
    const Json& effector = property(model, "effectors").at("items");
    EXPECT_EQ(property(effector, "kind").at("enum"), Json::array({"pole", "plate", "cylinder", "cone"}));
    EXPECT_EQ(effector.at("required"), Json::array({"name", "kind", "length", "radius"}));
    EXPECT_EQ(property(property(effector, "surface"), "friction").at("maximum"), 10);
    EXPECT_TRUE(effector.at("properties").contains("latch_angle_deg"));
  }
  EXPECT_TRUE(found);
}

TEST(markdown, has_a_row_for_every_field_with_unit_range_and_default) {
  const std::string text = describe_markdown();
  EXPECT_NE(text.find("| `environment.gravity` | number | m/s2 | between 0 and 100 | 9.80665 | gravitational acceleration, downwards; absent with an origin: normal gravity at the origin |"), std::string::npos) << text;
  EXPECT_NE(text.find("| `flocks[].mission.circle.radius` |"), std::string::npos);
  EXPECT_NE(text.find("| `flocks[].vehicles.list[].position` |"), std::string::npos);
  EXPECT_NE(text.find("| `rotors[].spin` |"), std::string::npos);
  EXPECT_NE(text.find("| `environment.structures[].wall.surface.friction` |"), std::string::npos);
  EXPECT_NE(text.find("| `effectors[].kind` | pole, plate, cylinder, cone |"), std::string::npos);
  EXPECT_NE(text.find("| `parts[].link.kind` | spherical, hinge, fixed |"), std::string::npos);
}

TEST(markdown, is_of_one_kind_of_file_where_one_is_asked_for) {
  EXPECT_NE(describe_markdown("scenario").find("`environment.gravity`"), std::string::npos);
  EXPECT_EQ(describe_markdown("scenario").find("`rotors[].spin`"), std::string::npos);
  EXPECT_EQ(describe_markdown("airframe").find("`environment.gravity`"), std::string::npos);
  EXPECT_NE(describe_markdown("airframe").find("`rotors[].spin`"), std::string::npos);
}

}  // namespace volary::scenario

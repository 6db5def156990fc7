// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "vehicles/imported_aircraft.hpp"

#include <gtest/gtest.h>

namespace volary::airframe {
namespace {

// a model made by hand: inputs and constants in the order they are added
struct Builder {
  ImportedModel model;

  explicit Builder(const char* name) {
    model.file = std::string(name) + ".dml";
    model.name = name;
  }
  std::int32_t add(const char* name, const char* unit, double value, bool input, bool output) {
    const auto slot = static_cast<std::int32_t>(model.calculation.initial.size());
    model.calculation.initial.push_back(value);
    model.variables.push_back({name, name, unit, slot, slot, slot + 1, input, false, output});
    return slot;
  }
  std::int32_t in(const char* name, const char* unit) { return add(name, unit, 0, true, false); }
  std::int32_t out(const char* name, const char* unit, double value = 0) { return add(name, unit, value, false, true); }
};

ImportedModel inertia(double offset_ft = 0) {
  Builder b("inertia");
  b.out("totalMass", "slug", 2);
  b.out("bodyMomentOfInertia_Roll", "slugft2", 10);
  b.out("bodyMomentOfInertia_Pitch", "slugft2", 20);
  b.out("bodyMomentOfInertia_Yaw", "slugft2", 30);
  b.out("bodyProductOfInertia_XY", "slugft2");
  b.out("bodyProductOfInertia_ZX", "slugft2", 4);
  b.out("bodyProductOfInertia_YZ", "slugft2");
  b.out("bodyPositionOfCmWrtMrc_X", "ft", offset_ft);
  b.out("bodyPositionOfCmWrtMrc_Y", "ft");
  b.out("bodyPositionOfCmWrtMrc_Z", "ft");
  return b.model;
}

// lift rises with the elevator, in body axes or as lift and drag
ImportedModel aerodynamics(bool body_axes) {
  Builder b("aero");
  const std::int32_t elevator = b.in("elevatorDeflection", "deg");
  b.out("referenceWingArea", "ft2", 100);
  b.out("referenceWingSpan", "ft", 10);
  b.out("referenceWingChord", "ft", 5);
  b.out(body_axes ? "aeroBodyForceCoefficient_X" : "totalCoefficientOfDrag", "nd", body_axes ? 0 : 0.1);
  b.out("aeroBodyForceCoefficient_Y", "nd");
  const std::int32_t up = b.out(body_axes ? "aeroBodyForceCoefficient_Z" : "totalCoefficientOfLift", "nd");
  b.out("aeroBodyMomentCoefficient_Roll", "nd");
  b.out("aeroBodyMomentCoefficient_Pitch", "nd", 0.02);
  b.out("aeroBodyMomentCoefficient_Yaw", "nd");
  const auto gain = static_cast<std::int32_t>(b.model.calculation.initial.size());
  b.model.calculation.initial.push_back(body_axes ? -0.1 : 0.1);
  b.model.calculation.steps = {{math::Operation::Multiply, up, elevator, gain, 0}};
  return b.model;
}

ImportedModel control() {
  Builder b("control");
  const std::int32_t stick = b.in("stick", "frac");
  const std::int32_t elevator = b.out("elevatorDeflection", "rad");  // another unit than the aerodynamics take
  b.model.calculation.steps = {{math::Operation::Copy, elevator, stick, 0, 0}};
  return b.model;
}

constexpr double kPounds = 4.4482216152605, kFoot = 0.3048;

TEST(imported_aircraft, mass_properties_are_converted_and_products_change_their_sign) {
  const core::Result<ImportedAircraft> a = ImportedAircraft::create({inertia(), {}, {}, {}}, {}, {});
  ASSERT_TRUE(a) << a.error().text();
  EXPECT_NEAR(a.value().mass().mass, 2 * 14.593902937, 1e-8);
  const vehicles::Inertia<double>& i = a.value().mass().inertia;
  EXPECT_NEAR(i.products.y / i.diagonal.x, -0.4, 1e-12);
  // the inverse undoes the tensor
  const Vec3<double> v = {1, -2, 3};
  const Vec3<double> w = vehicles::times_symmetric(i.inv_diagonal, i.inv_products, vehicles::times_symmetric(i.diagonal, i.products, v));
  EXPECT_LT(math::norm(w - v), 1e-12);
}

// by hand: q S = 50 lbf, CZ = -0.1 per degree, so 2 degrees give -10 lbf; moment 50 x 5 x 0.02 = 5 ft lbf about the reference,
// and the centre of mass 1 ft ahead of it feels 10 ft lbf less
TEST(imported_aircraft, forces_and_moments_come_from_models_that_find_each_other_by_name) {
  const core::Result<ImportedAircraft> made = ImportedAircraft::create({inertia(1), control(), aerodynamics(true), {}}, {{"stick", 0}}, {});
  ASSERT_TRUE(made) << made.error().text();
  const ImportedAircraft& a = made.value();
  ImportedAircraft::Workspace w = a.workspace();
  ASSERT_TRUE(a.set(w, "stick", 2 * 0.017453292519943295));
  FlightSignals s;
  s.dynamic_pressure = 0.5 * kPounds / (kFoot * kFoot);
  const Wrench<double> wrench = a.wrench(w, s);
  EXPECT_NEAR(wrench.force_B.z / kPounds, -10, 1e-9);
  EXPECT_NEAR(wrench.moment_B.y / (kPounds * kFoot), 5 - 10, 1e-9);
}

TEST(imported_aircraft, drag_acts_against_the_motion_whatever_the_attitude) {
  const core::Result<ImportedAircraft> made = ImportedAircraft::create({inertia(), {}, aerodynamics(false), {}}, {{"elevatorDeflection", 0}}, {});
  ASSERT_TRUE(made) << made.error().text();
  ImportedAircraft::Workspace w = made.value().workspace();
  FlightSignals s;
  s.dynamic_pressure = 100;
  s.air_velocity_B = {3, -6, 2};
  s.true_airspeed = 7;
  const Vec3<double> force = made.value().wrench(w, s).force_B;
  EXPECT_LT(math::norm(math::cross(force, s.air_velocity_B)), 1e-9);
  EXPECT_LT(math::dot(force, s.air_velocity_B), 0);
  EXPECT_NEAR(math::norm(force), 100 * 100 * kFoot * kFoot * 0.1, 1e-9);
}

TEST(imported_aircraft, an_input_that_nothing_gives_is_an_error) {
  const core::Result<ImportedAircraft> a = ImportedAircraft::create({inertia(), {}, aerodynamics(true), {}}, {}, {});
  ASSERT_FALSE(a);
  EXPECT_EQ(a.error().file, "aero.dml");
  EXPECT_NE(a.error().message.find("nothing gives the input 'elevatorDeflection' a value"), std::string::npos);
}

TEST(imported_aircraft, a_missing_output_an_unknown_unit_and_an_unknown_setting_are_errors) {
  ImportedModel without = inertia();
  without.variables[0].name = "totalMas";
  const core::Result<ImportedAircraft> a = ImportedAircraft::create({without, {}, {}, {}}, {}, {});
  ASSERT_FALSE(a);
  EXPECT_NE(a.error().text().find("'totalMass' is not an output of this model (did you mean 'totalMas'?)"), std::string::npos) << a.error().text();

  ImportedModel odd = inertia();
  odd.variables[0].unit = "stone";
  EXPECT_FALSE(ImportedAircraft::create({odd, {}, {}, {}}, {}, {}));

  const core::Result<ImportedAircraft> b = ImportedAircraft::create({inertia(), control(), {}, {}}, {{"stick", 0}}, {});
  ASSERT_TRUE(b);
  ImportedAircraft::Workspace w = b.value().workspace();
  EXPECT_FALSE(b.value().set(w, "stik", 1));
  EXPECT_FALSE(ImportedAircraft::create({inertia(), control(), {}, {}}, {{"stick", 0}}, {{"totalCoefficientOfDrag", 0}}));
}

TEST(imported_aircraft, a_variable_can_be_fixed_whatever_the_model_computes) {
  const core::Result<ImportedAircraft> a =
      ImportedAircraft::create({inertia(), {}, aerodynamics(true), {}}, {{"elevatorDeflection", 5}}, {{"aeroBodyForceCoefficient_Z", 0}});
  ASSERT_TRUE(a) << a.error().text();
  ImportedAircraft::Workspace w = a.value().workspace();
  FlightSignals s;
  s.dynamic_pressure = 100;
  EXPECT_EQ(a.value().wrench(w, s).force_B.z, 0);
}

}  // namespace
}  // namespace volary::airframe

// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/payloads.hpp"

#include <cmath>

#include "engine/engine_test_support.hpp"
#include "engine/payloads_test_support.hpp"

namespace volary::engine {
namespace {

// the values of all fields as one text; an input that lost a field on the way has another one
struct Values {
  std::string text;
  template <class T> void field(const char* name, T& x, const core::Info&) {
    text += std::string(name) + "=";
    if constexpr (std::is_enum_v<T>)
      text += std::to_string(static_cast<int>(x));
    else if constexpr (requires { describe(x, *this); })
      describe(x, *this);
    else
      put(x);
    text += ";";
  }
  void put(double x) { text += std::to_string(std::bit_cast<std::uint64_t>(x)); }
  void put(bool x) { text += x ? "true" : "false"; }
  void put(int x) { text += std::to_string(x); }
  void put(std::uint32_t x) { text += std::to_string(x); }
  void put(std::uint64_t x) { text += std::to_string(x); }
  void put(const std::string& x) { text += x; }
  template <class L> void put(const L& list) {
    for (const auto& x : list) {
      if constexpr (requires { x.value; })
        text += std::to_string(x.value) + ",";
      else
        put(x), text += ",";
    }
  }
};
std::string values_of(const Input& in) {
  Values v;
  std::visit([&](const auto& p) { describe(const_cast<std::remove_cvref_t<decltype(p)>&>(p), v); }, in.payload);
  return std::to_string(in.tick) + " " + std::to_string(in.source) + " " + std::to_string(in.seq) + " " + std::to_string(in.target.value) + " " +
         std::to_string(in.payload.index()) + " " + v.text;
}

TEST(payloads, every_field_of_every_kind_comes_back_from_bytes_with_its_value) {
  test::RandomInputs random(7);
  std::vector<int> seen(std::variant_size_v<Payload>, 0);
  for (int k = 0; k < 2000; ++k) {
    const Input in = random.next();
    ++seen[in.payload.index()];
    core::ByteWriter out;
    write_input(out, in);
    core::ByteReader r(out.bytes());
    Input back;
    ASSERT_TRUE(read_input(r, back)) << values_of(in);
    EXPECT_EQ(r.left(), 0u);
    EXPECT_EQ(values_of(back), values_of(in));
    if (k > 200) continue;
    for (std::size_t n = 0; n < out.size(); ++n) {
      core::ByteReader part(std::span(out.bytes()).first(n));
      Input none;
      EXPECT_FALSE(read_input(part, none)) << "a part of " << n << " bytes was taken for a whole input";
    }
  }
  for (const int n : seen) EXPECT_GT(n, 50);
}

TEST(payloads, a_spawned_vehicle_of_an_old_recording_has_no_place) {
  const Input in{7, 1, 2, {}, Spawn{"birds", {.name = "x", .id = 77, .place = 5, .world = 0, .position_W = {1, 2, 3}, .start_delay = 4}}};
  core::ByteWriter out;
  write_input(out, in);
  std::vector<std::byte> old = out.bytes();
  const std::size_t before = kLeastInputBytes + 4 + 5 + 4 + 1 + 8;  // flock, name, id
  old.erase(old.begin() + before, old.begin() + before + 8);
  core::ByteReader r(old);
  Input back;
  ASSERT_TRUE(read_input(r, back, false));
  EXPECT_EQ(r.left(), 0u);
  const VehicleDef& v = std::get<Spawn>(back.payload).vehicle;
  EXPECT_EQ(v.id, 77u);
  EXPECT_EQ(v.place, 0u);
  EXPECT_EQ(v.position_W, (Vec{1, 2, 3}));
  EXPECT_EQ(v.start_delay, 4);
}

// A struct that grows without its list would lose the new field in bytes: this is where to add it to the list.
TEST(payloads, the_list_of_a_spawned_vehicle_names_all_of_it) {
  EXPECT_EQ(sizeof(VehicleDef), sizeof(std::string) + 8 + 8 + 8 + 3 * 24 + 8 + 8 + 3 * 24 + 16 + 8 + (4 * 24 + 8) + 8 +
                                    sizeof(std::vector<std::string>));  // `without` and `turning`, which a spawn refuses
  EXPECT_EQ(sizeof(SetSetpoint), 8 + 4 * 24 + 3 * 8 + 32 + 24 + 64u);
}

std::string refusal(const World& like, Payload payload) {
  auto w = test::make(like.def());
  const std::uint64_t before = w->hash();
  const Submitted s = w->submit({.payload = std::move(payload)});
  EXPECT_FALSE(s) << "taken";
  EXPECT_TRUE(w->pending_inputs().empty());
  EXPECT_EQ(w->hash(), before);
  EXPECT_EQ(w->take_events().at(0).what, "refused: " + s.why);
  return s.why;
}

TEST(payloads, that_cannot_be_right_are_refused_with_the_field_and_change_nothing) {
  const auto w = test::make(test::circling(2));
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto spawn = [](auto&& change) {
    Spawn s{"birds", {.position_W = {0, 0, 5}}};
    change(s.vehicle);
    return s;
  };
  EXPECT_EQ(refusal(*w, SetSetpoint{.position_W = {0, nan, 0}}), "setpoint: position[1]: must be a finite number");
  EXPECT_EQ(refusal(*w, spawn([](VehicleDef& v) { v.path = 5'000'000; })), "spawn: vehicle.path: must be below 0, the number of paths, and is 5000000");
  EXPECT_EQ(refusal(*w, spawn([](VehicleDef& v) { v.turning.amplitude = {0, 0.1, 0}; })),
            "spawn: vehicle.turning: a platform that is added while the world runs keeps level on its mission (leave it at its defaults)");
  EXPECT_EQ(refusal(*w, spawn([](VehicleDef& v) { v.without = {"gnss"}; })),
            "spawn: vehicle.without: a vehicle that is added while the world runs carries all sensors of its flock (leave it empty)");
  EXPECT_EQ(refusal(*w, spawn([](VehicleDef& v) { v.path = -2; })), "spawn: vehicle.path: must be between -1 and 2.14748e+09 -, and is -2");
  EXPECT_EQ(refusal(*w, spawn([](VehicleDef& v) { v.id = 1ull << 40; })), "spawn: vehicle.id: must be at most 1099511627775, and is 1099511627776");
  EXPECT_EQ(refusal(*w, spawn([](VehicleDef& v) { v.world = 3'000'000'000u; })),
            "spawn: vehicle.world: must be below 1, the number of worlds, and is 3000000000");
  EXPECT_EQ(refusal(*w, spawn([](VehicleDef& v) { v.centre_W[2] = nan; })), "spawn: vehicle.centre[2]: must be a finite number");
  EXPECT_EQ(refusal(*w, spawn([](VehicleDef& v) { v.harmonic.ramp = nan; })), "spawn: vehicle.harmonic.ramp: must be a finite number");
  EXPECT_EQ(refusal(*w, Spawn{"bird", {}}), "spawn: flock: there is no flock 'bird' (did you mean 'birds'?)");
  EXPECT_EQ(refusal(*w, FailRotor{8, true}), "rotor failure: rotor: must be between 0 and 7 -, and is 8");
  EXPECT_EQ(refusal(*w, SetState{.attitude = {0, 0, 0, 0}}), "state: attitude: must be a quaternion of length 1, and is (0, 0, 0, 0)");
  EXPECT_EQ(refusal(*w, SetMany{.what = Many::Position, .flock = "birds", .ids = {{1}, {2}}, .values = {1, 2, 3}}),
            "bulk: values: must be 4 for each of 2 vehicles, and are 3");
  EXPECT_EQ(refusal(*w, SetMany{.what = Many::Velocity, .flock = "birds", .ids = {{1}, {2}}, .values = {1, 2, 3, nan, 5, 6, 7, 8}}),
            "bulk: values: velocity of vehicle 1 of the list must be within 100000, and is nan");
  EXPECT_EQ(refusal(*w, SetMany{.what = Many::Position, .flock = "birds", .ids = {{1}}, .values = {1, 2, 1e9, 0}}),
            "bulk: values: position of vehicle 0 of the list must be within 1e+08, and is 1e+09");
  EXPECT_EQ(refusal(*w, SetMany{.what = Many::Parameter, .flock = "birds", .parameter = "mas", .ids = {{1}}, .values = {1}}),
            "bulk: parameter: the vehicles of flock 'birds' have no parameter 'mas' (did you mean 'mass'?)");
}

TEST(payloads, random_inputs_never_harm_a_running_world_and_two_worlds_take_them_alike) {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
    WorldDef def = test::talking(20);
    def.worlds = seed % 2 == 0 ? 1 : 2;  // vehicles are simulated elsewhere only in a single world
    auto a = test::make(def), b = test::make(def, {.threads = 2});
    test::RandomInputs random(seed);
    for (int k = 0; k < 150; ++k) {
      for (int n = 0; n < 20; ++n) {
        Input in = random.next();
        in.tick = a->tick() + in.tick % 3;
        const Submitted one = a->submit(in), two = b->submit(in);
        ASSERT_EQ(one.ok, two.ok);
      }
      a->step(1), b->step(1);
      ASSERT_EQ(a->hash(), b->hash()) << "tick " << k;
      if (k == 75) {
        std::string error;
        const auto bytes = World::snapshot_bytes(*a->snapshot());
        const auto back = b->read_snapshot(bytes, &error);
        ASSERT_NE(back, nullptr) << error;
        ASSERT_TRUE(b->restore(*back, &error)) << error;
      }
    }
  }
}

}  // namespace
}  // namespace volary::engine

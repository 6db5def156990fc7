// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/set_field.hpp"

#include <gtest/gtest.h>

#include "core/list_fields.hpp"

namespace volary::core {
namespace {

enum class Colour { Red, Green };
std::span<const char* const> names(Colour) {
  static constexpr const char* kNames[] = {"red", "green"};
  return kNames;
}
struct Lens {
  double angle = 1;
  bool open = true;
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, Lens>
void describe(D& d, V& v) {
  v.field("angle", d.angle, {.unit = "rad", .min = 0, .max = 3.141592653589793});
  v.field("open", d.open, {});
}
struct Camera {
  int frames = 3;
  Colour colour = Colour::Red;
  Lens lens;
  std::array<double, 2> at = {1, 2};
  std::vector<std::array<double, 3>> path = {{0, 0, 5}, {10, 0, 5}};
  std::string name = "a";
  std::optional<double> until;
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, Camera>
void describe(D& d, V& v) {
  v.field("frames", d.frames, {.min = 1, .max = 100});
  v.field("colour", d.colour, {});
  v.field("lens", d.lens, {});
  v.field("at", d.at, {.unit = "m", .min = -10, .max = 10});
  v.field("path", d.path, {.unit = "m"});
  v.field("name", d.name, {});
  v.field("until", d.until, {.unit = "s", .min = 0});
}

std::string why(const char* path, const char* value) {
  Camera c;
  const Status done = set_field(c, path, value);
  return done ? "" : done.error().text();
}

TEST(set_field, sets_what_the_path_names_and_nothing_else) {
  Camera c;
  for (const auto& [path, value] : {std::pair{"frames", "7"},
                                    {"colour", "green"},
                                    {"lens.angle_deg", "180"},
                                    {"lens.open", "false"},
                                    {"at", "[ -3.5, +4e0 ]"},
                                    {"path", "[[1, 2, 3], [4, 5, 6]]"},
                                    {"name", "two words"},
                                    {"until", "12"}})
    EXPECT_TRUE(set_field(c, path, value)) << path;
  EXPECT_EQ(c.frames, 7);
  EXPECT_EQ(c.colour, Colour::Green);
  EXPECT_DOUBLE_EQ(c.lens.angle, 3.141592653589793);
  EXPECT_FALSE(c.lens.open);
  EXPECT_EQ(c.at, (std::array<double, 2>{-3.5, 4}));
  EXPECT_EQ(c.path[1], (std::array<double, 3>{4, 5, 6}));
  EXPECT_EQ(c.name, "two words");
  EXPECT_EQ(c.until, 12);
}

TEST(set_field, says_what_is_wrong) {
  EXPECT_EQ(why("frame", "1"), "frame: there is no such field (did you mean 'frames'?)");
  EXPECT_EQ(why("frames", "101"), "frames: 101 is out of range: must be between 1 and 100");
  EXPECT_EQ(why("frames", "1.5"), "frames: expected a whole number, found '1.5'");
  EXPECT_EQ(why("colour", "gren"), "colour: unknown value 'gren' (did you mean 'green'?)");
  EXPECT_EQ(why("lens.angle", "4"), "lens.angle: 4 is out of range: must be between 0 and 3.141592654 rad");
  EXPECT_EQ(why("lens.angle_deg", "181"), "lens.angle_deg: 181 is out of range: must be between 0 and 180 deg");
  EXPECT_EQ(why("lens.anlge", "1"), "lens.anlge: there is no such field (did you mean 'angle'?)");
  EXPECT_EQ(why("lens", "1"), "lens: has fields of its own");
  EXPECT_EQ(why("frames.x", "1"), "frames: has no fields of its own");
  EXPECT_EQ(why("at", "[1, 2, 3]"), "at: expected a list of 2 numbers, found 3");
  EXPECT_NE(why("path", "[[1, 2, 3]]").find("as many as there are now"), std::string::npos);
  EXPECT_NE(why("lens.open", "maybe").find("true or false"), std::string::npos);
  for (const char* bad : {"nan", "inf", "1e999", "", "1 2", "0x10", "[1]"}) EXPECT_NE(why("until", bad), "") << bad;
  for (const char* bad : {"[", "]", "[]", "[1,]", "[1, [2]]", "[[1, 2]", "1, 2"}) EXPECT_NE(why("at", bad), "") << bad;
}

TEST(set_field, leaves_all_as_it_was_when_a_part_of_it_is_wrong) {
  Camera c;
  EXPECT_FALSE(set_field(c, "path", "[[9, 9, 9], [1, 2]]"));
  EXPECT_EQ(c.path[0], (std::array<double, 3>{0, 0, 5}));
  EXPECT_FALSE(set_field(c, "at", "[5, 50]"));
  EXPECT_EQ(c.at[0], 1);
}

TEST(list_fields, lists_what_can_be_set_as_it_is_set) {
  Camera c;
  c.lens.angle = 0.1;
  FieldLister lister;
  describe(c, lister);
  ASSERT_EQ(lister.list.size(), 8u);
  for (const ListedField& f : lister.list) {
    Camera other;
    if (f.path != "until") EXPECT_TRUE(set_field(other, f.path, f.value)) << f.path << " " << f.value;
    if (f.path == "lens.angle") EXPECT_EQ(other.lens.angle, 0.1);
  }
  EXPECT_EQ(lister.list[1].choices, (std::vector<std::string>{"red", "green"}));
  EXPECT_EQ(lister.list[5].value, "[[0, 0, 5], [10, 0, 5]]");
}

}  // namespace
}  // namespace volary::core

// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/yaml_reader.hpp"

#include <gtest/gtest.h>

#include <clocale>
#include <filesystem>
#include <fstream>

namespace volary::scenario {

enum class Colour { Red, Green };
std::span<const char* const> names(Colour) {
  static constexpr const char* kNames[] = {"red", "green"};
  return kNames;
}
struct Inner {
  double x = 1;
  std::string label;
};
struct Outer {
  bool flag = false;
  int number = 3;
  std::int64_t big = 0;
  std::uint64_t seed = 0;
  double length = 2;
  double angle = 0;
  std::array<double, 2> angles = {0, 0};
  std::array<double, 3> vec = {0, 0, 0};
  std::vector<double> numbers;
  std::vector<std::array<double, 3>> points;
  std::vector<Inner> inners;
  Inner inner;
  std::optional<Inner> maybe;
  std::optional<double> maybe_number;
  Colour colour = Colour::Red;
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, Inner>
void describe(D& d, V& v) {
  v.field("x", d.x, {.unit = "m", .min = -10, .max = 10, .required = true, .doc = "a number"});
  v.field("label", d.label, {.doc = "a text"});
}
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, Outer>
void describe(D& d, V& v) {
  v.field("flag", d.flag, {});
  v.field("number", d.number, {.min = -5, .max = 2000});
  v.field("big", d.big, {});
  v.field("seed", d.seed, {});
  v.field("length", d.length, {.unit = "m", .min = 0});
  v.field("angle", d.angle, {.unit = "rad", .min = -3.141592653589793, .max = 3.141592653589793});
  v.field("angles", d.angles, {.unit = "rad"});
  v.field("vec", d.vec, {.unit = "m", .min = -100, .max = 100});
  v.field("numbers", d.numbers, {.min = 0, .max = 1});
  v.field("points", d.points, {.unit = "m", .min = 0, .max = 2});
  v.field("inners", d.inners, {.max = 3});
  v.field("inner", d.inner, {});
  v.field("maybe", d.maybe, {});
  v.field("maybe_number", d.maybe_number, {.min = 0});
  v.field("colour", d.colour, {});
}

namespace {

core::Result<Outer> read(const std::string& text) {
  core::Result<Node> root = parse_yaml(text, 0, "test.yaml");
  if (!root) return root.error();
  Tree tree{{"test.yaml"}, std::move(root).value()};
  Outer outer;
  if (const core::Status status = YamlReader(tree).read(outer); !status) return status.error();
  return outer;
}
core::Error error_of(const std::string& text) {
  const core::Result<Outer> result = read(text);
  return result ? core::Error{} : result.error();
}

}  // namespace

TEST(yaml_reader, reads_every_kind_of_field) {
  const core::Result<Outer> result = read(R"(
flag: yes
number: 7
big: -9007199254740993
seed: 18446744073709551615
length: .5
vec: [1, -2.5, 1e-3]
numbers: [0, 0.5, 1]
points: [[1, 2, 3], [4, 5, 6]]
inners:
  - {x: 1, label: one}
  - x: 2
inner: {x: -3}
maybe: {x: 4}
maybe_number: 5
colour: green
)");
  ASSERT_TRUE(result) << result.error().text();
  const Outer& d = result.value();
  EXPECT_TRUE(d.flag);
  EXPECT_EQ(d.number, 7);
  EXPECT_EQ(d.big, -9007199254740993);
  EXPECT_EQ(d.seed, 18446744073709551615u);
  EXPECT_EQ(d.length, 0.5);
  EXPECT_EQ(d.vec, (std::array<double, 3>{1, -2.5, 1e-3}));
  EXPECT_EQ(d.numbers, (std::vector<double>{0, 0.5, 1}));
  EXPECT_EQ(d.points[1][2], 6);
  ASSERT_EQ(d.inners.size(), 2u);
  EXPECT_EQ(d.inners[0].label, "one");
  EXPECT_EQ(d.inners[1].x, 2);
  EXPECT_EQ(d.inner.x, -3);
  ASSERT_TRUE(d.maybe);
  EXPECT_EQ(d.maybe->x, 4);
  EXPECT_EQ(d.maybe_number, 5.0);
  EXPECT_EQ(d.colour, Colour::Green);
}

TEST(yaml_reader, what_is_absent_keeps_its_default) {
  const core::Result<Outer> result = read("flag: true");
  ASSERT_TRUE(result);
  EXPECT_EQ(result.value().number, 3);
  EXPECT_EQ(result.value().length, 2);
  EXPECT_FALSE(result.value().maybe);
}

TEST(yaml_reader, numbers_are_read_in_all_their_spellings) {
  for (const char* text : {"length: 2", "length: +2", "length: 2.", "length: 2e0", "length: 20e-1", "length: 0.2E1"}) {
    const core::Result<Outer> result = read(text);
    ASSERT_TRUE(result) << text;
    EXPECT_EQ(result.value().length, 2) << text;
  }
  EXPECT_EQ(read("number: 1e3").value().number, 1000);
  EXPECT_EQ(read("number: 25.0").value().number, 25);
  EXPECT_EQ(read("length: 1e-999").value().length, 0);
}

TEST(yaml_reader, the_locale_does_not_matter) {
  const char* changed = std::setlocale(LC_ALL, "de_DE.UTF-8");
  EXPECT_EQ(read("length: 1.5").value().length, 1.5);
  EXPECT_FALSE(read("length: 1,5"));
  if (changed != nullptr) std::setlocale(LC_ALL, "C");
}

TEST(yaml_reader, angles_may_be_given_in_degrees) {
  EXPECT_DOUBLE_EQ(read("angle_deg: 90").value().angle, 1.5707963267948966);
  EXPECT_DOUBLE_EQ(read("angle_deg: 180").value().angle, 3.141592653589793);
  EXPECT_DOUBLE_EQ(read("angles_deg: [90, -90]").value().angles[1], -1.5707963267948966);
  EXPECT_DOUBLE_EQ(read("angle: 1").value().angle, 1);
  EXPECT_EQ(error_of("angle_deg: 181").field, "angle_deg");
  EXPECT_NE(error_of("angle_deg: 181").message.find("between -180 and 180 deg"), std::string::npos);
  EXPECT_NE(error_of("angle: 1\nangle_deg: 57").message.find("in degrees and in radians"), std::string::npos);
  EXPECT_EQ(error_of("length_deg: 3").message, "unknown key");
  EXPECT_EQ(error_of("angle: 45").suggestion, "in radians; in degrees write angle_deg: 45");
  EXPECT_EQ(error_of("angle: 4500").suggestion, "");
}

TEST(yaml_reader, an_error_has_file_line_column_field_and_suggestion) {
  const core::Error error = error_of("flag: true\ninner:\n  x: 1\n  lable: a\n");
  EXPECT_EQ(error.text(), "test.yaml:4:3: inner.lable: unknown key (did you mean 'label'?)");
}

TEST(yaml_reader, a_range_is_told_with_its_unit) {
  EXPECT_EQ(error_of("inner: {x: 11}").text(), "test.yaml:1:12: inner.x: 11 is out of range: must be between -10 and 10 m");
  EXPECT_EQ(error_of("length: -1").text(), "test.yaml:1:9: length: -1 is out of range: must be at least 0 m");
  EXPECT_EQ(error_of("maybe_number: -1").field, "maybe_number");
  EXPECT_EQ(error_of("numbers: [0, 2]").field, "numbers[1]");
}

TEST(yaml_reader, lists_have_the_right_length) {
  EXPECT_EQ(error_of("points: [[1, 2, 3], [1, 2, 3], [1, 2, 3]]").text(), "test.yaml:1:9: points: has 3 entries: must have between 0 and 2");
  EXPECT_EQ(error_of("points: [[1, 2]]").text(), "test.yaml:1:10: points[0]: expected a list of 3 numbers, found 2");
  EXPECT_EQ(error_of("inners: [{x: 1}, {}]").field, "inners[1].x");
}

TEST(yaml_reader, a_misspelt_key_is_reported_before_the_field_that_is_missing_because_of_it) { EXPECT_EQ(error_of("inner: {y: 1}").message, "unknown key"); }

TEST(yaml_reader, numbers_that_do_not_fit_are_refused) {
  EXPECT_FALSE(read("seed: 18446744073709551616"));
  EXPECT_FALSE(read("seed: -1"));
  EXPECT_FALSE(read("big: 9223372036854775808"));
  EXPECT_FALSE(read("big: 1e300"));
  EXPECT_FALSE(read("number: 4294967297"));
  EXPECT_FALSE(read("length: 0x10"));
  EXPECT_FALSE(read("length: 1_000"));
  EXPECT_FALSE(read("length: --1"));
  EXPECT_FALSE(read("length: +-1"));
}

TEST(yaml_reader, anchors_and_aliases_are_expanded) {
  const core::Result<Outer> result = read("inner: &a {x: 7}\nmaybe: *a\n");
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(result.value().maybe->x, 7);
}

TEST(yaml_parser, hostile_documents_are_refused_quickly) {
  EXPECT_FALSE(parse_yaml(std::string(100'000, '['), 0, "x"));
  EXPECT_FALSE(parse_yaml(std::string(100'000, '{'), 0, "x"));
  std::string nested;
  for (int i = 0; i < 1000; ++i) nested += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  EXPECT_FALSE(parse_yaml(nested, 0, "x"));
  std::string bomb = "a: &a [0, 0, 0, 0, 0, 0, 0, 0]\n";
  for (char c = 'b'; c < 'z'; ++c) {
    const std::string before = std::string("*") + static_cast<char>(c - 1);
    bomb += std::string(1, c) + ": &" + c + " [" + before + ", " + before + ", " + before + ", " + before + "]\n";
  }
  const core::Result<Node> result = parse_yaml(bomb, 0, "x");
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("too many values"), std::string::npos);
}

TEST(yaml_parser, a_quote_that_is_never_closed_is_found_where_it_opens) {
  const core::Result<Node> result = parse_yaml("a: 1\nb: \"text\nc: 3\n", 0, "x");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().line, 2);
  EXPECT_TRUE(parse_yaml("a: 'it''s'\nb: \"a \\\" b\"\n", 0, "x"));
}

TEST(yaml_reader, all_faults_are_found_each_with_its_place) {
  const core::Error e = error_of("flag: maybe\nnumber: 7\nlength: long\ncoluor: green\nvec: [1, x, 3]\ninners:\n  - {x: 1}\n  - {y: 2, x: one}\n");
  std::vector<std::string> found = {e.field + ":" + std::to_string(e.line)};
  for (const core::Error& other : e.others) found.push_back(other.field + ":" + std::to_string(other.line));
  EXPECT_EQ(found, (std::vector<std::string>{"flag:1", "length:3", "coluor:4", "vec[1]:5", "inners[1].y:8", "inners[1].x:8"}));
  EXPECT_EQ(e.others[1].suggestion, "did you mean 'colour'?");
  for (const core::Error& other : e.others) EXPECT_EQ(other.file, "test.yaml");
}

TEST(yaml_reader, a_list_of_faults_has_an_end) {
  std::string text = "numbers: [";
  for (int k = 0; k < 1000; ++k) text += "x, ";
  const core::Error e = error_of(text + "x]\n");
  EXPECT_EQ(e.others.size(), 20u);
  EXPECT_NE(e.text().find("the first 20 are listed"), std::string::npos);
}

TEST(read_file, says_what_is_wrong_with_a_file) {
  EXPECT_EQ(read_file("/no/such/file.yaml").error().message, "no such file");
  EXPECT_EQ(read_file("/").error().message, "is a folder, not a file");
  EXPECT_EQ(read_file("/dev/null").error().message, "is not a regular file");
}

TEST(read_file, refuses_a_file_that_is_too_big) {
  const std::string path = testing::TempDir() + "volary_too_big.yaml";
  std::ofstream(path).put('a');
  std::filesystem::resize_file(path, kMaxFileBytes + 1);
  EXPECT_EQ(read_file(path).error().message, "is larger than 64 MiB");
  std::filesystem::remove(path);
}

}  // namespace volary::scenario

// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "validation/report.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <pugixml.hpp>

#include "core/scratch_folder.hpp"

namespace volary::validation {
namespace {

Picture picture() {
  Picture p{"curve", "ours < theirs & more", "time, s", {}, {{"altitude", "ft", {{"altitude", {}}, {"other", {}}}, {-2, 2}}}};
  for (int k = 0; k < 2000; ++k) {
    p.x.push_back(0.1 * k);
    p.panels[0].curves[0].values.push_back(k == 777 ? 1.5 : 0.001 * (k % 7));
    p.panels[0].curves[1].values.push_back(-0.5);
  }
  return p;
}

CheckReport report() {
  CheckReport r;
  r.title = "Drops";
  r.header = {"case", "value"};
  r.table = {{"01", "0.5|x"}};
  r.remarks = {"A remark."};
  r.figures = {{"nasa/01/altitude", 0.5, "ft", 1, Sense::AtMost}, {"flight/r2", 0.8, "-", 0.9, Sense::AtLeast}, {"flight/one/r2", 0.7, "-", 0, Sense::NoBar}};
  r.pictures = {picture()};
  return r;
}

TEST(validation_report, a_figure_holds_on_its_side_of_the_bar) {
  EXPECT_TRUE((Figure{"a", 1, "", 1, Sense::AtMost}).holds());
  EXPECT_FALSE((Figure{"a", 1.1, "", 1, Sense::AtMost}).holds());
  EXPECT_TRUE((Figure{"a", 1.1, "", 1, Sense::AtLeast}).holds());
  EXPECT_FALSE((Figure{"a", std::numeric_limits<double>::quiet_NaN(), "", 1, Sense::AtMost}).holds());
  EXPECT_FALSE((Figure{"a", std::numeric_limits<double>::quiet_NaN(), "", 1, Sense::AtLeast}).holds());
  EXPECT_TRUE((Figure{"a", 1.1, "", 1, Sense::NoBar}).holds());
}

TEST(validation_report, the_text_has_every_figure_beside_its_bar) {
  const std::string text = markdown_of({report()}, "plots");
  EXPECT_NE(text.find("## Drops"), std::string::npos);
  EXPECT_NE(text.find("| nasa/01/altitude | 0.5 | ft | at most 1 | holds |"), std::string::npos);
  EXPECT_NE(text.find("| flight/r2 | 0.8 | - | at least 0.9 | **fails** |"), std::string::npos);
  EXPECT_NE(text.find("| flight/one/r2 | 0.7 | - | none |  |"), std::string::npos);
  EXPECT_NE(text.find("(plots/curve.svg)"), std::string::npos);
  EXPECT_NE(text.find("0.5\\|x"), std::string::npos);
}

TEST(validation_report, its_first_lines_say_what_is_flown) {
  CheckReport r = report();
  r.check = "nasa";
  r.flown = "No scenario uses this model.";
  EXPECT_TRUE(markdown_of({r, report()}, "plots").starts_with("# Validation\n\n- **nasa:** No scenario uses this model.\n\nEvery judged figure"));
  EXPECT_TRUE(markdown_of({report()}, "plots").starts_with("# Validation\n\nEvery judged figure"));
}

TEST(validation_report, the_checks_with_models_of_their_own_say_so) {
  for (const Check& check : all_checks()) {
    const std::string flown = check.flown, name = check.name;
    if (name == "crazyflie" || name == "tracking" || name == "nasa") {
      EXPECT_NE(flown.find("No scenario"), std::string::npos) << name;
    }
    if (name == "crazyflie" || name == "tracking") {
      EXPECT_NE(flown.find("the same flights"), std::string::npos) << name;
    }
    if (name == "formation") EXPECT_NE(flown.find("look-ahead"), std::string::npos);
  }
}

TEST(validation_report, pictures_are_well_formed_and_keep_their_peaks) {
  const std::string svg = svg_of(picture());
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(svg.c_str()));
  const pugi::xml_node root = document.document_element();
  EXPECT_STREQ(root.name(), "svg");
  EXPECT_EQ(std::distance(root.children("polyline").begin(), root.children("polyline").end()), 2);
  // the lone peak of 1.5 is the highest point that is drawn: y grows downwards
  double top = 1e9;
  std::istringstream points(root.children("polyline").begin()->next_sibling("polyline").attribute("points").value());
  for (std::string point; points >> point;) top = std::min(top, std::stod(point.substr(point.find(',') + 1)));
  const pugi::xml_node frame = std::next(root.children("rect").begin())->attribute("y") ? *std::next(root.children("rect").begin()) : pugi::xml_node();
  const double low = frame.attribute("y").as_double(), height = frame.attribute("height").as_double();
  EXPECT_NEAR(top, low + height * 0.5 * (1 - 1.5 / (1.15 * 2)), 0.2);
}

TEST(validation_report, a_report_is_a_file_and_a_folder_beside_it) {
  const core::ScratchFolder scratch;
  ASSERT_TRUE(write_report({report()}, scratch.file("v.md")));
  EXPECT_TRUE(std::filesystem::exists(scratch.file("v.md")));
  EXPECT_TRUE(std::filesystem::exists(scratch.file("v_plots/curve.svg")));
  EXPECT_FALSE(write_report({report()}, "/no/such/folder/v.md"));
}

}  // namespace
}  // namespace volary::validation

// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/status_texts.hpp"

#include <gtest/gtest.h>

#include "autopilot/mavlink/frame.hpp"

namespace volary::autopilot {
namespace {

using mavlink::Severity;

mavlink::Statustext part(std::string_view text, std::uint16_t id = 0, std::uint8_t number = 0, Severity severity = Severity::Info) {
  mavlink::Statustext m;
  m.severity = mavlink::number_of(severity);
  m.text = mavlink::fixed_text<50>(text);
  m.id = id, m.chunk_seq = number;
  return m;
}

std::vector<std::string> texts(const StatusTexts& t) {
  std::vector<std::string> list;
  for (const runner::AutopilotMessage& m : t.list()) list.push_back(m.text);
  return list;
}

const std::string kFifty(50, 'a');

TEST(status_texts, keep_the_last_twenty_with_time_and_severity) {
  StatusTexts t;
  for (int k = 0; k < 25; ++k) t.hear(part(std::to_string(k), 0, 0, Severity::Error), k);
  ASSERT_EQ(t.list().size(), 20u);
  EXPECT_EQ(t.list().front().text, "5");
  EXPECT_EQ(t.list().back().text, "24");
  EXPECT_EQ(t.list().back().time, 24);
  EXPECT_EQ(t.list().back().severity, 3);
}

TEST(status_texts, put_the_parts_of_a_long_text_together_at_the_time_of_the_first) {
  StatusTexts t;
  t.hear(part(kFifty, 7, 0), 1);
  EXPECT_TRUE(t.list().empty());
  t.hear(part(kFifty, 7, 1), 1.1);
  t.hear(part(kFifty, 7, 1), 1.1);  // twice
  t.hear(part("end\t", 7, 2), 1.2);
  EXPECT_EQ(texts(t), std::vector<std::string>{kFifty + kFifty + "end"});
  EXPECT_EQ(t.list()[0].time, 1);
}

TEST(status_texts, show_a_gap_where_a_part_was_lost) {
  StatusTexts t;
  t.hear(part(kFifty, 7, 0), 1);
  t.hear(part("end", 7, 2), 1);
  EXPECT_EQ(texts(t), std::vector<std::string>{kFifty + " [...] end"});
}

TEST(status_texts, show_a_text_whose_end_does_not_come) {
  StatusTexts t;
  t.hear(part(kFifty, 7), 1);
  t.beat(1.5);
  EXPECT_TRUE(t.list().empty());
  t.beat(2.5);
  EXPECT_EQ(texts(t), std::vector<std::string>{kFifty});
  t.hear(part(kFifty, 8), 3);
  t.hear(part("another", 9), 3.1);
  t.hear(part("whole", 0), 3.2);
  EXPECT_EQ(texts(t), (std::vector<std::string>{kFifty, kFifty, "another", "whole"}));
}

TEST(status_texts, find_the_last_grave_one_since_a_time) {
  StatusTexts t;
  t.hear(part("old", 0, 0, Severity::Critical), 1);
  t.hear(part("reason", 0, 0, Severity::Warning), 3);
  t.hear(part("chatter", 0, 0, Severity::Info), 4);
  ASSERT_NE(t.last(Severity::Warning, 2), nullptr);
  EXPECT_EQ(t.last(Severity::Warning, 2)->text, "reason");
  EXPECT_EQ(t.last(Severity::Critical, 2), nullptr);
  EXPECT_EQ(t.last(Severity::Critical, 0)->text, "old");
}

}  // namespace
}  // namespace volary::autopilot

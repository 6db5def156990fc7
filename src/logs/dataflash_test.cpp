// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "logs/log_test_support.hpp"

namespace volary::logs {

namespace {

Log read(const std::string& bytes) {
  core::Result<Log> log = read_dataflash(bytes_of(bytes), "a.bin");
  EXPECT_TRUE(log) << (log ? "" : log.error().text());
  return log ? std::move(log).value() : Log{};
}

}  // namespace

TEST(dataflash, reads_every_format_character) {
  DataflashWriter w;
  w.format(1, 3 + 64 + 1 + 1 + 2 + 2 + 4 + 4 + 4 + 8, "AAAA", "abBhHiIfd", "a,b,B,h,H,i,I,f,d");
  w.format(2, 3 + 4 + 16 + 64 + 2 + 2 + 4 + 4 + 4, "BBBB", "nNZcCeEL", "n,N,Z,c,C,e,E,L");
  w.format(3, 3 + 1 + 8 + 8 + 2, "CCCC", "MqQg", "M,q,Q,g");
  w.begin(1);
  for (std::int16_t k = 0; k < 32; ++k) w.put(static_cast<std::int16_t>(k - 16));
  w.put(std::int8_t{-5}), w.put(std::uint8_t{250}), w.put(std::int16_t{-300}), w.put(std::uint16_t{60000}), w.put(std::int32_t{-70000}),
      w.put(std::uint32_t{4000000000u});
  w.put(1.5f), w.put(2.25);
  w.begin(2);
  w.text("abcd", 4), w.text("sixteen letters!", 16), w.text("text", 64);
  w.put(std::int16_t{-1234}), w.put(std::uint16_t{35999}), w.put(std::int32_t{-99}), w.put(std::uint32_t{101}), w.put(std::int32_t{473977418});
  w.row(3, std::uint8_t{6}, std::int64_t{-5}, std::uint64_t{1} << 40, std::uint16_t{0xC100});
  const Log log = read(w.out);
  EXPECT_TRUE(log.warnings().empty());
  const auto value = [&](const char* table, const char* column, std::size_t element = 0) {
    const Table* t = log.find(table);
    return t->number(0, *t->find(column), element);
  };
  EXPECT_EQ(value("AAAA", "a", 0), -16);
  EXPECT_EQ(value("AAAA", "a", 31), 15);
  EXPECT_EQ(value("AAAA", "b"), -5);
  EXPECT_EQ(value("AAAA", "B"), 250);
  EXPECT_EQ(value("AAAA", "h"), -300);
  EXPECT_EQ(value("AAAA", "H"), 60000);
  EXPECT_EQ(value("AAAA", "i"), -70000);
  EXPECT_EQ(value("AAAA", "I"), 4e9);
  EXPECT_EQ(value("AAAA", "f"), 1.5);
  EXPECT_EQ(value("AAAA", "d"), 2.25);
  const Table& b = *log.find("BBBB");
  EXPECT_EQ(b.text(0, *b.find("n")), "abcd");
  EXPECT_EQ(b.text(0, *b.find("N")), "sixteen letters!");
  EXPECT_EQ(b.text(0, *b.find("Z")), "text");
  EXPECT_NEAR(value("BBBB", "c"), -12.34, 1e-12);
  EXPECT_NEAR(value("BBBB", "C"), 359.99, 1e-12);
  EXPECT_NEAR(value("BBBB", "e"), -0.99, 1e-12);
  EXPECT_NEAR(value("BBBB", "E"), 1.01, 1e-12);
  EXPECT_NEAR(value("BBBB", "L"), 47.3977418, 1e-12);
  EXPECT_EQ(value("CCCC", "M"), 6);
  EXPECT_EQ(value("CCCC", "q"), -5);
  EXPECT_EQ(value("CCCC", "Q"), 0x1p40);
  EXPECT_EQ(value("CCCC", "g"), -2.5);
}

TEST(dataflash, names_units_where_the_log_has_them) {
  DataflashWriter w;
  w.format(1, 3 + 8 + 4, "GYRO", "Qf", "TimeUS,X");
  w.format(2, 3 + 8 + 1 + 64, "UNIT", "QbZ", "TimeUS,Id,Label");
  w.format(3, 3 + 8 + 1 + 16 + 16, "FMTU", "QBNN", "TimeUS,FmtType,UnitIds,MultIds");
  w.begin(2), w.put(std::uint64_t{1}), w.put(std::int8_t{'E'}), w.text("rad/s", 64);
  w.begin(3), w.put(std::uint64_t{1}), w.put(std::uint8_t{1}), w.text("sE", 16), w.text("F-", 16);
  w.row(1, std::uint64_t{5}, 1.0f);
  const Log log = read(w.out);
  EXPECT_EQ(log.find("GYRO")->find("X")->unit, "rad/s");
}

TEST(dataflash, gives_messages_without_a_time_that_of_the_message_before) {
  DataflashWriter w;
  w.format(1, 3 + 4 + 4, "ATT", "If", "TimeMS,Roll");
  w.format(2, 3 + 1, "EV", "B", "Id");
  w.format(3, 3 + 4 + 4, "GPS", "II", "TimeMS,T");
  w.row(1, std::uint32_t{1500}, 1.0f), w.row(2, std::uint8_t{10}), w.row(3, std::uint32_t{400000000}, std::uint32_t{1700});
  const Log log = read(w.out);
  EXPECT_EQ(log.find("EV")->time_us[0], 1'500'000);
  EXPECT_EQ(log.find("GPS")->time_us[0], 1'700'000) << "milliseconds of the week are another clock";
}

TEST(dataflash, keeps_what_was_read_before_a_cut_at_every_byte) {
  const std::string whole = make_dataflash({.seconds = 1});
  for (std::size_t n = 89; n < whole.size(); n += 5) {
    const Log log = read(whole.substr(0, n));
    EXPECT_LE(log.fault_count, 1u) << n;
    EXPECT_LT(log.skipped, 90u) << n;
  }
  const Log cut = read(whole.substr(0, whole.size() - 2));
  ASSERT_EQ(cut.warnings().size(), 2u);
  EXPECT_NE(cut.warnings()[0].find("expected a message of 12 bytes, and found the end after 10"), std::string::npos) << cut.warnings()[0];
}

TEST(dataflash, goes_on_at_the_next_message_after_damage) {
  std::string damaged = make_dataflash({.seconds = 10});
  const std::size_t rows = read(damaged).find("ATT")->rows();
  for (std::size_t k = 4000; k < 4100; ++k) damaged[k] = '\x77';
  const Log log = read(damaged);
  ASSERT_EQ(log.fault_count, 1u);
  EXPECT_LT(log.skipped, 160u);
  EXPECT_GE(log.find("ATT")->rows() + 3, rows);
  EXPECT_EQ(log.faults[0].expected, "the start of a message, a3 95, and found 77 77");
}

TEST(dataflash, says_what_is_wrong_with_formats_and_types) {
  DataflashWriter w;
  w.begin(99), w.put(std::uint64_t{1});
  w.format(1, 9, "AAAA", "Qf", "TimeUS,x");
  w.format(2, 7, "BBBB", "?", "x");
  w.format(3, 2, "CCCC", "", "");
  const Log log = read(w.out);
  ASSERT_EQ(log.fault_count, 4u);
  EXPECT_EQ(log.faults[0].expected, "a type of message that FMT has described, and found 99");
  EXPECT_EQ(log.faults[1].expected, "a length of at least 15 in FMT of AAAA, and found 9");
  EXPECT_EQ(log.faults[2].expected, "format characters that are known in FMT of BBBB, and found '?'");
  EXPECT_EQ(log.faults[3].expected, "a name and a length of at least 3 in FMT of type 3");
}

TEST(dataflash, takes_erased_memory_at_the_end_for_the_end) {
  const std::string whole = make_dataflash({.seconds = 1});
  for (const char fill : {'\0', '\xff'}) EXPECT_EQ(read(whole + std::string(500, fill)).fault_count, 0u);
}

TEST(dataflash, is_told_apart_from_ulog_text_and_anything_else) {
  EXPECT_EQ(read_log(bytes_of(make_dataflash({.seconds = 1})), "a").value().format, "DataFlash");
  EXPECT_EQ(read_log(bytes_of(make_ulog({.seconds = 1})), "a").value().format, "ULog 1");
  const auto text = read_log(bytes_of("FMT, 128, 89, FMT, BBnNZ"), "a.log");
  ASSERT_FALSE(text);
  EXPECT_NE(text.error().suggestion.find(".bin"), std::string::npos);
  EXPECT_FALSE(read_log({}, "a"));
}

}  // namespace volary::logs

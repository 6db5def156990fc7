// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "logs/log_test_support.hpp"

namespace volary::logs {

namespace {

Log read(const std::string& bytes) {
  core::Result<Log> log = read_ulog(bytes_of(bytes), "a.ulg");
  EXPECT_TRUE(log) << (log ? "" : log.error().text());
  return log ? std::move(log).value() : Log{};
}
std::string refusal(const std::string& bytes) {
  const core::Result<Log> log = read_ulog(bytes_of(bytes), "a.ulg");
  return log ? "" : log.error().text();
}

// two messages of one name, nested and with arrays
std::string nested_log() {
  UlogWriter w(1000);
  w.format("report:uint32_t errors;float[2] rpm;");
  w.format("esc_status:uint64_t timestamp;report[2] esc;char[8] name;uint8_t count;uint8_t[7] _padding0;");
  w.info("sys_name", "PX4");
  w.parameter("GAIN", 0.5f);
  w.subscribe("esc_status", 0);
  w.subscribe("esc_status", 1);
  for (std::uint16_t instance = 0; instance < 2; ++instance)
    for (int k = 0; k < 3; ++k) {
      core::ByteWriter row;
      row.put(std::uint64_t{2000} + static_cast<std::uint64_t>(k) * 100);
      for (int n = 0; n < 2; ++n) row.put(std::uint32_t(10 * n + k)), row.put(1.5f), row.put(static_cast<float>(k) + 100.0f * static_cast<float>(instance));
      row.put_bytes(bytes_of(std::string_view("motor\0\0\0", 8)));
      row.put(std::uint8_t{2});
      w.data(instance, row);
    }
  w.dropout(40);
  w.line(4, 2500, "watch out");
  return w.take_text();
}

}  // namespace

TEST(ulog, gives_nested_fields_and_arrays_as_columns) {
  const Log log = read(nested_log());
  ASSERT_EQ(log.tables.size(), 2u);
  const Table* t = log.find("esc_status", 1);
  ASSERT_NE(t, nullptr);
  ASSERT_EQ(t->rows(), 3u);
  const Column* rpm = t->find("esc[1].rpm");
  ASSERT_NE(rpm, nullptr);
  EXPECT_EQ(rpm->count, 2u);
  EXPECT_EQ(t->number(2, *rpm, 1), 102);
  EXPECT_EQ(t->number(1, *t->find("esc[1].errors")), 11);
  EXPECT_EQ(t->text(0, *t->find("name")), "motor");
  EXPECT_EQ(t->time_us[1], 2100);
  EXPECT_EQ(t->find("_padding0"), nullptr);
}

TEST(ulog, keeps_parameters_infos_lines_and_dropouts) {
  const Log log = read(nested_log());
  EXPECT_EQ(log.info.at("sys_name"), "PX4");
  ASSERT_EQ(log.parameters.size(), 1u);
  EXPECT_EQ(log.parameters[0].value, 0.5);
  ASSERT_EQ(log.lines.size(), 1u);
  EXPECT_EQ(log.lines[0].level, 4);
  EXPECT_EQ(log.lines[0].text, "watch out");
  ASSERT_EQ(log.dropouts.size(), 1u);
  EXPECT_NEAR(log.dropouts[0].seconds, 0.04, 1e-12);
  EXPECT_TRUE(log.warnings().empty());
}

TEST(ulog, counts_changes_of_parameters_and_knows_defaults) {
  UlogWriter w(0);
  w.parameter("A", std::int32_t{3}), w.parameter("A", std::int32_t{3}), w.parameter("A", std::int32_t{4});
  core::ByteWriter body;
  body.put(std::uint8_t{1}), body.put(std::uint8_t{9}), body.put_bytes(bytes_of("int32_t A")), body.put(std::int32_t{7});
  w.message('Q', body);
  const Log log = read(w.take_text());
  ASSERT_EQ(log.parameters.size(), 1u);
  EXPECT_EQ(log.parameters[0].value, 3);
  EXPECT_EQ(log.parameters[0].changes, 1u);
  EXPECT_EQ(log.parameters[0].default_value, 7);
}

TEST(ulog, refuses_what_is_no_ulog_with_byte_and_expectation) {
  EXPECT_EQ(refusal("ULog"), "a.ulg: byte 0: expected the header of a ULog file, 16 bytes, and found 4");
  EXPECT_NE(refusal(std::string(40, 'x')).find("byte 0: expected the first bytes of a ULog file"), std::string::npos);
  std::string later = nested_log();
  later[7] = 9;
  EXPECT_NE(refusal(later).find("byte 7: expected version 0 or 1 of ULog, and found 9"), std::string::npos);
}

TEST(ulog, refuses_incompatible_flags_that_it_does_not_know) {
  std::string bytes = nested_log();
  bytes[16 + 3 + 8] = 2;
  EXPECT_NE(refusal(bytes).find("byte 27: expected no incompatible flags but appended data, and found 0x02"), std::string::npos) << refusal(bytes);
}

TEST(ulog, keeps_what_was_read_before_a_cut_at_every_byte) {
  const std::string whole = make_ulog({.seconds = 1});
  const std::size_t rows = read(whole).find("vehicle_local_position")->rows();
  for (std::size_t n = 16; n < whole.size(); n += 7) {
    const Log log = read(whole.substr(0, n));
    EXPECT_LE(log.fault_count, 1u) << n;
    EXPECT_EQ(log.skipped + 0, log.faults.empty() ? 0 : n - log.faults[0].offset) << n;
    if (const Table* t = log.find("vehicle_local_position")) EXPECT_LE(t->rows(), rows);
  }
  const Log cut = read(whole.substr(0, whole.size() - 1));
  ASSERT_EQ(cut.warnings().size(), 2u);
  EXPECT_NE(cut.warnings()[0].find("expected a message of"), std::string::npos) << cut.warnings()[0];
  EXPECT_NE(cut.warnings()[1].find("bytes were read (9"), std::string::npos) << cut.warnings()[1];
}

TEST(ulog, goes_on_behind_the_next_sync_after_damage) {
  const std::string whole = make_ulog({.seconds = 10});
  const std::string sync(kUlogSync);
  const std::size_t at = whole.find(sync);
  ASSERT_NE(at, std::string::npos);
  std::string damaged = whole;
  for (std::size_t k = at - 300; k < at - 250; ++k) damaged[k] = '\xff';
  const Log log = read(damaged);
  ASSERT_EQ(log.fault_count, 1u);
  EXPECT_LE(log.skipped, 360u);
  EXPECT_GT(log.find("vehicle_local_position")->rows(), 290u);
}

TEST(ulog, loses_only_the_message_whose_content_is_wrong) {
  UlogWriter w(0);
  w.format("a:uint64_t timestamp;float x;");
  const auto id = w.subscribe("a");
  core::ByteWriter row, bad;
  row.put(std::uint64_t{5}), row.put(2.0f), bad.put(std::uint16_t{1});
  w.data(id, row), w.data(id, bad), w.data(77, row), w.data(id, row);
  const Log log = read(w.take_text());
  EXPECT_EQ(log.find("a")->rows(), 2u);
  ASSERT_EQ(log.fault_count, 2u);
  EXPECT_EQ(log.faults[0].expected, "12 bytes of a, and found 2");
  EXPECT_EQ(log.faults[1].expected, "data of a message that was subscribed, and found number 77");
}

TEST(ulog, names_formats_that_are_wrong_missing_or_without_end) {
  for (const auto& [format, expected] : {std::pair{"nothing", "a format 'name:type field;...'"},
                                         {"a:uint64_t", "a field 'type name' in the format of a"},
                                         {"a:a x;", "formats nested at most 8 deep, at 'a'"},
                                         {"a:other x;", "the format of 'other'"},
                                         {"a:uint64_t[65535] x;", "a format of at most 65535 bytes"},
                                         {"a:uint64_t[1x] x;", "a field 'type name' in the format of a"}}) {
    UlogWriter w(0);
    w.format(format);
    w.subscribe("a");
    const Log log = read(w.take_text());
    ASSERT_FALSE(log.faults.empty()) << format;
    EXPECT_EQ(log.faults[0].expected, expected);
  }
}

TEST(ulog, reads_data_that_was_appended_and_forgives_the_message_that_it_cut) {
  UlogWriter w(0);
  w.format("a:uint64_t timestamp;float x;");
  const auto id = w.subscribe("a");
  core::ByteWriter row;
  row.put(std::uint64_t{5}), row.put(2.0f);
  w.data(id, row);
  std::string bytes = w.take_text();
  w.data(id, row);
  bytes += w.take_text().substr(0, 6);  // the power failed
  const std::uint64_t offset = bytes.size();
  w.line(3, 9, "crash dump"), w.data(id, row);
  bytes += w.take_text();
  bytes[16 + 3 + 8] = 1;
  std::memcpy(bytes.data() + 16 + 3 + 16, &offset, 8);
  const Log log = read(bytes);
  EXPECT_EQ(log.fault_count, 0u) << log.warnings()[0];
  EXPECT_EQ(log.find("a")->rows(), 2u);
  ASSERT_EQ(log.lines.size(), 1u);
}

TEST(ulog, reports_an_offset_of_appended_data_outside_of_the_file) {
  std::string bytes = nested_log();
  const std::uint64_t offset = bytes.size() + 5;
  bytes[16 + 3 + 8] = 1;
  std::memcpy(bytes.data() + 16 + 3 + 16, &offset, 8);
  const Log log = read(bytes);
  ASSERT_EQ(log.fault_count, 1u);
  EXPECT_NE(log.faults[0].expected.find("an offset of appended data inside the file"), std::string::npos);
  EXPECT_EQ(log.find("esc_status", 1)->rows(), 3u);
}

}  // namespace volary::logs

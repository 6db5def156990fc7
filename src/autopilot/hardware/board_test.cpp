// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a board and the simulation say to each other, and what becomes of outputs that are late, with times that are given.
#include "autopilot/hardware/board.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "autopilot/hardware/hardware_source.hpp"
#include "autopilot/hardware/line_load.hpp"
#include "autopilot/hardware/stand_in_board.hpp"

namespace volary::autopilot {
namespace {

using mavlink::Bytes;
using mavlink::HilActuatorControls;

// a board at a line, and the time
struct Rig {
  double now = 1000;
  bool takes = true;  // the line does
  Board board{"board", 0.004};
  std::vector<mavlink::Frame> sent;
  mavlink::Writer writer{7, 1};
  std::vector<std::string> told;

  Rig() { board.opened(now); }
  Board::Send send() {
    return [this](std::span<const std::byte> bytes) {
      if (takes) mavlink::Parser().feed(bytes, [&](const mavlink::Frame& f) { sent.push_back(f); });
      return takes;
    };
  }
  template <class M> void hear(const M& message) {
    Bytes bytes;
    writer.append(message, bytes);
    board.received(bytes, now);
  }
  void outputs(float u = 0.5f, std::uint8_t mode = 0xa1, std::uint64_t time = 3, std::uint64_t flags = 0) {
    HilActuatorControls m;
    m.time_usec = time, m.flags = flags, m.mode = mode;
    m.controls.fill(u);
    hear(m);
  }
  // barometer and receiver have something new at 50 and 10 Hz
  void feed(std::uint64_t time_us) {
    Measured m;
    m.has_pressure = time_us % 20'000 == 0, m.has_place = time_us % 100'000 == 0;
    board.feed(m, time_us, now, send());
  }
  void beat() { board.beat(now, send()); }
  Command tick(double seconds = 0.004) {
    now += seconds;
    const Command c = board.command(now);
    for (std::string& t : board.take_news()) told.push_back(std::move(t));
    return c;
  }
  // ticks without any message
  Command ticks(double seconds) {
    Command c;
    for (double end = now + seconds - 1e-9; now < end;) c = tick();
    return c;
  }
  template <class M> std::vector<M> sent_of() const {
    std::vector<M> list;
    for (const mavlink::Frame& f : sent)
      if (f.id == M::kId) list.push_back(mavlink::decode<M>(f));
    return list;
  }
};

// ---------------------------------------------------------------- outputs

TEST(board, flies_nothing_before_the_first_outputs_and_then_the_newest) {
  Rig rig;
  EXPECT_EQ(rig.tick(), Command{});
  rig.outputs(0.2f);
  rig.outputs(0.7f);
  const Command c = rig.tick();
  EXPECT_TRUE(c.armed);
  EXPECT_FLOAT_EQ(static_cast<float>(c.output[0]), 0.7f);
  EXPECT_EQ(rig.board.figures().state, BoardState::Flying);
}

TEST(board, is_armed_by_one_bit_of_the_mode_whatever_the_flags_say) {
  Rig rig;
  rig.outputs(0.5f, 0x21, 3, 15);
  EXPECT_FALSE(rig.tick().armed);
  rig.outputs(0.5f, 0x81, 3, 15);
  EXPECT_TRUE(rig.tick().armed);
  rig.outputs(std::numeric_limits<float>::quiet_NaN(), 0xa1);
  EXPECT_EQ(rig.tick().output[0], 0);
}

TEST(board, outputs_are_held_for_half_a_second_and_then_the_rotors_stop) {
  Rig rig;
  rig.tick(0.003);
  rig.outputs(0.7f);
  const Command flown = rig.tick(0.001);
  EXPECT_EQ(rig.ticks(0.016), flown);
  EXPECT_EQ(rig.board.figures().state, BoardState::Flying) << "17 ms old";
  EXPECT_EQ(rig.ticks(0.004), flown);
  EXPECT_EQ(rig.board.figures().state, BoardState::Held) << "21 ms old";
  EXPECT_EQ(rig.ticks(0.476), flown);
  EXPECT_EQ(rig.board.figures().state, BoardState::Held) << "497 ms old";
  EXPECT_TRUE(rig.told.empty());
  EXPECT_EQ(rig.ticks(0.004), Command{});
  EXPECT_EQ(rig.board.figures().state, BoardState::Silent) << "501 ms old";
  ASSERT_EQ(rig.told.size(), 1u);
  EXPECT_NE(rig.told[0].find("no outputs for 0.5 s"), std::string::npos) << rig.told[0];
  EXPECT_EQ(rig.ticks(30), Command{});
  EXPECT_EQ(rig.told.size(), 1u) << "it is told once";
  const BoardFigures f = rig.board.figures();
  EXPECT_EQ(f.ticks_held, 120u);
  EXPECT_EQ(f.silences, 1u);
  EXPECT_EQ(f.ticks, 1 + 4 + 1 + 119 + 1 + 7500u);
  EXPECT_EQ(f.ticks_without_new, f.ticks - 1);
}

TEST(board, that_answers_again_is_flown_again_when_it_is_armed) {
  Rig rig;
  rig.outputs(0.7f);
  rig.ticks(1);
  rig.told.clear();
  rig.outputs(0.4f, 0x21);
  EXPECT_FALSE(rig.tick().armed);
  ASSERT_EQ(rig.told.size(), 1u);
  EXPECT_NE(rig.told[0].find("answers again"), std::string::npos) << rig.told[0];
  rig.outputs(0.4f);
  EXPECT_TRUE(rig.tick().armed);
  rig.ticks(0.6);
  EXPECT_EQ(rig.told.size(), 2u) << "the next silence is told, too";
  EXPECT_EQ(rig.board.figures().silences, 2u);
}

TEST(board, a_process_that_stood_still_takes_no_silence_from_it) {
  Rig rig;
  Command flown;
  for (int k = 0; k < 250; ++k) {
    rig.outputs(0.7f);
    flown = rig.tick();
  }
  EXPECT_EQ(rig.tick(5), flown);
  EXPECT_EQ(rig.board.figures().silences, 0u);
  EXPECT_EQ(rig.ticks(0.6), Command{}) << "what is heard since counts";
}

TEST(board, late_outputs_are_counted_and_told_now_and_then) {
  Rig rig;
  rig.tick();
  for (int k = 0; k < 1000; ++k) {
    rig.outputs();
    rig.tick(0.030);
  }
  EXPECT_EQ(rig.board.figures().ticks_held, 1000u);
  rig.told.clear();
  rig.outputs();
  for (int k = 0; k < 1000; ++k) {
    rig.ticks(0.040);
    rig.outputs();
    rig.tick(0.001);
  }
  EXPECT_GE(rig.told.size(), 4u);
  EXPECT_LE(rig.told.size(), 6u) << "40 s, and once in 10 s";
  EXPECT_NE(rig.told[0].find("older than 20 ms"), std::string::npos) << rig.told[0];
  EXPECT_EQ(rig.board.figures().silences, 0u);
}

// ---------------------------------------------------------------- what it is told

TEST(board, gets_inertial_sensors_every_time_and_the_others_when_they_have_something_new) {
  Rig rig;
  for (std::uint64_t k = 0; k < 250; ++k) rig.feed(1'000'000 + 4000 * k);
  const auto sensors = rig.sent_of<mavlink::HilSensor>();
  ASSERT_EQ(sensors.size(), 250u);
  std::size_t slow = 0;
  for (const auto& s : sensors) slow += (s.fields_updated & SensorBits::kBarometer) == SensorBits::kBarometer ? 1 : 0;
  EXPECT_EQ(slow, 50u);
  EXPECT_EQ(rig.sent_of<mavlink::HilGps>().size(), 10u);
  EXPECT_EQ(rig.sent[0].system, 1);
  EXPECT_EQ(rig.sent[0].component, 200);
}

TEST(board, hears_a_heartbeat_each_second_and_a_question_for_the_time_ten_times) {
  Rig rig;
  for (int k = 0; k < 300; ++k) rig.beat(), rig.now += 0.01;
  EXPECT_EQ(rig.sent_of<mavlink::Heartbeat>().size(), 3u);
  const auto questions = rig.sent_of<mavlink::Timesync>();
  EXPECT_GE(questions.size(), 27u);
  EXPECT_LE(questions.size(), 30u);
  for (const auto& q : questions) EXPECT_EQ(q.tc1, 0);
}

TEST(board, is_asked_for_outputs_as_often_as_it_gets_sensors_once_it_is_heard) {
  Rig rig;
  rig.beat();
  EXPECT_TRUE(rig.sent_of<mavlink::CommandLong>().empty());
  rig.hear(mavlink::Heartbeat{.autopilot = 12, .base_mode = 0x21});
  rig.beat();
  rig.beat();
  const auto wishes = rig.sent_of<mavlink::CommandLong>();
  ASSERT_EQ(wishes.size(), 1u);
  EXPECT_EQ(wishes[0].command, 511);
  EXPECT_EQ(wishes[0].param1, 93);
  EXPECT_EQ(wishes[0].param2, 4000);
  EXPECT_EQ(wishes[0].target_system, 7);
  // one that was silent may have begun anew
  rig.outputs();
  rig.ticks(1);
  rig.outputs();
  rig.tick();
  rig.beat();
  EXPECT_EQ(rig.sent_of<mavlink::CommandLong>().size(), 2u);
}

TEST(board, that_is_not_in_HIL_mode_is_told_how_to_change_that) {
  Rig rig;
  rig.hear(mavlink::Heartbeat{.autopilot = 12, .base_mode = 0x01});
  rig.hear(mavlink::Heartbeat{.autopilot = 12, .base_mode = 0x01});
  rig.tick();
  ASSERT_EQ(rig.told.size(), 1u);
  EXPECT_NE(rig.told[0].find("SYS_HITL"), std::string::npos) << rig.told[0];
}

TEST(board, that_never_says_anything_is_told_once_with_what_to_look_at) {
  Rig rig;
  rig.ticks(60);
  ASSERT_EQ(rig.told.size(), 1u);
  EXPECT_NE(rig.told[0].find("no outputs (HIL_ACTUATOR_CONTROLS) for 5 s"), std::string::npos) << rig.told[0];
  EXPECT_NE(rig.told[0].find("baud rate"), std::string::npos) << rig.told[0];
}

TEST(board, whose_line_takes_nothing_loses_whole_messages_which_are_counted) {
  Rig rig;
  rig.takes = false;
  for (std::uint64_t k = 0; k < 1000; ++k) rig.feed(1'000'000 + 4000 * k), rig.tick();
  EXPECT_EQ(rig.board.figures().sensors, 0u);
  EXPECT_EQ(rig.board.figures().dropped, 1000u + 40u) << "HIL_GPS, too";
  ASSERT_EQ(rig.told.size(), 1u) << "4 s, and once in 10 s";
  EXPECT_NE(rig.told[0].find("dropped"), std::string::npos) << rig.told[0];
}

TEST(board, that_is_unplugged_is_sent_nothing_and_told) {
  Rig rig;
  rig.board.closed(rig.now);
  rig.feed(1'000'000);
  rig.beat();
  EXPECT_TRUE(rig.sent.empty());
  EXPECT_EQ(rig.board.figures().dropped, 0u);
  rig.board.opened(rig.now);
  rig.tick();
  ASSERT_EQ(rig.told.size(), 2u);
  EXPECT_NE(rig.told[0].find("gone"), std::string::npos) << rig.told[0];
  EXPECT_NE(rig.told[1].find("back"), std::string::npos) << rig.told[1];
}

// ---------------------------------------------------------------- times

TEST(board, round_trips_are_measured_by_answers_to_our_questions_only) {
  Rig rig;
  for (int k = 0; k < 10; ++k) {
    rig.beat();
    const auto question = rig.sent_of<mavlink::Timesync>().back();
    const auto hear_after = [&](double seconds, std::int64_t tc1, std::int64_t ts1) {
      rig.now += seconds;
      rig.hear(mavlink::Timesync{.tc1 = tc1, .ts1 = ts1});
    };
    hear_after(0.001, 12345, question.ts1 + 1);  // an answer to another program
    hear_after(0.001, 0, question.ts1);          // its own question
    hear_after(0.001, 12345, question.ts1);
    hear_after(0.001, 12345, question.ts1);  // again
    rig.now += 0.1;
  }
  const BoardFigures f = rig.board.figures();
  EXPECT_EQ(f.round_trip.count(), 10u);
  EXPECT_NEAR(f.round_trip.mean(), 0.003, 1e-9);
}

TEST(board, jitter_is_the_deviation_of_the_times_between_messages) {
  Rig rig;
  for (std::uint64_t k = 0; k < 1001; ++k) {
    rig.feed(1'000'000 + 4000 * k);
    rig.now += k % 2 == 0 ? 0.003 : 0.005;
    rig.outputs();
  }
  const BoardFigures f = rig.board.figures();
  EXPECT_EQ(f.between_sensors.count(), 1000u);
  EXPECT_NEAR(f.between_sensors.mean(), 0.004, 1e-9);
  EXPECT_NEAR(f.between_sensors.deviation(), 0.001, 1e-6);
  EXPECT_NEAR(f.between_outputs.deviation(), 0.001, 1e-6);
  EXPECT_EQ(f.answer.count(), 0u) << "the board has a clock of its own";
}

TEST(board, gaps_of_pauses_and_silences_are_no_jitter) {
  Rig rig;
  for (std::uint64_t k = 0; k < 100; ++k) {
    rig.feed(1'000'000 + 4000 * k);
    rig.outputs();
    rig.now += k == 50 ? 3.0 : 0.004;
  }
  EXPECT_NEAR(rig.board.figures().between_sensors.max(), 0.004, 1e-9);
  EXPECT_NEAR(rig.board.figures().between_outputs.max(), 0.004, 1e-9);
}

TEST(board, that_sends_back_the_time_of_its_sensors_shows_how_long_it_takes) {
  Rig rig;
  for (std::uint64_t k = 0; k < 100; ++k) {
    rig.feed(1'000'000 + 4000 * k);
    rig.now += 0.0025;
    rig.outputs(0.5f, 0xa1, 1'000'000 + 4000 * k);
    rig.now += 0.0015;
  }
  EXPECT_EQ(rig.board.figures().answer.count(), 100u);
  EXPECT_NEAR(rig.board.figures().answer.mean(), 0.0025, 1e-9);
}

TEST(board, whose_clock_shows_a_time_of_ours_now_and_then_has_not_sent_it_back) {
  Rig rig;
  for (std::uint64_t k = 0; k < 100; ++k) {
    rig.feed(1'000'000 + 4000 * k);
    rig.outputs(0.5f, 0xa1, 1'000'000 + (k % 4 == 0 ? 4000 : 4001) * k);
  }
  EXPECT_EQ(rig.board.figures().answer.count(), 0u);
}

// ---------------------------------------------------------------- for a page

TEST(board, says_why_it_does_not_fly_its_vehicle) {
  Rig rig;
  EXPECT_EQ(rig.board.report().kind, "PX4");
  EXPECT_EQ(rig.board.report().trouble, "it sends no heartbeats");
  rig.hear(mavlink::Heartbeat{.base_mode = 0x01});
  EXPECT_EQ(rig.board.report().trouble, "it is not in HIL mode");
  rig.hear(mavlink::Heartbeat{.base_mode = 0x21});
  EXPECT_EQ(rig.board.report().trouble, "it has sent no outputs yet");
  rig.outputs();
  rig.tick();
  EXPECT_EQ(rig.board.report().trouble, "");
  EXPECT_TRUE(rig.board.report().is_armed);
  rig.ticks(0.6);
  EXPECT_EQ(rig.board.report().trouble, "it has sent no outputs for 0.5 s");
  EXPECT_FALSE(rig.board.report().is_armed) << "its outputs are not flown";
  rig.board.closed(rig.now);
  EXPECT_EQ(rig.board.report().trouble, "its device is gone");
}

TEST(board, shows_the_mode_of_its_last_heartbeat_and_its_system) {
  Rig rig;
  EXPECT_EQ(rig.board.report().mode, "");
  rig.hear(mavlink::Heartbeat{.custom_mode = 4 << 16 | 5 << 24, .base_mode = 0x21});
  EXPECT_EQ(rig.board.report().mode, "Return");
  EXPECT_EQ(rig.board.report().system, 7);
  rig.hear(mavlink::Heartbeat{.custom_mode = 3 << 16, .base_mode = 0x21});
  EXPECT_EQ(rig.board.report().mode, "Position");
}

TEST(board, its_texts_have_the_simulated_time_of_the_last_sensors) {
  Rig rig;
  mavlink::Statustext m;
  m.severity = mavlink::number_of(mavlink::Severity::Critical), m.text = mavlink::fixed_text<50>("Arming denied: no manual control");
  rig.hear(m);
  rig.feed(kFirstMoment + 2'500'000);
  rig.hear(m);
  const auto messages = rig.board.report().messages;
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[0].time, 0);
  EXPECT_NEAR(messages[1].time, 2.5, 1e-9);
  EXPECT_EQ(messages[1].text, "Arming denied: no manual control");
  EXPECT_EQ(messages[1].severity, 2);
}

TEST(board, counts_frames_that_come_go_are_lost_and_are_not_taken) {
  Rig rig;
  for (int k = 0; k < 3; ++k) rig.outputs();
  Bytes lost;
  rig.writer.append(mavlink::Heartbeat{}, lost);
  rig.outputs();
  rig.feed(1'000'000);
  const std::size_t n_sent = rig.sent.size();
  rig.takes = false;
  rig.feed(1'004'000);
  const FrameCounts f = rig.board.frames();
  EXPECT_EQ(f.received, 4u);
  EXPECT_EQ(f.lost, 1u);
  EXPECT_EQ(f.sent, n_sent);
  EXPECT_EQ(f.dropped, 1u);
}

// ---------------------------------------------------------------- bytes

TEST(board, bytes_that_belong_to_no_message_change_nothing) {
  StandInBoard device({.noise = 40});
  Rig rig;
  for (std::uint64_t k = 0; k < 500; ++k) {
    Bytes to, from;
    rig.board.feed(Measured{}, 1'000'000 + 4000 * k, rig.now, [&](std::span<const std::byte> b) { return to.insert(to.end(), b.begin(), b.end()), true; });
    device.received(to, rig.now, from);
    rig.board.received(from, rig.now);
    rig.tick();
  }
  const BoardFigures f = rig.board.figures();
  EXPECT_GT(f.skipped, 10'000u);
  EXPECT_GT(f.outputs, 400u) << "what looks like the head of a frame may hold back those behind it";
  EXPECT_EQ(f.silences, 0u);
}

// ---------------------------------------------------------------- lines

TEST(line_load, is_that_of_the_messages_at_250_hertz) {
  const LineLoad load = line_load(0.004);
  EXPECT_NEAR(load.out, 76 * 250 + 48 * 10 + 28 * 10 + 21, 1);
  EXPECT_NEAR(load.in, 93 * 250 + 28 * 10 + 21, 1);
  EXPECT_EQ(bytes_per_second(921600), 92160);
}

TEST(line_load, a_line_that_is_too_slow_is_refused_with_the_arithmetic) {
  const auto device = [](const char* text) { return parse_device(text).value(); };
  EXPECT_TRUE(check_line(device("/dev/ttyACM0"), 0.004));
  EXPECT_TRUE(check_line(device("/dev/ttyACM0:460800"), 0.004));
  const core::Status slow = check_line(device("/dev/ttyS1:230400"), 0.004);
  ASSERT_FALSE(slow);
  for (const char* part : {"/dev/ttyS1", "230400 baud carry 23040 bytes/s", "76 bytes, 250 times per second", "93 bytes, 250 times per second", "921600"})
    EXPECT_NE(slow.error().text().find(part), std::string::npos) << slow.error().text();
}

TEST(line_load, devices_are_as_many_as_vehicles_and_each_is_there_once) {
  const auto a = parse_device("/dev/ttyACM0").value(), b = parse_device("/dev/ttyACM1:1000000").value();
  EXPECT_TRUE(check_devices({a, b}, 2, 4'000'000));
  EXPECT_NE(check_devices({a}, 2, 4'000'000).error().text().find("PX4 flies 2 vehicles, and 1 serial device was given"), std::string::npos);
  EXPECT_NE(check_devices({a, a}, 2, 4'000'000).error().text().find("twice"), std::string::npos);
  EXPECT_FALSE(parse_device("ttyACM0"));
  EXPECT_NE(parse_device("/dev/ttyACM0:fast").error().text().find("DEVICE:BAUD"), std::string::npos);
}

}  // namespace
}  // namespace volary::autopilot

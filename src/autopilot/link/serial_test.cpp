// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Serial lines with pairs of pseudo terminals.
#include <filesystem>

#include "autopilot/link/links_test_support.hpp"

namespace volary::autopilot {
namespace {

using namespace link_testing;
using Event = LinkEvent::Kind;

// the side of the device; the other side is a file under /dev/pts
class Pty {
 public:
  Pty() : master_(FileHandle(::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC))) {
    char name[128] = "";
    EXPECT_TRUE(::grantpt(master_.fd()) == 0 && ::unlockpt(master_.fd()) == 0 && ::ptsname_r(master_.fd(), name, sizeof name) == 0);
    path_ = name;
  }
  const PlainSocket& master() const { return master_; }
  const std::string& path() const { return path_; }
  std::string address(int baud = 921600) const { return "serial:" + path_ + ":" + std::to_string(baud); }

 private:
  PlainSocket master_;
  std::string path_;
};

// a name for a device that can be given to another one
class DeviceName {
 public:
  DeviceName() {
    char name[] = "/tmp/volary_serial_XXXXXX";
    EXPECT_NE(::mkdtemp(name), nullptr);
    folder_ = name;
  }
  ~DeviceName() { std::filesystem::remove_all(folder_); }
  std::filesystem::path path() const { return folder_ / "device"; }
  void point_to(const std::string& device) const {
    std::filesystem::remove(path());
    std::filesystem::create_symlink(device, path());
  }

 private:
  std::filesystem::path folder_;
};

core::Error error_of(const LinkAddress& address) {
  const auto links = Links::open({address});
  EXPECT_FALSE(links);
  return links ? core::Error{} : links.error();
}

TEST(serial_link, carries_every_byte_unchanged_in_both_directions) {
  const Pty pty;
  Recorder vehicle({pty.address()});
  const ChannelId channel = vehicle.opened(0);
  EXPECT_EQ(vehicle.told()[0].name, "serial " + pty.path());
  Bytes all;
  for (int k = 0; k < 256; ++k) all.push_back(static_cast<std::byte>(k));
  vehicle.links().send(channel, all);
  pty.master().write(all);
  EXPECT_EQ(read_text(vehicle, pty.master(), 256), text_of(all));
  EXPECT_TRUE(vehicle.poll_until([&] { return vehicle.bytes(channel).size() == 256; }));
  EXPECT_TRUE(vehicle.bytes(channel) == all);
}

TEST(serial_link, sets_the_line_as_the_address_says) {
  const Pty pty;
  Recorder vehicle({pty.address(57600)});
  termios settings{};
  ASSERT_EQ(::tcgetattr(pty.master().fd(), &settings), 0);
  EXPECT_EQ(::cfgetospeed(&settings), speed_t{B57600});
  EXPECT_EQ(::cfgetispeed(&settings), speed_t{B57600});
  EXPECT_EQ(settings.c_cflag & CSIZE, tcflag_t{CS8});
  EXPECT_EQ(settings.c_cflag & (PARENB | CSTOPB | CRTSCTS), 0U);
  EXPECT_EQ(settings.c_iflag & (IXON | IXOFF | IXANY | ICRNL), 0U);
  EXPECT_EQ(settings.c_lflag & (ICANON | ECHO | ISIG), 0U);
}

TEST(serial_link, knows_the_standard_baud_rates) {
  for (const std::uint32_t baud : {9600U, 57600U, 115200U, 230400U, 460800U, 500000U, 921600U, 1000000U, 1500000U, 2000000U, 3000000U})
    EXPECT_TRUE(speed_of(baud)) << baud;
  EXPECT_FALSE(speed_of(0));
  const core::Error error = error_of({.kind = LinkAddress::Kind::Serial, .host = "/dev/null", .port = 0, .baud = 12345});
  EXPECT_NE(error.suggestion.find("921600, 1000000"), std::string::npos) << error.text();
}

TEST(serial_link, never_waits_for_a_device_that_takes_nothing_and_drops_whole_messages) {
  const Pty pty;
  Recorder vehicle({pty.address()});
  const ChannelId channel = vehicle.opened(0);
  const auto message = [](std::size_t n) {
    std::string text = std::to_string(n);
    return text + std::string(99 - text.size(), '.') + "\n";
  };
  std::size_t n = 0;
  ASSERT_TRUE(eventually([&] {
    for (int k = 0; k < 100; ++k) vehicle.send(channel, message(n++));
    vehicle.poll(0);
    return vehicle.links().counts_of(channel).dropped > 1000;
  }));
  // the device takes bytes again
  const std::uint64_t dropped = vehicle.links().counts_of(channel).dropped;
  std::string got = read_text(vehicle, pty.master(), n * 100 - dropped);
  vehicle.send(channel, message(n));
  got += read_text(vehicle, pty.master(), 100);
  ASSERT_EQ(got.size(), n * 100 - dropped + 100);
  for (std::size_t at = 0; at < got.size(); at += 100) ASSERT_EQ(got.substr(at, 100), message(std::stoul(got.substr(at, 99))));
  EXPECT_EQ(got.substr(got.size() - 100), message(n));
  EXPECT_EQ(vehicle.links().counts_of(channel).dropped, dropped);
}

TEST(serial_link, whose_device_takes_nothing_is_closed_at_once) {
  const Pty pty;
  Recorder vehicle({pty.address()});
  const ChannelId channel = vehicle.opened(0);
  for (int k = 0; k < 6000; ++k) vehicle.links().send(channel, Bytes(100));
  EXPECT_GT(vehicle.links().counts_of(channel).dropped, 0U);
}

TEST(serial_link, keeps_no_more_unsent_than_it_is_allowed_to) {
  const Pty pty;
  Recorder vehicle({pty.address()}, {.most_unsent = 200});
  const ChannelId channel = vehicle.opened(0);
  // the system takes some
  ASSERT_TRUE(eventually([&] {
    vehicle.send(channel, std::string(100, '.'));
    return vehicle.links().counts_of(channel).dropped > 0;
  }));
  const ChannelCounts counts = vehicle.links().counts_of(channel);
  const std::string got = read_text(vehicle, pty.master(), counts.sent + 100);
  EXPECT_LE(got.size(), counts.sent + 200);
  EXPECT_EQ(got.size() % 100, 0U) << "no message was cut";
}

TEST(serial_link, is_opened_again_when_the_device_comes_back) {
  const DeviceName name;
  auto first = std::make_unique<Pty>();
  name.point_to(first->path());
  Recorder vehicle({"serial:" + name.path().string()}, {.retry = 0.01});
  const ChannelId before = vehicle.opened(0);
  first->master().write(bytes_of("last words"));
  ASSERT_TRUE(vehicle.poll_until([&] { return vehicle.text(before) == "last words"; }));
  std::filesystem::remove(name.path());
  first.reset();
  ASSERT_TRUE(vehicle.poll_until([&] { return vehicle.n_closed() == 1; }));
  for (int k = 0; k < 3; ++k) vehicle.poll(0.01);
  EXPECT_EQ(vehicle.n_opened(), 1U);

  const Pty second;
  name.point_to(second.path());
  const ChannelId after = vehicle.opened(1);
  EXPECT_NE(before, after);
  vehicle.send(before, "lost");
  vehicle.send(after, "back");
  EXPECT_EQ(read_text(vehicle, second.master(), 4), "back");
  second.master().write(bytes_of("hello"));
  EXPECT_TRUE(vehicle.poll_until([&] { return vehicle.text(after) == "hello"; }));
}

TEST(serial_link, has_its_device_for_itself_until_it_closes) {
  const Pty pty;
  {
    const Recorder vehicle({pty.address()});
    const core::Error error = error_of(parse_link(pty.address()).value());
    EXPECT_NE(error.message.find(pty.path()), std::string::npos) << error.text();
    EXPECT_NE(error.message.find("busy"), std::string::npos) << error.text();
    EXPECT_NE(error.suggestion.find("other program"), std::string::npos) << error.text();
  }
  Recorder again({pty.address()});
  again.send(again.opened(0), "x");
  EXPECT_EQ(read_text(again, pty.master(), 1), "x");
}

TEST(serial_link, to_a_device_that_cannot_be_opened_is_an_error_that_says_why) {
  const core::Error missing = error_of(parse_link("serial:/dev/no_such_device").value());
  EXPECT_NE(missing.message.find("serial:/dev/no_such_device:921600: cannot open the device: No such file"), std::string::npos) << missing.text();
  EXPECT_NE(missing.suggestion.find("connect the device"), std::string::npos);
  const core::Error other = error_of(parse_link("serial:/dev/null").value());
  EXPECT_NE(other.message.find("not a serial device"), std::string::npos) << other.text();
}

}  // namespace
}  // namespace volary::autopilot

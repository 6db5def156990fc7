// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include <random>

#include <gtest/gtest.h>

#include "autopilot/link/links.hpp"

namespace volary::autopilot {
namespace {

using Kind = LinkAddress::Kind;

LinkAddress parsed(std::string_view text) {
  const auto address = parse_link(text);
  EXPECT_TRUE(address) << text << ": " << (address ? "" : address.error().text());
  return address ? address.value() : LinkAddress{};
}

void expect_network(std::string_view text, Kind kind, std::string_view host, int port) {
  const LinkAddress address = parsed(text);
  EXPECT_EQ(address.kind, kind) << text;
  EXPECT_EQ(address.host, host) << text;
  EXPECT_EQ(address.port, port) << text;
}

// the words that the message and the suggestion must hold
void expect_error(std::string_view text, std::string_view message, std::string_view suggestion) {
  const auto address = parse_link(text);
  ASSERT_FALSE(address) << text;
  const core::Error& error = address.error();
  EXPECT_NE(error.message.find(message), std::string::npos) << text << ": " << error.text();
  EXPECT_NE(error.suggestion.find(suggestion), std::string::npos) << text << ": " << error.text();
  EXPECT_FALSE(error.suggestion.empty()) << text;
}

TEST(link_address, of_every_kind_is_read) {
  expect_network("udpout:192.168.1.10:14550", Kind::UdpOut, "192.168.1.10", 14550);
  expect_network("udpin:0.0.0.0:14540", Kind::UdpIn, "0.0.0.0", 14540);
  expect_network("tcp:localhost:5760", Kind::Tcp, "localhost", 5760);
  expect_network("tcpin:127.0.0.1:0", Kind::TcpIn, "127.0.0.1", 0);
  expect_network("tcp:[::1]:65535", Kind::Tcp, "::1", 65535);
  expect_network("udpout:ground-station.local:1", Kind::UdpOut, "ground-station.local", 1);
  const LinkAddress serial = parsed("serial:/dev/ttyUSB0:57600");
  EXPECT_EQ(serial.kind, Kind::Serial);
  EXPECT_EQ(serial.host, "/dev/ttyUSB0");
  EXPECT_EQ(serial.baud, 57600U);
}

TEST(link_address, without_a_host_is_of_this_machine) {
  expect_network("udpin::14540", Kind::UdpIn, "127.0.0.1", 14540);
  expect_network("tcpin::0", Kind::TcpIn, "127.0.0.1", 0);
  expect_network("udpout::14550", Kind::UdpOut, "127.0.0.1", 14550);
  expect_network("tcp::4560", Kind::Tcp, "127.0.0.1", 4560);
}

TEST(link_address, of_a_serial_device_may_leave_out_the_baud_rate) { EXPECT_EQ(parsed("serial:/dev/ttyACM0").baud, 921600U); }

TEST(link_address, of_a_serial_device_may_contain_colons) {
  const LinkAddress address = parsed("serial:/dev/serial/by-path/pci-0000:00:14.0-usb-0:1:1.0:115200");
  EXPECT_EQ(address.host, "/dev/serial/by-path/pci-0000:00:14.0-usb-0:1:1.0");
  EXPECT_EQ(address.baud, 115200U);
}

TEST(link_address, is_written_as_it_is_read) {
  for (const char* text : {"udpout:127.0.0.1:14550", "udpin:0.0.0.0:14540", "tcp:localhost:5760", "tcpin:[::]:0", "tcp:[fe80::1%lo]:5760",
                           "serial:/dev/ttyACM0:921600", "serial:/dev/ttyUSB0:3000000"})
    EXPECT_EQ(parsed(text).text(), text);
  EXPECT_EQ(parsed("udpout::14550").text(), "udpout:127.0.0.1:14550");
  EXPECT_EQ(parsed("serial:/dev/ttyACM0").text(), "serial:/dev/ttyACM0:921600");
}

TEST(link_address, of_an_unknown_kind_is_refused_with_the_kind_that_was_meant) {
  expect_error("udp:127.0.0.1:14550", "\"udp\" is not a kind", "udpout:HOST:PORT sends, udpin:HOST:PORT listens");
  expect_error("udp://:14540", "\"udp\"", "udpin:HOST:PORT listens");
  expect_error("tcpout:127.0.0.1:5760", "\"tcpout\"", "tcp:HOST:PORT connects");
  expect_error("udpinn::14550", "\"udpinn\"", "'udpin'");
  expect_error("uart:/dev/ttyS0", "\"uart\"", "serial:DEVICE:BAUD");
  expect_error("/dev/ttyACM0", "the kind is missing", "serial:/dev/ttyACM0");
  expect_error("127.0.0.1:14550", "\"127.0.0.1\" is not a kind", "udpout:");
  expect_error("", "empty", "udpout:127.0.0.1:14550");
  expect_error("udpin", "only the kind", "udpin:HOST:PORT");
}

TEST(link_address, without_a_port_is_refused) {
  expect_error("udpout:127.0.0.1", "port is missing", "udpout:127.0.0.1:14550");
  expect_error("udpout:127.0.0.1:", "port is missing", "udpout:127.0.0.1:14550");
  expect_error("udpout:", "port is missing", "udpout:127.0.0.1:14550");
  expect_error("udpout::", "port is missing", "udpout:127.0.0.1:14550");
  expect_error("tcp:[::1]", "port is missing", "tcp:[::1]:14550");
  expect_error("tcp:[::1]:", "port is missing", "tcp:[::1]:14550");
  expect_error("udpin:14550", "host or the port is missing", "udpin:127.0.0.1:14550");
}

TEST(link_address, with_a_port_out_of_range_is_refused) {
  for (const char* port : {"65536", "99999", "184467440737095516170"}) expect_error(std::string("udpin::") + port, "out of range", "1 to 65535");
  for (const char* port : {"-1", "+1", "http", "0x10", "1.5"}) expect_error(std::string("udpin::") + port, "is not a number", "udpin:HOST:PORT");
  expect_error("udpout:127.0.0.1:0", "port 0", "1 to 65535");
  expect_error("tcp:127.0.0.1:0", "port 0", "1 to 65535");
}

TEST(link_address, with_a_host_that_cannot_be_is_refused) {
  expect_error("udpout:::1:14550", "too many colons", "[::1]");
  expect_error("udpout:[::1:14550", "bracket", "[::1]");
  expect_error("udpout:[::1]14550", "bracket", "[::1]");
  expect_error("udpout:[name]:14550", "IPv6", "[::1]");
  expect_error("udpout:[]:14550", "IPv6", "[::1]");
  expect_error("udpout:127.0.0.256:14550", "IPv4", "four numbers");
  expect_error("udpout:127.0.1:14550", "IPv4", "four numbers");
  expect_error("udpout:a/b:14550", "neither a name nor an address", "udpout:127.0.0.1:14550");
  expect_error("udpout:a b:14550", "blanks", "udpout:HOST:PORT");
  expect_error(std::string_view("udpout:a\0b:14550", 16), "blanks", "udpout:HOST:PORT");
  expect_error("udpout:" + std::string(254, 'a') + ":14550", "neither a name", "udpout");
  expect_error("udpout:0.0.0.0:14550", "nothing can be sent", "127.0.0.1");
  expect_error("tcp:[::]:14550", "nothing can be sent", "127.0.0.1");
  expect_error("udpin://127.0.0.1:14550", "slashes", "udpin:127.0.0.1:14550");
}

TEST(link_address, of_a_serial_device_that_cannot_be_is_refused) {
  expect_error("serial:/dev/ttyACM0:fast", "\"fast\" is not a number", "serial:DEVICE:BAUD");
  expect_error("serial:/dev/ttyACM0:", "is not a number", "serial:DEVICE:BAUD");
  expect_error("serial:/dev/ttyACM0:-9600", "is not a number", "serial:DEVICE:BAUD");
  expect_error("serial:/dev/ttyACM0:12345", "12345 is not a standard baud rate", "460800, 500000, 576000, 921600, 1000000");
  expect_error("serial:/dev/ttyACM0:99999999999", "not a standard baud rate", "3000000");
  expect_error("serial:ttyACM0:57600", "absolute path", "serial:/dev/ttyACM0");
  expect_error("serial:///dev/ttyACM0:57600", "slashes", "serial:/dev/ttyACM0");
  expect_error("serial:", "device is missing", "serial:/dev/ttyACM0:921600");
  expect_error("serial::57600", "device is missing", "serial:/dev/ttyACM0:921600");
}

TEST(link_address, says_whether_other_machines_can_reach_it) {
  for (const char* text : {"udpin::1", "udpin:127.0.0.1:1", "tcpin:127.3.2.1:1", "tcpin:[::1]:1", "tcpin:[::ffff:127.0.0.1]:1", "udpin:localhost:1",
                           "udpout:192.168.1.10:1", "tcp:192.168.1.10:1", "serial:/dev/ttyACM0"})
    EXPECT_FALSE(parsed(text).listens_beyond_loopback()) << text;
  for (const char* text : {"udpin:0.0.0.0:1", "udpin:192.168.1.10:1", "tcpin:[::]:1", "tcpin:[fe80::1]:1", "tcpin:[::ffff:10.0.0.1]:1", "tcpin:some.name:1"})
    EXPECT_TRUE(parsed(text).listens_beyond_loopback()) << text;
}

TEST(link_address, of_any_characters_is_an_address_that_comes_back_or_an_error_with_words) {
  std::mt19937 random(7);
  const std::vector<std::string> parts = {"udpin", "udpout",    "tcp",   "tcpin", "serial",   ":",         ":", "::", "[",
                                          "]",     "127.0.0.1", "14550", "65536", "/dev/tty", "localhost", " ", "\n", std::string(1, '\0'),
                                          "\xff",  "57600",     "//",    "-",     "0",        "."};
  for (int k = 0; k < 20000; ++k) {
    std::string text;
    for (auto n = random() % 7; n > 0; --n) text += parts[random() % parts.size()];
    const auto address = parse_link(text);
    if (!address) {
      EXPECT_FALSE(address.error().message.empty());
      continue;
    }
    EXPECT_EQ(parsed(address.value().text()).text(), address.value().text()) << text;
  }
}

}  // namespace
}  // namespace volary::autopilot

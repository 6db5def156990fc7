// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A station with real sockets on loopback, as a page sees it.
#include "autopilot/station_service.hpp"

#include "autopilot/link/links_test_support.hpp"
#include "autopilot/station_test_support.hpp"

namespace volary::autopilot {
namespace {

using link_testing::eventually;
using link_testing::PlainSocket;

std::string text_of(const mavlink::Bytes& bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

TEST(station_service, tells_the_state_of_its_links_and_the_rates_on_them) {
  StationOptions options;
  for (const char* address : {"udpin:127.0.0.1:0", "udpout:127.0.0.1:9", "tcp:127.0.0.1:9"}) options.links.push_back(parse_station_link(address).value());
  auto opened = StationService::open(options);
  ASSERT_TRUE(opened) << opened.error().text();
  StationService& service = *opened.value();
  const auto world = test::make(test_flight::standing(2));
  service.begin(*world, false);
  ASSERT_TRUE(eventually([&] { return service.link_reports()[1].state == "no answer"; })) << service.link_reports()[1].state;
  EXPECT_EQ(service.link_reports()[0].state, "listening");
  EXPECT_EQ(service.link_reports()[2].state, "connecting");

  const PlainSocket client(SOCK_DGRAM);
  const std::uint16_t port = parse_link(service.links()[0]).value().port;
  mavlink::Writer writer(255, 190);
  ASSERT_TRUE(eventually([&] {
    mavlink::Bytes bytes;
    writer.append(mavlink::Heartbeat{}, bytes);
    client.send_to(text_of(bytes), port);
    ::usleep(20'000);
    const runner::LinkReport s = service.link_reports()[0];
    return s.received_rate > 5 && s.sent_rate > 1;
  }));
  runner::LinkReport s = service.link_reports()[0];
  EXPECT_EQ(s.state, "connected");
  ASSERT_EQ(s.peers.size(), 1u);
  EXPECT_NE(s.peers[0].find(std::to_string(client.port())), std::string::npos) << s.peers[0];
  EXPECT_GT(s.received, 5u);
  EXPECT_GT(s.sent, 1u);
  EXPECT_EQ(s.lost + s.bad + s.refused, 0u);
  EXPECT_FALSE(s.is_signed);
  client.send_to("\xfd\x09 no frame at all, but long enough to be one", port);
  mavlink::Bytes skipped, bytes;
  for (int k = 0; k < 4; ++k) writer.append(mavlink::Heartbeat{}, skipped);
  writer.append(mavlink::Heartbeat{}, bytes);
  client.send_to(text_of(bytes), port);
  ASSERT_TRUE(eventually([&] { return service.link_reports()[0].lost == 4; })) << service.link_reports()[0].lost;
  EXPECT_TRUE(service.flies(world->vehicles()[1]));
  EXPECT_EQ(service.report_of(world->vehicles()[1]).mode, "Hold");
}

TEST(station_service, an_order_becomes_inputs_of_the_next_tick) {
  StationOptions options;
  options.links.push_back(parse_station_link("udpout:127.0.0.1:9").value());
  auto opened = StationService::open(options);
  ASSERT_TRUE(opened);
  StationService& service = *opened.value();
  const auto world = test::make(test_flight::standing(1));
  service.begin(*world, false);
  ASSERT_TRUE(service.order(world->vehicles()[0], {.kind = runner::FlightOrder::Kind::TakeOff}));
  std::vector<Input> inputs;
  ASSERT_TRUE(service.give(*world, inputs));
  ASSERT_GE(inputs.size(), 2u);
  EXPECT_EQ(std::get<SetMode>(inputs.front().payload).mode, Mode::Armed);
  EXPECT_EQ(std::get<SetMode>(inputs.back().payload).mode, Mode::TakeOff);
  inputs.clear();
  ASSERT_TRUE(service.give(*world, inputs));
  EXPECT_TRUE(inputs.empty()) << "each once";
}

}  // namespace
}  // namespace volary::autopilot

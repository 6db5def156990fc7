// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A broker that other machines reach. 127.0.0.2 stands for an address of the network: it is another one than 127.0.0.1, where the processes of this machine connect.
#include <gtest/gtest.h>

#include "cluster/transport/certificates.hpp"
#include "cluster/transport/sockets_test_support.hpp"
#include "cluster/transport/transport_test_support.hpp"

namespace volary::cluster {
namespace {

using namespace testing;

class network_broker : public ::testing::Test {
 protected:
  void SetUp() override {
    VOLARY_NEEDS_BROKER();
    broker_ = start_broker({.network = {"127.0.0.2", free_loopback_port().value()}});
    ASSERT_TRUE(broker_);
    options_ = options_for(*broker_, broker_->node(1));
    options_.broker = broker_->network();
    options_.ca_file = folder_.write("ca.crt", broker_->certificate());
  }
  std::string refusal() const {
    const auto link = connect_mqtt(options_);
    return link ? "accepted" : link.error().text();
  }
  std::unique_ptr<Broker> broker_;
  core::ScratchFolder folder_;
  MqttOptions options_;
};

TEST_F(network_broker, carries_messages_between_a_process_here_and_one_elsewhere) {
  auto far = connect(options_);
  auto near = connect(options_for(*broker_, broker_->coordinator()));
  ASSERT_TRUE(far && near);
  ASSERT_TRUE(near->subscribe("sw/local/st/+", 1));
  far->publish("sw/local/st/1", bytes_of("from afar"), {.qos = 1});
  const auto heard = receive_count(*near, 1);
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(text_of(heard[0].bytes), "from afar");
}

TEST_F(network_broker, listens_at_the_two_addresses_and_nowhere_else) {
  std::vector<std::string> found;
  for (const OpenSocket& s : listening_sockets(broker_->pid())) found.push_back(s.text());
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, (std::vector<std::string>{"tcp 127.0.0.1:" + std::to_string(broker_->address().port), "tcp 127.0.0.2:" + std::to_string(broker_->network().port)}));
}

TEST_F(network_broker, admits_nobody_without_tls_the_right_certificate_and_a_password) {
  EXPECT_EQ(refusal(), "accepted");
  const MqttOptions good = options_;
  options_.password = "guess";
  EXPECT_NE(refusal(), "accepted");
  options_ = good, options_.user.clear(), options_.password.clear();
  EXPECT_NE(refusal(), "accepted");
  options_ = good, options_.ca_file.clear();
  EXPECT_NE(refusal(), "accepted");
  // of another federation at the same address
  options_ = good, options_.ca_file = folder_.write("other.crt", make_certificate("127.0.0.2").value().certificate);
  EXPECT_NE(refusal(), "accepted");
}

TEST_F(network_broker, keeps_its_certificate_when_it_is_started_again) {
  ASSERT_TRUE(broker_->restart());
  EXPECT_EQ(refusal(), "accepted");
}

TEST(network_broker_address, that_is_not_ours_or_taken_is_refused_in_words) {
  const auto foreign = can_listen({"192.0.2.7", 8883}, "--listen");
  ASSERT_FALSE(foreign);
  EXPECT_NE(foreign.error().text().find("192.0.2.7:8883: this is no address of this machine"), std::string::npos) << foreign.error().text();
  VOLARY_NEEDS_BROKER();
  auto other = start_broker();
  ASSERT_TRUE(other);
  const auto taken = can_listen(other->address(), "--listen");
  ASSERT_FALSE(taken);
  EXPECT_NE(taken.error().text().find("another program listens there"), std::string::npos) << taken.error().text();
}

TEST(certificates, name_the_host_they_are_for_and_differ) {
  const auto a = make_certificate("10.1.2.3"), b = make_certificate("10.1.2.3");
  ASSERT_TRUE(a && b);
  EXPECT_NE(a.value().key, b.value().key);
  EXPECT_NE(a.value().certificate, b.value().certificate);
  EXPECT_TRUE(make_certificate("ground-station.example"));
  EXPECT_TRUE(make_certificate("fd00::7"));
  EXPECT_FALSE(make_certificate(""));
  EXPECT_FALSE(make_certificate("a,IP:10.0.0.1"));
}

}  // namespace
}  // namespace volary::cluster

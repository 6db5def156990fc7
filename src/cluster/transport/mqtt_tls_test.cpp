// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The configuration for several machines, tried on this one: TLS, certificates of clients, and what is said when one of them is wrong.
#include <sys/stat.h>

#include <cstdlib>

#include <gtest/gtest.h>

#include "cluster/transport/secrets.hpp"
#include "cluster/transport/transport_test_support.hpp"

namespace volary::cluster {
namespace {

using namespace testing;

class mqtt_tls : public ::testing::Test {
 protected:
  void SetUp() override {
    VOLARY_NEEDS_BROKER();
    if (std::system("command -v openssl >/dev/null") != 0) GTEST_SKIP() << "the program openssl is not installed: no certificates can be made";
    ::chmod(folder_.path().c_str(), 0755);
    // an authority with a broker and a client, and a foreign authority with another client
    ASSERT_TRUE(make("ca", "") && make("broker", "ca") && make("node", "ca") && make("other_ca", "") && make("stranger", "other_ca"));
    address_.port = free_loopback_port().value();
    folder_.write("passwords", password_line("1", "secret").value());
    folder_.write("acl", acl_text("local"));
    folder_.write("mosquitto.conf", remote_config(address_.port, "127.0.0.1", folder_.path(), {}));
    ASSERT_EQ(std::system(("chmod -R a+rX " + folder_.path()).c_str()), 0);
    auto child = core::ChildProcess::start(
        {.command = {find_broker_program("mosquitto", "").value(), "-c", folder_.file("mosquitto.conf")}, .output_file = folder_.file("log")});
    ASSERT_TRUE(child);
    broker_ = std::move(child).value();
    ASSERT_TRUE(eventually([&] { return static_cast<bool>(reach(address_, 1'000'000'000)) || !broker_->is_running(); }));
    ASSERT_TRUE(broker_->is_running());
  }

  // a key with a certificate, signed by an authority or by itself
  bool make(const std::string& name, const std::string& authority) {
    const std::string base = folder_.file(name), quiet = " >/dev/null 2>&1";
    const std::string request = "openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout " + base + ".key -subj /CN=" + name;
    if (authority.empty()) return std::system((request + " -x509 -days 2 -out " + base + ".crt" + quiet).c_str()) == 0;
    folder_.write(name + ".ext", "subjectAltName=IP:127.0.0.1,DNS:localhost\n");
    const std::string sign = "openssl x509 -req -in " + base + ".csr -CA " + folder_.file(authority) + ".crt -CAkey " + folder_.file(authority) +
                             ".key -CAcreateserial -days 2 -extfile " + base + ".ext -out " + base + ".crt";
    return std::system((request + " -out " + base + ".csr" + quiet).c_str()) == 0 && std::system((sign + quiet).c_str()) == 0;
  }
  MqttOptions options() {
    MqttOptions o;
    o.broker = address_;
    o.user = "1";
    o.password = "secret";
    o.ca_file = folder_.file("ca.crt");
    o.certificate_file = folder_.file("node.crt");
    o.key_file = folder_.file("node.key");
    return o;
  }

  core::ScratchFolder folder_;
  HostPort address_ = {.host = "127.0.0.1", .port = 0};
  std::unique_ptr<core::ChildProcess> broker_;
};

TEST_F(mqtt_tls, carries_messages_both_ways) {
  for (const int version : {4, 5}) {
    MqttOptions o = options();
    o.version = version;
    auto link = connect(o);
    ASSERT_TRUE(link);
    ASSERT_TRUE(link->subscribe("sw/local/st/1", 1));
    // more than one record of TLS
    const std::vector<std::byte> large(100'000, std::byte{7});
    for (int k = 0; k < 20; ++k) EXPECT_EQ(link->publish("sw/local/st/1", large, {.qos = k % 2}), LinkDrop::None);
    const auto got = receive_count(*link, 20);
    ASSERT_EQ(got.size(), 20u);
    for (const Received& m : got) EXPECT_EQ(m.bytes, large);
  }
}

TEST_F(mqtt_tls, faults_are_told_in_words) {
  const auto told = [&](const std::function<void(MqttOptions&)>& change) {
    MqttOptions o = options();
    change(o);
    const auto link = connect_mqtt(std::move(o));
    return link ? std::string("accepted") : link.error().text();
  };
  const auto says = [](const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; };
  EXPECT_PRED2(says, told([&](MqttOptions& o) { o.ca_file = folder_.file("other_ca.crt"); }), "TLS failed: ");
  // when the broker's refusal overtakes the end of the handshake, only the lost connection is told
  EXPECT_PRED2(says, told([&](MqttOptions& o) { o.certificate_file = o.key_file = ""; }), "no connection to the broker");
  EXPECT_PRED2(says, told([&](MqttOptions& o) {
                 o.certificate_file = folder_.file("stranger.crt");
                 o.key_file = folder_.file("stranger.key");
               }),
               "no connection to the broker");
  EXPECT_PRED2(says, told([&](MqttOptions& o) { o.ca_file = o.certificate_file = o.key_file = ""; }),
               "the broker closed the connection before it answered: it may want TLS (ca_file)");
  EXPECT_PRED2(says, told([&](MqttOptions& o) { o.password = "wrong"; }), "does not accept user \"1\"");
  EXPECT_PRED2(says, told([&](MqttOptions& o) { o.key_file = ""; }), "a certificate and its key belong together");
}

}  // namespace
}  // namespace volary::cluster

// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Orders to a federation that runs: status, kill, leave, join, input, pause, down.
#include "cluster/topics.hpp"
#include "cluster/transport/mqtt.hpp"
#include "federation_support_test.hpp"

namespace volary {
namespace {

using FederationControl = FederationCase;

const std::string kTwoNodes = "mixed --nodes 2 --speed 1 --no-record --quiet --hash";

TEST_F(FederationControl, TheStatusTellsHowEveryNodeDoes) {
  RunningUp up("status", kTwoNodes + " --duration 5");
  ASSERT_TRUE(up.has_committed(200));
  auto rows = up.rows();
  for (const std::string node : {"0", "1"}) {
    EXPECT_EQ(rows["node " + node + "/state"], "running");
    EXPECT_GT(rows["node " + node + "/rate"], 1);
    EXPECT_GT(rows["node " + node + "/age"], 0);
    EXPECT_GT(rows["node " + node + "/latency"], 0);
    EXPECT_GT(rows["node " + node + "/memory"], 1e6);
  }
  EXPECT_NE(up.order("status").out.find("running"), std::string::npos);
  EXPECT_EQ(up.end().out, hash_of("mixed", "5"));
}

TEST_F(FederationControl, DownEndsEverything) {
  RunningUp up("down", "mixed --nodes 2 --speed 1 --no-record --quiet --hash --duration 1000");
  ASSERT_TRUE(up.has_committed(10));
  ASSERT_EQ(up.brokers().size(), 1u);
  const pid_t broker = up.brokers().front();
  EXPECT_EQ(up.order("down").code, 0);
  EXPECT_EQ(up.end().code, 0);
  EXPECT_NE(::kill(broker, 0), 0);
  const Ended status = up.order("status");
  EXPECT_EQ(status.code, 1);
  EXPECT_NE(status.errors.find("federation"), std::string::npos);
}

TEST_F(FederationControl, CtrlCEndsEverything) {
  RunningUp up("ctrlc", "mixed --nodes 2 --speed 1 --no-record --quiet --hash --duration 1000");
  ASSERT_TRUE(up.has_committed(10));
  ASSERT_EQ(up.brokers().size(), 1u);
  const pid_t broker = up.brokers().front();
  ASSERT_EQ(up.commands().size(), 1u);
  EXPECT_EQ(::kill(up.commands().front(), SIGINT), 0);
  EXPECT_EQ(up.end().code, 0);
  EXPECT_NE(::kill(broker, 0), 0);
}

TEST_F(FederationControl, ANodeThatIsKilledByOrderComesBack) {
  RunningUp up("kill", kTwoNodes + " --duration 4");
  ASSERT_TRUE(up.has_committed(20));
  EXPECT_EQ(up.order("kill 1").code, 0);
  EXPECT_TRUE(up.is("node 1/incarnation", 2));
  EXPECT_EQ(up.order("kill no_such_node").code, 1);
  EXPECT_EQ(up.end().out, hash_of("mixed", "4"));
}

TEST_F(FederationControl, TheVehiclesOfANodeThatLeavesMoveToAnotherProcess) {
  RunningUp up("leave", kTwoNodes + " --duration 4");
  ASSERT_TRUE(up.has_committed(20));
  EXPECT_EQ(up.order("leave 1").code, 0);
  EXPECT_TRUE(up.is("node 1/incarnation", 2));
  EXPECT_NE(up.row("node 1/account"), "1");
  EXPECT_TRUE(eventually([&] { return up.nodes("1").empty(); }, 10));
  EXPECT_EQ(up.end().out, hash_of("mixed", "4"));
}

TEST_F(FederationControl, ANodeThatIsStartedByHandJoinsAndItsLogIsCollected) {
  RunningUp up("join", kTwoNodes + " --duration 1 --join 1 --logs " + folder_.file("logs"));
  ASSERT_TRUE(up.is("node 0/state", "running"));
  EXPECT_EQ(up.row("federation/committed"), 0);
  Ended node;
  std::thread by_hand([&] { node = up.order("join"); });
  const Ended done = up.end();
  by_hand.join();
  EXPECT_EQ(done.out, hash_of("mixed", "1"));
  EXPECT_EQ(node.code, 0) << node.errors;
  EXPECT_NE(text_of_file(folder_.file("logs/node-1.log")).find("is member 1"), std::string::npos);
}

TEST_F(FederationControl, ANodeWithoutAPlaceWaitsAndTakesTheOneThatAnotherLeaves) {
  RunningUp up("standby", kTwoNodes + " --duration 6");
  ASSERT_TRUE(up.has_committed(10));
  Ended node;
  std::thread by_hand([&] { node = up.order("join"); });
  EXPECT_TRUE(up.is("federation/standbys", 1));
  EXPECT_EQ(up.order("leave 0").code, 0);
  EXPECT_TRUE(up.is("node 0/account", "2"));
  const Ended done = up.end();
  by_hand.join();
  EXPECT_EQ(done.out, hash_of("mixed", "6"));
  EXPECT_NE(node.errors.find("goes on as member 0"), std::string::npos) << node.errors;
}

TEST_F(FederationControl, AnotherBuildAndAnotherScenarioAreRefusedInWords) {
  RunningUp up("other", kTwoNodes + " --duration 1000");
  ASSERT_TRUE(up.has_committed(10));
  // one byte more is another program that does the same
  std::filesystem::copy_file(VOLARY_PROGRAM, folder_.file("other"));
  std::ofstream(folder_.file("other"), std::ios::app | std::ios::binary) << "x";
  const Ended build = volary("federation join --name " + up.name(), "VOLARY_HOME=. " + folder_.file("other"));
  EXPECT_EQ(build.code, 1);
  EXPECT_NE(build.errors.find("another build of Volary"), std::string::npos) << build.errors;
  const Ended scenario = up.order("join --scenario search_and_rescue");
  EXPECT_EQ(scenario.code, 1);
  EXPECT_NE(scenario.errors.find("another scenario"), std::string::npos) << scenario.errors;
  EXPECT_EQ(up.order("down").code, 0);
}

TEST_F(FederationControl, AnInputActsOnTheWorldAndOneProcessVerifiesTheRecording) {
  const std::string file = folder_.file("input.vrec");
  RunningUp up("input", "mixed --nodes 2 --speed 1 --quiet --hash --duration 4 --record " + file);
  ASSERT_TRUE(up.has_committed(20));
  const Ended given = up.order(R"(input '{"kind": "mode", "ids": ["insects[2]"], "fields": {"mode": "hold"}}')");
  EXPECT_EQ(given.code, 0) << given.errors;
  EXPECT_NE(given.out.find("acts at tick"), std::string::npos);
  const Ended wrong = up.order(R"(input '{"kind": "mode", "ids": ["nobody"], "fields": {"mode": "hold"}}')");
  EXPECT_EQ(wrong.code, 1);
  EXPECT_NE(wrong.errors.find("there is no vehicle 'nobody'"), std::string::npos) << wrong.errors;
  EXPECT_NE(up.end().out, hash_of("mixed", "4"));
  const Ended verified = volary("replay " + file + " --verify");
  EXPECT_EQ(verified.code, 0) << verified.out;
}

TEST_F(FederationControl, APausedFederationStandsAndGoesOn) {
  RunningUp up("pause", kTwoNodes + " --duration 3");
  ASSERT_TRUE(up.has_committed(10));
  EXPECT_EQ(up.order("pause").code, 0);
  EXPECT_TRUE(up.is("federation/is_paused", true));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const auto stands = up.row("federation/committed");
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_EQ(up.row("federation/committed"), stands);
  EXPECT_EQ(up.order("resume").code, 0);
  EXPECT_EQ(up.end().out, hash_of("mixed", "3"));
}

// the account of a node can do what a node must, and gives no orders
TEST_F(FederationControl, AnAccountOfANodeMayAskForTheStatusOnly) {
  RunningUp up("rights", kTwoNodes + " --duration 1000");
  ASSERT_TRUE(up.has_committed(10));
  const std::string file = folder_.file("invitation.json");
  ASSERT_EQ(up.order("invite " + file).code, 0);
  const auto invitation = nlohmann::json::parse(text_of_file(file));
  const std::string account = invitation["account"];
  auto address = cluster::parse_host_port(invitation["address"].get<std::string>(), 1883, "address");
  auto link = cluster::connect_mqtt({.broker = address.value(), .client_id = "intruder", .user = account, .password = invitation["password"]});
  ASSERT_TRUE(link) << link.error().text();
  const cluster::Topics topics{up.name()};
  ASSERT_TRUE(link.value()->subscribe(topics.answer(account), 1));
  const auto order = [&](const std::string& topic, const std::string& text) {
    link.value()->publish(topic, std::as_bytes(std::span(text)), {.qos = 1});
    std::vector<cluster::Received> batch;
    const bool came = eventually([&] { return link.value()->receive(batch); }, 2);
    return came ? std::string(reinterpret_cast<const char*>(batch[0].bytes.data()), batch[0].bytes.size()) : std::string();
  };
  EXPECT_NE(order(topics.order(account), R"({"order": "status"})").find("\"ok\":true"), std::string::npos);
  EXPECT_NE(order(topics.order(account), R"({"order": "down"})").find("may ask for the status only"), std::string::npos);
  EXPECT_EQ(order(topics.order("operator"), R"({"order": "down"})"), "");
  EXPECT_EQ(up.row("node 0/state"), "running");
  EXPECT_EQ(up.order("down").code, 0);
}

}  // namespace
}  // namespace volary

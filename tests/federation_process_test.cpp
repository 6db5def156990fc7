// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The commands `federation up` and `node` as processes over a real broker, beside `run`. Orders to a running one are in federation_control_test.cpp.
#include <atomic>

#include "federation_support_test.hpp"

namespace volary {
namespace {

using FederationProcess = FederationCase;

TEST_F(FederationProcess, GivesTheHashOfOneProcess) {
  const Ended federation = volary("federation up search_and_rescue --nodes 4 --duration 20 --no-record --quiet --hash");
  EXPECT_EQ(federation.out, hash_of("search_and_rescue", "20")) << federation.errors;
  EXPECT_EQ(federation.code, 1);  // its tasks take longer than that
}

TEST_F(FederationProcess, GivesTheHashOfOneProcessUnderLossDelayDuplicationAndReordering) {
  const Ended federation =
      volary("federation up mixed --nodes 3 --duration 0.5 --no-record --quiet --hash --loss 0.3 --delay 0.01 --jitter 0.005 --duplicate 0.05 --reorder 0.1");
  EXPECT_EQ(federation.out, hash_of("mixed", "0.5"));
  EXPECT_EQ(federation.code, 0) << federation.errors;
}

TEST_F(FederationProcess, WithAHorizonGivesTheHashOfOneProcessUnderLoss) {
  const Ended federation = volary("federation up distant_rescue --nodes 4 --duration 3 --no-record --quiet --hash --loss 0.3 --delay 0.03 --jitter 0.01");
  EXPECT_EQ(federation.out, hash_of("distant_rescue", "3")) << federation.errors;
  EXPECT_EQ(federation.code, 1);  // its tasks take longer than that
}

// The process that has the vehicle of the one is ahead of the frame in which the other comes.
TEST_F(FederationProcess, WithAHorizonRollsBackWhereVehiclesOfTwoProcessesMeet) {
  for (const std::string policy : {"crash", "remove", "bounce"}) {
    const std::string file = folder_.file(policy + ".yaml");
    std::ofstream(file) << "coupling: {horizon: 0.1}\nduration: 6\nflocks:\n"
                        << "  - {name: east, airframe: crazyflie, vehicles: {list: [{position: [-3, 0, 2]}]}, node: {contact: {policy: " << policy
                        << ", radius: 0.2}}, mission: {waypoints: {points: [[-3, 0, 2], [3, 0, 2]], speed: 2}}}\n"
                        << "  - {name: west, airframe: crazyflie, vehicles: {list: [{position: [3, 0, 2]}]}, node: {contact: {policy: " << policy
                        << ", radius: 0.2}}, mission: {waypoints: {points: [[3, 0, 2], [-3, 0, 2]], speed: 2}}}\n";
    const std::string report = volary("run " + file + " --headless --no-record --quiet --json").out;
    EXPECT_NE(report.find("passes below the sum of radii"), std::string::npos) << report;
    const Ended federation = volary("federation up " + file + " --nodes 2 --no-record --quiet --hash --loss 0.2 --delay 0.01");
    EXPECT_EQ(federation.out, hash_of(file, "6")) << policy << ": " << federation.errors;
  }
}

TEST_F(FederationProcess, RecordsOneWorldThatOneProcessVerifies) {
  const std::string file = folder_.file("federation.vrec");
  EXPECT_EQ(volary("federation up mixed --nodes 2 --duration 3 --quiet --record " + file).code, 0);
  const Ended verified = volary("replay " + file + " --verify");
  EXPECT_EQ(verified.code, 0) << verified.out;
}

const std::string kFourSeconds = "mixed --nodes 2 --duration 4 --speed 1 --no-record --quiet --hash";

TEST_F(FederationProcess, ANodeThatIsKilledComesBackAndTheHashIsThatOfOneProcess) {
  RunningUp up("killed", kFourSeconds);
  ASSERT_TRUE(up.has_committed(120));
  ASSERT_FALSE(up.nodes("1").empty());
  EXPECT_EQ(::kill(up.nodes("1").front(), SIGKILL), 0);
  const Ended done = up.end();
  EXPECT_EQ(done.out, hash_of("mixed", "4"));
  EXPECT_EQ(done.code, 0) << done.errors;
}

// What becomes of its vehicles is in the recording, so one process finds the same without any node.
TEST_F(FederationProcess, GoesOnWithoutANodeThatDiedAndOneProcessVerifiesTheRecording) {
  for (const std::string policy : {"remove", "freeze", "extrapolate"}) {
    const std::string file = folder_.file(policy + ".vrec");
    RunningUp up(policy, "mixed --nodes 3 --duration 4 --speed 1 --dead-node " + policy + " --record " + file);
    ASSERT_TRUE(up.has_committed(120));
    ASSERT_FALSE(up.nodes("1").empty());
    EXPECT_EQ(::kill(up.nodes("1").front(), SIGKILL), 0);
    const Ended done = up.end();
    EXPECT_EQ(done.code, 0) << done.errors;
    EXPECT_NE(done.errors.find("the federation goes on without node 1"), std::string::npos) << done.errors;
    const Ended verified = volary("replay " + file + " --verify");
    EXPECT_EQ(verified.code, 0) << policy << ": " << verified.out;
    const std::string events = volary("replay " + file + " --events").out;
    EXPECT_NE(events.find(policy == "remove" ? "removed" : "detached"), std::string::npos) << policy << ": " << events.substr(0, 2000);
  }
}

TEST_F(FederationProcess, EndsInWordsWhenNoNodeIsLeft) {
  RunningUp up("none", "mixed --nodes 2 --duration 60 --speed 1 --no-record --dead-node freeze");
  ASSERT_TRUE(up.has_committed(50));
  for (const char* account : {"0", "1"}) ::kill(up.nodes(account).front(), SIGKILL);
  const Ended done = up.end();
  EXPECT_NE(done.code, 0);
  EXPECT_NE((done.errors + done.out).find("no node is left"), std::string::npos) << done.errors;
}

// Nobody waits, so the result is what the coordinator heard. That is all in the recording.
TEST_F(FederationProcess, ALiveOneGoesByTheClockUnderLossAndOneProcessVerifiesTheRecording) {
  const std::string file = folder_.file("live.vrec");
  const Ended live = volary("federation up mixed --nodes 3 --duration 3 --live --loss 0.3 --delay 0.03 --jitter 0.01 --record " + file);
  EXPECT_EQ(live.code, 0) << live.errors;
  EXPECT_NE(live.out.find("differ from 'volary run'"), std::string::npos) << live.out;
  const Ended verified = volary("replay " + file + " --verify");
  EXPECT_EQ(verified.code, 0) << verified.out;
}

TEST_F(FederationProcess, ALiveOneDoesNotWaitForANodeThatIsKilledAndTheNodeComesBack) {
  const std::string file = folder_.file("killed.vrec");
  RunningUp up("live", "mixed --nodes 2 --duration 6 --live --record-nodes --record " + file);
  ASSERT_TRUE(up.has_committed(150));
  ASSERT_FALSE(up.nodes("1").empty());
  EXPECT_EQ(::kill(up.nodes("1").front(), SIGKILL), 0);
  const Ended done = up.end();
  EXPECT_EQ(done.code, 0) << done.errors;
  EXPECT_NE(done.out.find("nodes started again"), std::string::npos) << done.out;
  const Ended verified = volary("replay " + file + " --verify");
  EXPECT_EQ(verified.code, 0) << verified.out;
}

// it has a place and nothing of it is kept yet: states are saved every 100 ticks
TEST_F(FederationProcess, ANodeThatIsKilledBeforeItHasSavedAnythingComesBack) {
  RunningUp up("early", "mixed --nodes 2 --duration 0.4 --speed 0.1 --no-record --quiet --hash");
  ASSERT_TRUE(up.has_committed(1));
  for (const char* account : {"1", "0"}) {
    ASSERT_FALSE(up.nodes(account).empty());
    EXPECT_EQ(::kill(up.nodes(account).front(), SIGKILL), 0);
  }
  const Ended done = up.end();
  EXPECT_EQ(done.out, hash_of("mixed", "0.4"));
  EXPECT_EQ(done.code, 0) << done.errors;
}

TEST_F(FederationProcess, ABrokerAndThenANodeThatAreKilledComeBackAndTheHashIsThatOfOneProcess) {
  RunningUp up("broker", kFourSeconds);
  ASSERT_TRUE(up.has_committed(50));
  ASSERT_EQ(up.brokers().size(), 1u);
  EXPECT_EQ(::kill(up.brokers().front(), SIGKILL), 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  ASSERT_FALSE(up.nodes("0").empty());
  EXPECT_EQ(::kill(up.nodes("0").front(), SIGKILL), 0);
  const Ended done = up.end();
  EXPECT_EQ(done.out, hash_of("mixed", "4"));
  EXPECT_EQ(done.code, 0) << done.errors;
}

TEST_F(FederationProcess, ANodeThatDiesAgainAndAgainEndsTheFederationInWordsWithItsLastLines) {
  RunningUp up("dying", "mixed --nodes 2 --speed 1 --no-record --quiet --hash --logs " + folder_.file("logs"));
  std::atomic<bool> is_over = false;
  std::thread killer([&] {
    while (!is_over) {
      for (const pid_t pid : up.nodes("1")) ::kill(pid, SIGKILL);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
  const Ended done = up.end();
  is_over = true;
  killer.join();
  EXPECT_EQ(done.code, 1);
  EXPECT_NE(done.errors.find("node 1"), std::string::npos) << done.errors;
  EXPECT_TRUE(std::filesystem::exists(folder_.file("logs/node-0.log")));
  EXPECT_TRUE(std::filesystem::exists(folder_.file("logs/node-1.log")));
}

TEST_F(FederationProcess, NodesHaveTheNamesAndFlocksThatTheScenarioGivesThem) {
  const std::string set = " --set 'federation={nodes: [{name: hangar, flocks: [workers, insects]}, {name: field}, {name: spare}]}'";
  const Ended federation = volary("federation up mixed --duration 1 --no-record --quiet --json" + set);
  EXPECT_EQ(federation.code, 0) << federation.errors;
  for (const char* node : {"node hangar/age", "node field/age", "node spare/age"}) EXPECT_NE(federation.out.find(node), std::string::npos) << federation.out;
  std::string hash = hash_of("mixed", "1");
  hash.pop_back();  // its line end
  EXPECT_NE(federation.out.find(hash), std::string::npos) << federation.out;
  const Ended refused = volary("federation up mixed --nodes 2" + set);
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.errors.find("names 3 nodes"), std::string::npos) << refused.errors;
}

TEST_F(FederationProcess, RefusesALiveOneWithoutAClock) {
  const Ended refused = volary("federation up mixed --live --speed max --no-record --quiet");
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.errors.find("--live"), std::string::npos) << refused.errors;
}

TEST_F(FederationProcess, RefusesWhatCannotBeInWords) {
  EXPECT_EQ(volary("federation up no_such_scenario").code, 2);
  EXPECT_EQ(volary("federation up two_worlds").code, 2);
  EXPECT_EQ(volary("federation up mixed --loss 2").code, 2);
  EXPECT_EQ(volary("federation up mixed --nodes 2 --join 3").code, 2);
  EXPECT_EQ(volary("node").code, 2);
  EXPECT_EQ(volary("node --broker 127.0.0.1:1").code, 1);
}

}  // namespace
}  // namespace volary

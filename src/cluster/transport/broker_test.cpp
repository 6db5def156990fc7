// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/broker.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "cluster/transport/sockets_test_support.hpp"
#include "cluster/transport/transport_test_support.hpp"

namespace volary::cluster {
namespace {

using namespace testing;

bool is_alive(pid_t pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/stat");
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  const std::size_t end = text.rfind(')');
  return end != std::string::npos && text[end + 2] != 'Z' && text[end + 2] != 'X';
}

// another process of this program: `body` runs in it, what it writes comes back as a number, and it is killed without warning
class OtherProcess {
 public:
  explicit OtherProcess(const std::function<int()>& body) {
    int pipe[2];
    EXPECT_EQ(::pipe(pipe), 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      const int word = body();
      [[maybe_unused]] const auto n = ::write(pipe[1], &word, sizeof word);
      for (;;) ::pause();
    }
    ::close(pipe[1]);
    EXPECT_EQ(::read(pipe[0], &word_, sizeof word_), static_cast<ssize_t>(sizeof word_));
    ::close(pipe[0]);
  }
  ~OtherProcess() { kill(); }
  int word() const { return word_; }
  void kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

 private:
  pid_t pid_ = -1;
  int word_ = 0;
};

TEST(broker, listens_at_loopback_only) {
  VOLARY_NEEDS_BROKER();
  auto broker = start_broker();
  ASSERT_TRUE(broker);
  const auto sockets = listening_sockets(broker->pid());
  ASSERT_EQ(sockets.size(), 1u);
  EXPECT_EQ(sockets[0].text(), "tcp 127.0.0.1:" + std::to_string(broker->address().port));
  // and our own process, which has a connection to it, listens nowhere
  auto link = connect(options_for(*broker, broker->view()));
  for (const OpenSocket& s : listening_sockets(::getpid())) EXPECT_TRUE(is_loopback(s.address)) << s.text();
}

TEST(broker, ends_when_it_is_stopped) {
  VOLARY_NEEDS_BROKER();
  auto broker = start_broker();
  ASSERT_TRUE(broker);
  const pid_t pid = broker->pid();
  EXPECT_TRUE(is_alive(pid));
  broker->stop();
  EXPECT_FALSE(broker->is_running());
  EXPECT_FALSE(is_alive(pid));
  EXPECT_FALSE(reach(broker->address(), 1'000'000'000));
}

TEST(broker, ends_by_force_when_it_does_not_by_itself) {
  const core::ScratchFolder folder;
  const std::string ready = folder.file("ready");
  auto child = core::ChildProcess::start({.command = {"/bin/sh", "-c", "trap '' TERM; : > " + ready + "; while :; do sleep 0.01; done"}});
  ASSERT_TRUE(child);
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(ready); }));
  child.value()->stop(100'000'000);
  EXPECT_EQ(child.value()->exit_text(), "ended by signal 9 (Killed)");
}

TEST(broker, ends_when_our_process_is_killed) {
  VOLARY_NEEDS_BROKER();
  // begun by a thread that ends at once: the broker must not end with that thread
  OtherProcess other([] {
    static std::unique_ptr<Broker> broker;
    std::thread([] { broker = start_broker(); }).join();
    return static_cast<int>(broker->pid());
  });
  const pid_t pid = other.word();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_TRUE(is_alive(pid));
  other.kill();
  EXPECT_TRUE(eventually([&] { return !is_alive(pid); }));
}

TEST(broker, publishes_the_will_of_a_process_that_was_killed) {
  VOLARY_NEEDS_BROKER();
  auto broker = start_broker();
  ASSERT_TRUE(broker);
  MqttOptions o = options_for(*broker, broker->node(3));
  o.will = Will{.topic = "sw/local/node/3/life", .bytes = bytes_of("dead 7")};
  OtherProcess other([&] {
    static std::unique_ptr<Transport> link;
    link = connect(o);
    return 1;
  });
  auto watcher = connect(options_for(*broker, broker->coordinator()));
  ASSERT_TRUE(watcher->subscribe("sw/local/node/+/life", 1));
  other.kill();
  const auto got = receive_count(*watcher, 1);
  ASSERT_EQ(got.size(), 1u);
  EXPECT_EQ(got[0].topic, "sw/local/node/3/life");
  EXPECT_EQ(text_of(got[0].bytes), "dead 7");
}

TEST(broker, gives_every_account_a_password_of_its_own) {
  VOLARY_NEEDS_BROKER();
  auto one = start_broker(), two = start_broker();
  ASSERT_TRUE(one && two);
  EXPECT_NE(one->node(1).password, one->node(2).password);
  EXPECT_NE(one->node(1).password, two->node(1).password);
  EXPECT_EQ(one->node(1).password, one->node(1).password);
  // the password of one node is refused under the name of another
  MqttOptions o = options_for(*one, one->node(1));
  o.user = "coordinator";
  EXPECT_FALSE(connect_mqtt(o));
}

TEST(broker, that_is_missing_or_fails_is_told_in_words) {
  const core::ScratchFolder folder;
  const auto told = [](BrokerOptions o) {
    o.nodes = 1;
    const auto broker = Broker::start(o);
    return broker ? std::string("started") : broker.error().text();
  };
  const std::string missing = folder.file("no_broker");
  EXPECT_EQ(told({.program = missing}),
            "the MQTT broker \"" + missing + "\" is not installed (run tools/install_broker.sh, or name a broker that runs already)");
  const std::string fails = folder.write("fails", "#!/bin/sh\necho no disk; exit 3\n");
  ::chmod(fails.c_str(), 0755);
  ::chmod(folder.path().c_str(), 0755);
  EXPECT_EQ(told({.program = missing, .installer = fails}),
            "the MQTT broker \"" + missing +
                "\" could not be installed (exit code 3); the reason is above (install the package mosquitto by hand, or name a broker that runs already)");
  EXPECT_EQ(told({.program = fails}), "the broker " + fails + " did not start (exit code 3); its log:\nno disk\n");
  EXPECT_EQ(told({.federation = "a/b"}).substr(0, 46), "federation: \"a/b\" is no name of a federation (");
}

TEST(broker, is_installed_on_its_first_use) {
  const core::ScratchFolder folder;
  const std::string program = folder.file("broker");
  const std::string installer = folder.write("install", "#!/bin/sh\nprintf '#!/bin/sh\nexit 9\n' > " + program + "\nchmod 755 " + program + "\n");
  ::chmod(installer.c_str(), 0755);
  const auto found = find_broker_program(program, installer);
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(found.value(), program);
}

TEST(broker_files, let_nobody_in_without_an_account_and_bound_everything) {
  const std::string text = loopback_config(5555, "/somewhere", {});
  EXPECT_NE(text.find("\nlistener 5555 127.0.0.1\n"), std::string::npos);
  for (const std::string& config : {text, remote_config(8883, "", "/somewhere", {})})
    for (const char* line : {"allow_anonymous false", "persistence false", "set_tcp_nodelay true", "max_inflight_messages 0", "max_queued_messages 4096",
                             "max_packet_size 2097152"})
      EXPECT_NE(config.find(std::string("\n") + line + "\n"), std::string::npos) << line;
  EXPECT_NE(remote_config(8883, "", "/somewhere", {}).find("\nrequire_certificate true\n"), std::string::npos);
}

}  // namespace
}  // namespace volary::cluster

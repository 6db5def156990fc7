// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Stands in for PX4 or ArduPilot in tests of process handling and lock-step: it speaks as they do on the wire and flies nothing. Parameters say how it misbehaves:
//   STAND_WHO n     only instance n misbehaves; absent: all
//   STAND_DIE n     exit code 3 after n answers
//   STAND_SILENT n  no answer after n of them
//   STAND_LATE n    each answer n ms late
//   STAND_RESEND n  ArduPilot: packet n is sent twice
//   STAND_STUBBORN  SIGTERM has no effect
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>

#include "autopilot/mavlink/frame.hpp"

namespace {

using namespace volary::mavlink;

std::map<std::string, double> parameters;
int instance = 0;

// as an instance that may be well-behaved
double parameter(const std::string& name, double otherwise) {
  const auto who = parameters.find("STAND_WHO");
  if (who != parameters.end() && static_cast<int>(who->second) != instance) return otherwise;
  const auto it = parameters.find(name);
  return it == parameters.end() ? otherwise : it->second;
}

// before an answer; false: there is none
bool behave(int answers) {
  if (answers >= parameter("STAND_DIE", 1e9)) {
    std::printf("stand-in: something broke\n");
    std::fflush(stdout);
    std::_Exit(3);
  }
  if (const double late = parameter("STAND_LATE", 0); late > 0) ::usleep(static_cast<useconds_t>(late * 1000));
  return answers < parameter("STAND_SILENT", 1e9);
}

sockaddr_in local(int port) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(port));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return to;
}

[[noreturn]] void complain(const char* what) {
  std::printf("stand-in: %s\n", what);
  std::fflush(stdout);
  std::_Exit(4);
}

// ---------------------------------------------------------------- PX4

constexpr int kBootSamples = 30, kArmSamples = 60;

int connect_to_simulator() {
  const sockaddr_in to = local(4560 + instance);
  for (;;) {
    const int s = ::socket(AF_INET, SOCK_STREAM, 0);
    if (::connect(s, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0) return s;
    ::close(s);
    ::usleep(500);
  }
}

void send_all(int s, const Bytes& bytes) {
  if (::send(s, bytes.data(), bytes.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(bytes.size())) std::_Exit(0);
}

struct Px4 {
  int socket = -1, samples = 0, answers = 0;
  bool has_barometer = false;
  std::uint64_t time = 0;
  Writer writer{static_cast<std::uint8_t>(instance + 1), 1};

  void sample(const HilSensor& s) {
    if (s.time_usec <= time) complain("time does not increase");
    if (samples == 0 && std::abs(s.zacc + 9.8f) > 1) complain("the accelerometer does not show -g at rest");
    if ((s.fields_updated & 0x3f) != 0x3f) complain("a sample has no IMU");
    has_barometer = has_barometer || (s.fields_updated & 0x1a00) == 0x1a00;
    if (samples == kBootSamples && !has_barometer) complain("no sample had a barometer");
    time = s.time_usec;
    if (++samples <= kBootSamples || !behave(answers)) return;
    ++answers;
    HilActuatorControls out;
    out.time_usec = s.time_usec, out.flags = 1;
    const bool armed = samples > kArmSamples;
    out.mode = armed ? 129 : 1;
    for (std::size_t k = 0; k < 4 && armed; ++k) out.controls[k] = 0.6f + 0.01f * static_cast<float>(instance % 10) + 1e-4f * static_cast<float>(samples % 7);
    if (armed) out.controls[6] = 0.25f, out.controls[7] = -0.5f;  // aileron and elevator of an aircraft
    Bytes bytes;
    writer.append(out, bytes);
    send_all(socket, bytes);
  }
};

void be_px4() {
  Px4 me;
  me.socket = connect_to_simulator();
  Bytes hello;
  CommandLong wish;
  wish.command = 511, wish.param1 = 115, wish.param2 = 5000;
  me.writer.append(wish, hello);
  me.writer.append(Heartbeat{.autopilot = 12, .mavlink_version = 3}, hello);
  send_all(me.socket, hello);
  Parser parser;
  std::byte buffer[2048];
  for (;;) {
    const ssize_t n = ::recv(me.socket, buffer, sizeof buffer, 0);
    if (n <= 0) std::_Exit(0);
    parser.feed({buffer, static_cast<std::size_t>(n)}, [&](const Frame& f) {
      if (f.id == HilSensor::kId) me.sample(decode<HilSensor>(f));
    });
  }
}

// ---------------------------------------------------------------- ArduPilot

struct ServoPacket {
  std::uint16_t magic = 18458, rate = 1200;
  std::uint32_t frame = 0;
  std::uint16_t pwm[16] = {};
};

// waits for one, a second each time, and repeats the packet
double exchange(int s, const sockaddr_in& to, const ServoPacket& packet) {
  char text[2048];
  int sends = packet.frame == static_cast<std::uint32_t>(parameter("STAND_RESEND", 1e9)) ? 2 : 1;
  for (;;) {
    for (; sends > 0; --sends) ::sendto(s, &packet, sizeof packet, 0, reinterpret_cast<const sockaddr*>(&to), sizeof to);
    pollfd wait{s, POLLIN, 0};
    if (::poll(&wait, 1, 1000) <= 0) {
      sends = 1;
      continue;
    }
    const ssize_t n = ::recv(s, text, sizeof text - 1, 0);
    if (n <= 0) continue;
    text[n] = 0;
    if (text[0] != '\n' || text[n - 1] != '\n') complain("no newline before and after the text");
    const char* at = std::strstr(text, "\"timestamp\":");
    if (at == nullptr || std::strstr(text, "\"accel_body\":[") == nullptr) complain("a key is missing");
    return std::atof(at + 12);
  }
}

void be_ardupilot() {
  const int s = ::socket(AF_INET, SOCK_DGRAM, 0);
  const sockaddr_in to = local(9002 + 10 * instance);
  double time = -1;
  ServoPacket packet;
  for (int answers = 0;; ++packet.frame) {
    const double now = exchange(s, to, packet);
    if (now < time || (now == time && parameter("STAND_RESEND", -1) < 0)) complain("time does not increase");
    time = now;
    while (!behave(answers)) ::usleep(100'000);
    ++answers;
    for (std::size_t k = 0; k < 4; ++k) packet.pwm[k] = packet.frame < 5 ? 0 : packet.frame < 100 ? 1000 : static_cast<std::uint16_t>(1800 + instance % 100);
  }
}

void read_parameters(const char* file) {
  std::ifstream in(file);
  std::string name;
  for (double value = 0; in >> name >> value;) parameters[name] = value;
}

}  // namespace

int main(int argc, char** argv) {
  bool is_ardupilot = false;
  for (int k = 1; k + 1 < argc; ++k) {
    const std::string word = argv[k];
    if (word == "-i" || word == "--instance") instance = std::atoi(argv[k + 1]);
    if (word == "--model") is_ardupilot = true;
    if (word == "--defaults") read_parameters(argv[k + 1]);
  }
  for (char** e = ::environ; *e != nullptr; ++e)
    if (std::strncmp(*e, "PX4_PARAM_", 10) == 0)
      if (char* equals = std::strchr(*e, '='); equals != nullptr) parameters[std::string(*e + 10, equals)] = std::atof(equals + 1);
  if (parameter("STAND_STUBBORN", 0) > 0) ::signal(SIGTERM, SIG_IGN);
  std::printf("stand-in: instance %d\n", instance);
  std::fflush(stdout);
  is_ardupilot ? be_ardupilot() : be_px4();
}

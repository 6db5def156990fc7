// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the aligned frames of a federation with libmosquitto alone, and says where the swarm is. It needs no right to write.
//   volary federation up mixed --nodes 2 --api
//   volary federation invite view.json --for view
//   example_federation_frames view.json [FRAMES]
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include <mosquitto.h>

namespace {

struct Reader {
  std::string topic;
  int wanted = 100, count = 0;
  std::uint64_t last = 0;
  bool failed = false;
};

// The text of a field in an invitation, which is one line of JSON. A password does not belong on a command line, where others can see it.
std::string field(const std::string& json, const std::string& name) {
  const std::string before = '"' + name + "\":\"";
  const std::size_t found = json.find(before);
  if (found == std::string::npos) return {};
  const std::size_t from = found + before.size();
  return json.substr(from, json.find('"', from) - from);
}

template <class T> T at(const unsigned char* bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes + offset, sizeof value);
  return value;
}

// the header has 64 bytes, and the columns follow: east, north, up, ... (schema/wire.json)
void read_frame(Reader& reader, const unsigned char* bytes, std::size_t size) {
  if (size < 64 || std::memcmp(bytes, "VLYF", 4) != 0 || at<std::uint16_t>(bytes, 4) != 1 || at<std::uint32_t>(bytes, 8) != size) {
    reader.failed = true;
    return;
  }
  const auto tick = at<std::uint64_t>(bytes, 16);
  const auto n = at<std::uint32_t>(bytes, 56);
  if (tick < reader.last || 64 + 24 * std::size_t{n} > size) reader.failed = true;
  reader.last = tick;
  double centre[3] = {0, 0, 0};
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t k = 0; k < n; ++k) centre[axis] += (at<double>(bytes, 32 + 8 * axis) + static_cast<double>(at<float>(bytes, 64 + 4 * (axis * n + k)))) / n;
  if (reader.count++ % 25 == 0)
    std::printf("tick %6llu  %7.2f s  %u vehicles about %.2f %.2f %.2f\n", static_cast<unsigned long long>(tick), at<double>(bytes, 24), n, centre[0],
                centre[1], centre[2]);
}

void on_connect(mosquitto* client, void* data, int code) {
  auto* reader = static_cast<Reader*>(data);
  if (code == 0)
    mosquitto_subscribe(client, nullptr, reader->topic.c_str(), 0);
  else
    reader->failed = true;
}

void on_message(mosquitto*, void* data, const mosquitto_message* message) {
  auto* reader = static_cast<Reader*>(data);
  if (message->payloadlen > 0) read_frame(*reader, static_cast<const unsigned char*>(message->payload), static_cast<std::size_t>(message->payloadlen));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: %s view.json [FRAMES]\n", argv[0]), 2;
  std::ifstream file(argv[1]);
  const std::string invitation((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::string address = field(invitation, "address"), host = address.substr(0, address.rfind(':'));
  Reader reader{.topic = "sw/" + field(invitation, "federation") + "/rendering/frame"};
  if (argc > 2) reader.wanted = std::atoi(argv[2]);
  mosquitto_lib_init();
  mosquitto* client = mosquitto_new(nullptr, true, &reader);
  mosquitto_username_pw_set(client, field(invitation, "account").c_str(), field(invitation, "password").c_str());
  mosquitto_connect_callback_set(client, on_connect);
  mosquitto_message_callback_set(client, on_message);
  int code = mosquitto_connect(client, host.c_str(), std::atoi(address.c_str() + host.size() + 1), 30);
  while (code == MOSQ_ERR_SUCCESS && !reader.failed && reader.count < reader.wanted) code = mosquitto_loop(client, 100, 1);
  mosquitto_destroy(client);
  mosquitto_lib_cleanup();
  if (code != MOSQ_ERR_SUCCESS) return std::fprintf(stderr, "%s\n", mosquitto_strerror(code)), 1;
  if (reader.failed) return std::fprintf(stderr, "a frame is damaged, out of order, or the broker refuses this account\n"), 1;
  std::printf("read %d aligned frames up to tick %llu\n", reader.count, static_cast<unsigned long long>(reader.last));
  return 0;
}

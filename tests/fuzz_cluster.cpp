// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// No message may crash a process of a federation: bytes for the codec, and streams of messages whose checksums are right for coordinator and node. As a libFuzzer
// target the first byte says which; with -DVOLARY_FUZZ_MAIN it is a program that mutates by itself:
//
//   fuzz_cluster codec|machines [iterations = 10000] [seed = 1]
#ifdef VOLARY_FUZZ
#include <cstdio>
#include <cstdlib>

#include "cluster/coordinator.hpp"
#include "cluster/node.hpp"
#include "core/crc32c.hpp"
#include "fuzz_support.hpp"

namespace volary::fuzz {

namespace {

using namespace cluster;

constexpr std::uint64_t kFederation = 7;

std::string text_of(const Message& m) {
  std::vector<std::byte> bytes;
  encode(m, kFederation, bytes);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// what is accepted encodes to the same bytes
bool try_codec(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  Message m;
  if (decode(bytes, kFederation, m)) return false;
  if (text_of(m) != text) std::abort();
  return true;
}

// a host that does everything at once and knows no physics
void drain(Node& node, Time now) {
  for (int n = 0; n < 500; ++n) {
    const Action a = node.next(now);
    const std::uint64_t frame = a.tick;
    switch (a.what) {
      case Act::Advance: node.advanced(std::as_bytes(std::span(&frame, 1))); break;
      case Act::Settle: node.settled(a.tick, a.tick % 5 == 0 ? node.members().active(a.tick) : 0); break;
      case Act::Restore: node.restored({.tick = a.tick}); break;
      case Act::Publish: node.bundle(); break;
      case Act::Commit: node.saved(a.tick); break;
      case Act::Ask: node.request(); break;
      case Act::RollBack: break;
      default: return;
    }
  }
}

void drain(Coordinator& c, Time now) {
  for (int n = 0; n < 500; ++n)
    if (const auto a = c.next(now).what; a == CoordinatorAct::Wait || a == CoordinatorAct::Superseded) return;
}

// records of a length and a message without its checksum
bool try_machines(const std::string& text) {
  Node node({.nonce = 1});
  Coordinator coordinator({.founders = 2, .policy = DeadPolicy::Remove});
  Time now = 1;
  bool any = false;
  for (std::size_t at = 0; at + 2 < text.size(); now += 7'000'000) {
    const std::size_t length = static_cast<unsigned char>(text[at]) + 256u * static_cast<unsigned char>(text[at + 1]);
    std::string one = text.substr(at + 2, length);
    at += 2 + length;
    const std::uint32_t crc = core::crc32c(std::as_bytes(std::span(one)));
    one.append(reinterpret_cast<const char*>(&crc), 4);
    Message m;
    if (decode(std::as_bytes(std::span(one)), kFederation, m)) continue;
    any = true;
    node.receive(m, now), drain(node, now);
    coordinator.receive(m, now), drain(coordinator, now);
  }
  return any;
}

// two nodes and a coordinator that talk for a while: everything that was said
std::vector<Message> conversation() {
  std::vector<Message> said;
  Coordinator c({.founders = 2});
  Node nodes[] = {Node({.nonce = 1}), Node({.nonce = 2})};
  const auto tell = [&](const Message& m, Time now) {
    said.push_back(m);
    c.receive(m, now);
    for (Node& n : nodes) n.receive(m, now);
  };
  for (Time now = 0; now < 300'000'000; now += 5'000'000) {
    if (now == 100'000'000) (void)c.submit({}, 0);
    for (int k = 0; k < 20; ++k) {
      const auto a = c.next(now).what;
      if (a == CoordinatorAct::Wait) break;
      if (a == CoordinatorAct::Publish) tell(Message(c.message()), now);
    }
    for (Node& n : nodes)
      for (int k = 0; k < 20; ++k) {
        const Action a = n.next(now);
        const std::uint64_t frame = a.tick;
        if (a.what == Act::Wait) break;
        if (a.what == Act::Advance) n.advanced(std::as_bytes(std::span(&frame, 1)));
        if (a.what == Act::Settle) n.settled(a.tick, 0);
        if (a.what == Act::Restore) n.restored({.tick = a.tick});
        if (a.what == Act::Publish) tell(Message(n.bundle()), now);
        if (a.what == Act::Ask) tell(Message(n.request()), now);
        if (a.what == Act::Commit) n.saved(a.tick);
      }
  }
  return said;
}

std::vector<std::string> codec_seeds() {
  std::vector<std::string> seeds;
  for (const Message& m : conversation())
    if (seeds.size() < 40) seeds.push_back(text_of(m));
  return seeds;
}

std::vector<std::string> machine_seeds() {
  std::string all;
  for (const Message& m : conversation()) {
    const std::string one = text_of(m);
    if (all.size() + one.size() > 7000) break;
    const std::size_t n = one.size() - 4;
    all += static_cast<char>(n % 256);
    all += static_cast<char>(n / 256);
    all += one.substr(0, n);
  }
  return {all};
}

constexpr Target kTargets[] = {{"codec", codec_seeds, try_codec}, {"machines", machine_seeds, try_machines}};

}  // namespace

}  // namespace volary::fuzz

#ifdef VOLARY_FUZZ_MAIN
int main(int argc, char** argv) { return volary::fuzz::run(volary::fuzz::kTargets, argc, argv); }
#else
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { return volary::fuzz::read_one(volary::fuzz::kTargets, data, size); }
#endif
#endif

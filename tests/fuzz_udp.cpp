// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// No datagram may crash a node, or cost more memory than the assembly of fragments may hold. Inputs are a sequence of datagrams, each after two
// bytes with its length. As a libFuzzer target it is led by coverage; with -DVOLARY_FUZZ_MAIN it is a program that mutates by itself:
//
//   fuzz_udp [iterations = 10000] [seed = 1]
#ifdef VOLARY_FUZZ
#include <cstdio>
#include <cstdlib>

#include "cluster/transport/udp_assembly.hpp"
#include "core/bytes.hpp"
#include "core/check.hpp"
#include "fuzz_support.hpp"

using namespace volary;

namespace {

const std::uint64_t kTag = cluster::federation_tag("fuzz");

// how many messages became whole
int take_all(std::span<const std::byte> input) {
  constexpr cluster::AssemblyLimits kLimits = {.messages = 4, .bytes = 4000, .max_message = 2000, .patience_ns = 100};
  cluster::Assembly assembly(kLimits);
  cluster::ReplayWindow window;
  std::uint64_t dropped = 0;
  int whole = 0;
  core::ByteReader in(input);
  for (std::int64_t now = 0; in.left() > 2; ++now) {
    const std::size_t n = std::min<std::size_t>(in.get<std::uint16_t>(), in.left());
    cluster::Packet packet;
    if (cluster::parse_packet(in.get_bytes(n), {}, kTag, packet) != cluster::LinkDrop::None) continue;
    window.accept(packet.header.number);
    core::require(window.has(packet.header.number), "a number that came is remembered");
    if (const auto message = assembly.add(packet.header.sender % 2, packet, now, dropped)) {
      core::require(message->size() == packet.header.size, "a message has the size that its header says");
      std::string topic;
      std::span<const std::byte> bytes;
      if (cluster::split_message(*message, topic, bytes)) core::require(cluster::is_topic(topic), "a topic is one");
      ++whole;
    }
    assembly.expire(now);
    core::require(assembly.bytes() <= kLimits.bytes && assembly.messages() <= kLimits.messages, "memory is bounded");
  }
  return whole;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  take_all(std::as_bytes(std::span(data, size)));
  return 0;
}

#ifdef VOLARY_FUZZ_MAIN
namespace {
// two messages in fragments, one after the other
std::string make_seed(fuzz::Random& random) {
  core::ByteWriter out;
  for (std::uint64_t message = 0; message < 2; ++message) {
    const std::vector<std::byte> bytes = cluster::join_message("st/1", std::vector<std::byte>(random.below(400)));
    const std::uint16_t chunk = 100, n = static_cast<std::uint16_t>((bytes.size() + chunk - 1) / chunk);
    for (std::uint16_t k = 0; k < n; ++k) {
      const cluster::PacketHeader header{.kind = cluster::PacketKind::Data,
                                         .federation = kTag,
                                         .number = message * 10 + k,
                                         .message = message,
                                         .size = static_cast<std::uint32_t>(bytes.size()),
                                         .fragment = k,
                                         .fragments = n,
                                         .chunk = n > 1 ? chunk : std::uint16_t{0}};
      const auto datagram = cluster::encode_packet(
          header, std::span(bytes).subspan(std::size_t{k} * chunk, std::min<std::size_t>(chunk, bytes.size() - std::size_t{k} * chunk)), {});
      out.put(static_cast<std::uint16_t>(datagram.size()));
      out.put_bytes(datagram);
    }
  }
  return std::string(reinterpret_cast<const char*>(out.bytes().data()), out.size());
}
}  // namespace

int main(int argc, char** argv) {
  const long iterations = argc > 1 ? std::atol(argv[1]) : 10'000;
  fuzz::Random random{argc > 2 ? static_cast<std::uint64_t>(std::atoll(argv[2])) : 1};
  long whole = 0;
  for (long i = 0; i < iterations; ++i) {
    std::string bytes = make_seed(random);
    for (std::size_t n = random.below(5); n > 0; --n) fuzz::mutate_bytes(bytes, random);
    whole += take_all(std::as_bytes(std::span(bytes.data(), bytes.size())));
  }
  std::printf("%ld sequences of datagrams, %ld whole messages\n", iterations, whole);
  return 0;
}
#endif
#endif

// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// No bytes on a MAVLink link may crash a process: streams for the parser and the verifier of signatures, and payloads whose checksums are right for the
// messages. As a libFuzzer target the first byte says which; with -DVOLARY_FUZZ_MAIN it is a program that mutates by itself:
//
//   fuzz_mavlink stream|messages [iterations = 10000] [seed = 1]
#ifdef VOLARY_FUZZ
#include <cstdio>
#include <cstdlib>

#include "autopilot/mavlink/frame.hpp"
#include "autopilot/mavlink/signing.hpp"
#include "fuzz_support.hpp"

namespace volary::fuzz {

namespace {

using namespace mavlink;

constexpr std::uint64_t kNow = 36'000'000'000'000;

Key some_key() { return read_key("fuzz").value(); }

template <class M> std::array<std::byte, kMostPayload> payload_of(const M& message) {
  std::array<std::byte, kMostPayload> payload{};
  encode(message, payload);
  return payload;
}

// what is decoded and written again decodes to the same, bit by bit
void try_message(const Frame& frame) {
  each_message([&]<class M>() {
    if (frame.id != M::kId) return;
    const M message = decode<M>(frame);
    Bytes bytes;
    Writer(frame.system, frame.component).append(message, bytes);
    int n = 0;
    Parser parser;
    parser.feed(bytes, [&](const Frame& again) {
      ++n;
      if (again.id != M::kId || !again.is_known || again.system != frame.system || payload_of(decode<M>(again)) != payload_of(message)) std::abort();
    });
    if (n != 1) std::abort();
  });
}

using Frames = std::vector<Bytes>;

// pieces of `piece` bytes; every frame must be whole and have known flags
Frames read(const std::string& text, std::size_t piece, Verifier& verifier) {
  Frames frames;
  Parser parser;
  const auto bytes = std::as_bytes(std::span(text));
  for (std::size_t at = 0; at < bytes.size(); at += piece)
    parser.feed(bytes.subspan(at, std::min(piece, bytes.size() - at)), [&](const Frame& frame) {
      if (frame.bytes.size() > kMostFrame || (frame.incompatibility & ~kSigned) != 0) std::abort();
      for (std::size_t k = frame.length; k < kMostPayload; ++k)
        if (frame.payload[k] != std::byte{0}) std::abort();
      (void)verifier.check(frame, kNow);
      if (frame.is_known) try_message(frame);
      frames.emplace_back(frame.bytes.begin(), frame.bytes.end());
    });
  if (parser.counts().frames != frames.size() || verifier.streams() > Verifier::kMostStreams) std::abort();
  return frames;
}

// the frames do not depend on how the stream is cut
bool try_stream(const std::string& text) {
  Verifier whole(some_key()), pieces(some_key());
  const Frames frames = read(text, text.size() + 1, whole);
  if (read(text, 1 + text.size() % 37, pieces) != frames || whole.streams() != pieces.streams()) std::abort();
  return !frames.empty();
}

// records of the index of a message, a length and that many bytes of payload: frames as though their checksums were right
bool try_messages(const std::string& text) {
  bool any = false;
  for (std::size_t at = 0; at + 2 < text.size();) {
    const MessageInfo& info = kMessages[static_cast<unsigned char>(text[at]) % std::size(kMessages)];
    const std::string payload = text.substr(at + 2, static_cast<unsigned char>(text[at + 1]));
    at += 2 + payload.size();
    Frame frame{.system = 1, .component = 1, .id = info.id, .is_known = true};
    frame.length = static_cast<std::uint8_t>(payload.size());
    std::memcpy(frame.payload.data(), payload.data(), payload.size());
    try_message(frame);
    any = true;
  }
  return any;
}

// a frame of every message, some of them signed, one of a message that is not in the table, and one of version 1
std::string some_stream() {
  Bytes out;
  Signer signer(some_key(), 1);
  Writer writer(1, 1);
  int n = 0;
  each_message([&]<class M>() {
    const std::size_t at = out.size();
    M message;
    M::fields(message, [&](auto& field) { std::memset(&field, 1 + ++n % 250, sizeof field); });
    writer.append(message, out);
    if (n % 2 == 0 && !signer.sign(out, kNow, at)) std::abort();
  });
  std::string text(reinterpret_cast<const char*>(out.data()), out.size());
  text += std::string("\xfd\x03\x00\x00\x01\x01\x01\x60\xea\x00\x01\x02\x03\x12\x34", 15);
  text += std::string("\xfe\x09\x4e\x01\x01\x00\x00\x00\x00\x00\x02\x03\x51\x04\x03\x1c\x7f", 17);
  return text;
}

std::vector<std::string> stream_seeds() {
  const std::string all = some_stream();
  std::vector<std::string> seeds = {all};
  for (std::size_t at = 0; at + 400 < all.size(); at += 300) seeds.push_back(all.substr(at, 400));
  return seeds;
}

std::vector<std::string> message_seeds() {
  std::vector<std::string> seeds;
  for (std::size_t k = 0; k < std::size(kMessages); ++k) {
    const std::size_t n = kMessages[k].full_length;
    seeds.push_back(std::string{static_cast<char>(k), static_cast<char>(n)} + std::string(n, static_cast<char>(k + 1)));
  }
  return seeds;
}

constexpr Target kTargets[] = {{"stream", stream_seeds, try_stream}, {"messages", message_seeds, try_messages}};

}  // namespace

}  // namespace volary::fuzz

#ifdef VOLARY_FUZZ_MAIN
int main(int argc, char** argv) { return volary::fuzz::run(volary::fuzz::kTargets, argc, argv); }
#else
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { return volary::fuzz::read_one(volary::fuzz::kTargets, data, size); }
#endif
#endif

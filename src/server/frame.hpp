// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A moment of a world as the binary message of schema/wire.json: 24 bytes per vehicle.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "server/remote.hpp"
#include "volary/world.hpp"

namespace volary::server {

// IEEE half float, rounded to nearest even; what is too large becomes infinity
std::uint16_t to_half(float x);
float from_half(std::uint16_t half);

// smallest three: see schema/wire.json; the quaternion is w x y z and need not have length 1
std::uint32_t pack_attitude(const float (&q)[4]);
void unpack_attitude(std::uint32_t packed, float (&q)[4]);

// the CRC-32 of zlib and PNG
std::uint32_t crc32(std::span<const std::byte> bytes);

// who is in place k of the columns; diverged vehicles keep their place and are shown where they stopped
struct RosterEntry {
  VehicleId id;
  std::uint32_t flock = 0;  // index in World::flocks()
  std::size_t slot = 0;     // in the columns of that flock
  std::string name;
  bool diverged = false;

  friend bool operator==(const RosterEntry&, const RosterEntry&) = default;
};
struct Roster {
  std::uint32_t version = 0;
  Vec origin = {0, 0, 0};               // m: positions in frames are relative to it
  std::vector<RosterEntry> entries;     // by flock, then by slot
  std::shared_ptr<const std::string> text;  // the message that clients get
};

// the vehicles of a world, and those of the roster before that diverged since
Roster make_roster(const World& world, const Roster& before);

// one moment, ready to be sent to any number of clients
struct Frame {
  std::vector<std::byte> bytes;
  std::uint64_t tick = 0;
  std::uint32_t roster = 0;
  LiveView view = LiveView::Committed;
  std::shared_ptr<const std::string> roster_text;
};

// `marks` are flags of the column `state` beside the mode, by place in the roster; empty: none
void encode_frame(const World& world, const Roster& roster, const std::vector<std::uint16_t>& marks, std::vector<std::byte>& out);
// of a vehicle whose condition, faults or failsafe frames show
std::uint16_t mark_of(const Trouble& trouble);

// Puts vehicles of the frame where a node's message has them, by place in the roster; what `before`, a frame of the same roster, shows of the others stays.
struct ShownPose {
  std::size_t place = 0;
  FramePose pose;
};
void show_poses(std::span<const ShownPose> poses, std::span<const std::byte> before, std::uint64_t tick, double time, std::vector<std::byte>& frame);

// what a frame says, for tests and tools; every length is checked
struct DecodedFrame {
  std::uint64_t tick = 0;
  double time = 0;
  Vec origin = {0, 0, 0};
  std::uint32_t roster = 0;
  struct Vehicle {
    Vec position_W;
    float attitude[4];
    float velocity_W[3];
    std::uint16_t state;
  };
  std::vector<Vehicle> vehicles;
};
core::Result<DecodedFrame> decode_frame(std::span<const std::byte> bytes);

}  // namespace volary::server

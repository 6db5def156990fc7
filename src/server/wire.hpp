// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// generated from schema/wire.json, do not edit
// clang-format off
#pragma once

#include <cstddef>
#include <cstdint>

namespace volary::server::wire {

inline constexpr const char* kEndpoint = "/ws";
inline constexpr std::uint32_t kMagic = 0x46594C56;  // VLYF
inline constexpr std::uint16_t kVersion = 1, kKindFrame = 1;

// the header, in bytes from the start of the message
inline constexpr std::size_t kAtMagic = 0;  // u32: the characters VLYF
inline constexpr std::size_t kAtVersion = 4;  // u16: of this layout
inline constexpr std::size_t kAtKind = 6;  // u16: 1: a frame
inline constexpr std::size_t kAtLength = 8;  // u32: bytes of the whole message
inline constexpr std::size_t kAtChecksum = 12;  // u32: CRC-32 (the polynomial of zlib and PNG) of everything from byte 16 on
inline constexpr std::size_t kAtTickLow = 16;  // u32: low half of the tick
inline constexpr std::size_t kAtTickHigh = 20;  // u32: high half of the tick
inline constexpr std::size_t kAtTime = 24;  // f64: simulated seconds
inline constexpr std::size_t kAtOrigin = 32;  // f64 x 3: m, east north up: positions are relative to it
inline constexpr std::size_t kAtN = 56;  // u32: vehicles
inline constexpr std::size_t kAtRoster = 60;  // u32: version of the roster: place k of the columns is entry k of that roster
inline constexpr std::size_t kHeaderBytes = 64, kChecksumFrom = 16;
inline constexpr std::size_t kBytesPerVehicle = 24;

constexpr std::size_t padded(std::size_t bytes) { return (bytes + 3) / 4 * 4; }

// where the columns of n vehicles begin, and where the message ends
struct Columns {
  std::size_t east;  // f32: m from the origin
  std::size_t north;  // f32: m from the origin
  std::size_t up;  // f32: m from the origin
  std::size_t attitude;  // u32: smallest three. Bits 30-31 are the largest component (w x y z = 0 1 2 3, made positive). The others follow in order, 10 bits each, -1/sqrt2 .. 1/sqrt2 as 0 .. 1023
  std::size_t velocity_east;  // f16: m/s
  std::size_t velocity_north;  // f16: m/s
  std::size_t velocity_up;  // f16: m/s
  std::size_t state;  // u16: bits 0-3 mode, then flags
  std::size_t end;
};
constexpr Columns columns_of(std::size_t n) {
  Columns c{};
  c.east = kHeaderBytes;
  c.north = c.east + padded(4 * n);
  c.up = c.north + padded(4 * n);
  c.attitude = c.up + padded(4 * n);
  c.velocity_east = c.attitude + padded(4 * n);
  c.velocity_north = c.velocity_east + padded(2 * n);
  c.velocity_up = c.velocity_north + padded(2 * n);
  c.state = c.velocity_up + padded(2 * n);
  c.end = c.state + padded(2 * n);
  return c;
}

// the column `state`
inline constexpr std::uint16_t kModeMask = 15, kDiverged = 16, kManual = 32, kTippedOver = 64, kUpsideDown = 128, kStuck = 256, kCrashed = 512, kFault = 1024, kFailsafe = 2048, kHeld = 4096;
inline constexpr const char* kModes[] = {"disarmed", "armed", "take_off", "hold", "mission", "land", "emergency_stop"};

// bounds on what clients send
inline constexpr std::int64_t kFrameBytes = 268435456;
inline constexpr std::int64_t kMessageBytes = 65536;
inline constexpr std::int64_t kRateMin = 1;
inline constexpr std::int64_t kRateMax = 60;
inline constexpr std::int64_t kRateDefault = 30;
inline constexpr std::int64_t kCommandsPerSecond = 100;
inline constexpr std::int64_t kIdsPerCommand = 2000;
inline constexpr std::int64_t kControlHoldMs = 500;
inline constexpr std::int64_t kControlReleaseMs = 5000;
inline constexpr std::int64_t kSwarmPairs = 4000;
inline constexpr std::int64_t kPlottedVehicles = 16;
inline constexpr std::int64_t kEstimatedVehicles = 200;
inline constexpr std::int64_t kBodyVehicles = 32;

// text messages from the server
inline constexpr const char* kHello = "hello";
inline constexpr const char* kRoster = "roster";
inline constexpr const char* kStatus = "status";
inline constexpr const char* kEvent = "event";
inline constexpr const char* kGoals = "goals";
inline constexpr const char* kNotice = "notice";
inline constexpr const char* kAck = "ack";
inline constexpr const char* kPlots = "plots";
inline constexpr const char* kEstimates = "estimates";
inline constexpr const char* kBodies = "bodies";
inline constexpr const char* kLease = "lease";
inline constexpr const char* kSwarm = "swarm";
// text messages from clients
inline constexpr const char* kWant = "want";
inline constexpr const char* kCommand = "command";
inline constexpr const char* kControl = "control";

enum class Command { Pause, Resume, Step, Speed, Reset, Stop, Start, Goto, Mode, Spawn, Remove, Parameter, Behaviour, Field, EmergencyStop, Fault, Input, Take, Release };
inline constexpr const char* kCommands[] = {"pause", "resume", "step", "speed", "reset", "stop", "start", "goto", "mode", "spawn", "remove", "parameter", "behaviour", "field", "emergency_stop", "fault", "input", "take", "release"};

}  // namespace volary::server::wire

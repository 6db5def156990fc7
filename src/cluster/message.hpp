// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the processes of a federation say to each other. Every message is published: the coordinator's to all nodes, a node's to the coordinator and all
// other nodes; each may be lost, late, doubled or out of order. Frames are opaque bytes here. The codec is in codec.hpp.
//
// Words: a *member* is a node's place in the federation (0 to 63); an *incarnation* counts the processes that have held the place; an *account* is the number under
// which a process publishes, and whoever carries messages vouches for it. The *log* is the one sequence of everything that changes the world from outside: inputs,
// joins, leaves, absences, restarts, each with the tick from which it acts.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace volary::cluster {

using Tick = std::uint64_t;
using Time = std::int64_t;  // nanoseconds of some clock that the host chooses

constexpr Time kForever = Time{1} << 62;
constexpr Tick kNever = Tick{1} << 62;
constexpr Tick kMaxTick = Tick{1} << 48;
constexpr std::size_t kMaxMembers = 64;
constexpr std::size_t kMaxFrames = 64;  // in one bundle
constexpr std::size_t kMaxSums = 64;  // in one bundle
constexpr std::size_t kMaxEntries = 64;  // in one log message
constexpr std::size_t kMaxMessageBytes = std::size_t{4} << 20;
constexpr std::size_t kMaxHostName = 64;
constexpr std::size_t kMaxEntryBytes = std::size_t{256} << 10;

// how a member that is gone is treated from a tick on
enum class Absence : std::uint8_t { Remove, Freeze, Extrapolate };

enum class EntryKind : std::uint8_t { Input, Join, Leave, Absent, Restart };

// one entry of the log; entries are numbered 1, 2, 3 ... by the coordinator
struct Entry {
  std::uint64_t sequence = 0;
  Tick effective = 0;  // first tick that it acts on; kNever for a restart, which changes no tick
  EntryKind kind = EntryKind::Input;
  std::uint8_t member = 0;
  Absence absence = Absence::Remove;
  std::uint32_t incarnation = 0;
  Tick until = kNever;  // Absent: extrapolated before this tick and frozen from it on; Restart: the tick it is restored to
  std::uint64_t nonce = 0;  // Join and Restart: by which the node recognises its own grant
  std::uint64_t account = 0;  // Join and Restart: of the process that has the place from now on
  std::vector<std::byte> bytes = {};
  friend bool operator==(const Entry&, const Entry&) = default;
};

struct Member {
  std::uint8_t id = 0;
  std::uint32_t incarnation = 0;
  std::uint64_t nonce = 0, account = 0;
  Tick from = kNever;  // first tick that it takes part in
  Tick until = kNever;  // first tick that it takes no part in any more
  Tick absent_from = kNever;  // frozen or extrapolated from this tick on
  Tick frozen_from = kNever;  // no longer extrapolated from this tick on
  Tick restored = 0;  // the tick that the present incarnation began after
  friend bool operator==(const Member&, const Member&) = default;
};

// everything that a process needs before it can follow the log
struct Config {
  std::uint64_t term = 0;  // of the coordinator; the highest wins
  std::uint64_t scenario = 0, build = 0;
  std::uint32_t horizon = 1;  // K
  std::uint32_t carry = 8;  // R
  std::uint32_t ring = 256;  // ticks that a node keeps, a power of two
  bool live = false;  // a tick waits for nobody
  Tick committed = 0, floor = 0;
  std::uint64_t base = 0;  // entries up to this one are folded into `members`
  std::uint64_t base_need = 0;  // the last of them that changed a tick
  std::vector<Member> members = {};
  friend bool operator==(const Config&, const Config&) = default;
};

enum class RunMode : std::uint8_t { Run, Pause };

struct Trigger {
  std::uint64_t term = 0, sequence = 0;
  Time sent = 0;  // the coordinator's clock
  Tick origin_tick = 0;  // tick k is due at origin + (k - origin_tick) * period
  Time origin = 0, period = 0;  // a period of 0: as fast as the limit allows
  Tick limit = 0;  // no tick beyond this one may be advanced
  Tick aligned = 0, committed = 0, floor = 0;
  std::uint64_t log_end = 0;
  RunMode mode = RunMode::Run;
  friend bool operator==(const Trigger&, const Trigger&) = default;
};

struct LogPart {
  std::uint64_t term = 0;
  std::vector<Entry> entries = {};  // numbered without a gap
  friend bool operator==(const LogPart&, const LogPart&) = default;
};

// which of the frames that a member may have made for one tick; a later one has a higher version
struct Version {
  std::uint64_t inputs = 0;  // entries of the log that were known
  std::uint32_t corrections = 0;  // earlier ticks at which contact had changed the member's vehicles
  friend auto operator<=>(const Version&, const Version&) = default;
};

struct FrameHead {
  Tick tick = 0;
  std::uint8_t member = 0;  // whose it is: the sender's, or that of a member that is gone
  Version version;
  std::uint32_t begin = 0, size = 0;  // in Bundle::bytes
  friend bool operator==(const FrameHead&, const FrameHead&) = default;
};

struct Ack {
  std::uint8_t member = 0;
  Tick tick = 0;  // all frames of the member up to this tick are here
  friend bool operator==(const Ack&, const Ack&) = default;
};

// what a node publishes after it has moved, and again when nothing moves
struct Bundle {
  std::uint64_t term = 0;
  std::uint8_t member = 0;
  std::uint32_t incarnation = 0;
  std::uint64_t sequence = 0;  // of this incarnation's bundles
  Tick advanced = 0, settled = 0;
  std::uint64_t inputs = 0;  // entries of the log that are known without a gap
  Tick durable = 0;  // the tick that the node could be restored to after a crash
  Time sent = 0;  // the node's clock
  Time echo = 0, held = 0;  // when the newest trigger was sent, by the coordinator's clock, and how long ago it was heard; 0: none was
  std::uint32_t compute_us = 0;
  std::uint64_t memory = 0, rollbacks = 0;  // bytes; since the process began
  Tick first_sum = 0;  // tick of sums[0]
  std::vector<std::uint64_t> sums = {};
  std::vector<Ack> acks = {};
  std::vector<FrameHead> frames = {};
  std::vector<std::byte> bytes = {};

  std::span<const std::byte> bytes_of(const FrameHead& f) const { return std::span(bytes).subspan(f.begin, f.size); }
  friend bool operator==(const Bundle&, const Bundle&) = default;
};

// what a node of a live federation said of its vehicles, as it came (live_frame.hpp)
struct LiveFrame {
  std::size_t member = 0;
  Tick tick = 0;
  std::vector<std::byte> bytes = {};
};

enum class RequestKind : std::uint8_t {
  Join,  // the place that the account had before, one that is given away, or a free one
  Leave,  // its vehicles leave with it
  Restart,  // its own place, from a state that it has saved itself
  HandOver,  // its place is to be given to another process, from the state that the coordinator keeps
  Observe  // a place without vehicles
};

// repeated by the node until the log answers it
struct Request {
  RequestKind kind = RequestKind::Join;
  std::uint8_t member = 0;  // Leave, Restart and HandOver
  std::uint32_t incarnation = 0;  // Leave and HandOver
  std::uint64_t nonce = 0;  // grows from one start of a node to the next
  std::uint64_t account = 0, scenario = 0, build = 0;
  std::string host = {};  // name of its machine, for people
  Tick durable = 0;  // Restart: the tick that the node can restore; HandOver: the tick that the coordinator must keep
  friend bool operator==(const Request&, const Request&) = default;
};

enum class RefusalReason : std::uint8_t { OtherScenario, OtherBuild, Full, TooOld, UnknownMember, NotYet };

struct Refusal {
  std::uint64_t term = 0, nonce = 0;
  RefusalReason reason = RefusalReason::Full;
  friend bool operator==(const Refusal&, const Refusal&) = default;
};

enum class NoticeKind : std::uint8_t {
  Kept,  // the coordinator keeps the state after `tick`
  HandOver,  // asks a node to hand its place over
  End,  // asks a node to end
  Over  // the federation is over
};

// from the coordinator to one process
struct Notice {
  std::uint64_t term = 0, nonce = 0;  // of the process; 0: to all
  NoticeKind kind = NoticeKind::Kept;
  Tick tick = 0;
  friend bool operator==(const Notice&, const Notice&) = default;
};

// a process that was given a place asks for the state that it begins with
struct Fetch {
  std::uint8_t member = 0;
  std::uint64_t nonce = 0;
  Tick tick = 0;
  friend bool operator==(const Fetch&, const Fetch&) = default;
};

// the number of a kind on the wire is its place in this list plus one
using Message = std::variant<Config, Trigger, LogPart, Bundle, Request, Refusal, Notice, Fetch>;

}  // namespace volary::cluster

// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/frame.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "control/guide.hpp"
#include "math/scalar.hpp"
#include "server/wire.hpp"

namespace volary::server {

static_assert(std::endian::native == std::endian::little, "frames are written as they lie in memory");

// ---------------------------------------------------------------- small numbers

std::uint16_t to_half(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude >= 0x47800000u) return static_cast<std::uint16_t>(sign | (magnitude > 0x7f800000u ? 0x7e00u : 0x7c00u));  // 65536 and above, NaN
  if (magnitude < 0x38800000u) {
    // below the smallest normal half: adding 0.5 puts the bits of the result at the end of the fraction, rounded
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3f000000u));
  }
  const std::uint32_t odd = (magnitude >> 13) & 1u;
  return static_cast<std::uint16_t>(sign | ((magnitude - 0x38000000u + 0xfffu + odd) >> 13));
}

float from_half(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16, exponent = (half >> 10) & 31u, fraction = half & 1023u;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | (fraction << 13));
  if (exponent == 0) {
    const float small = static_cast<float>(fraction) * 0x1p-24f;
    return sign != 0 ? -small : small;
  }
  return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
}

std::uint32_t pack_attitude(const float (&q)[4]) {
  constexpr float kSqrt2 = 1.41421356f;
  std::uint32_t largest = 0;
  float norm2 = 0;
  for (std::uint32_t k = 0; k < 4; ++k) {
    norm2 += q[k] * q[k];
    if (math::abs(q[k]) > math::abs(q[largest])) largest = k;
  }
  if (!(norm2 > 0)) return 512u << 20 | 512u << 10 | 512u;  // no attitude: level
  const float scale = (q[largest] < 0 ? -kSqrt2 : kSqrt2) / math::sqrt(norm2);
  std::uint32_t packed = largest << 30;
  std::uint32_t shift = 20;
  for (std::uint32_t k = 0; k < 4; ++k) {
    if (k == largest) continue;
    const float place = std::clamp((q[k] * scale + 1) * 511.5f + 0.5f, 0.0f, 1023.0f);
    packed |= static_cast<std::uint32_t>(place) << shift;
    shift -= 10;
  }
  return packed;
}

void unpack_attitude(std::uint32_t packed, float (&q)[4]) {
  constexpr float kHalfRoot = 0.70710678f;
  const std::uint32_t largest = packed >> 30;
  float sum = 0;
  std::uint32_t shift = 20;
  for (std::uint32_t k = 0; k < 4; ++k) {
    if (k == largest) continue;
    q[k] = (static_cast<float>((packed >> shift) & 1023u) / 511.5f - 1) * kHalfRoot;
    sum += q[k] * q[k];
    shift -= 10;
  }
  q[largest] = math::sqrt(std::max(0.0f, 1 - sum));
}

// ---------------------------------------------------------------- checksum

namespace {

using CrcTables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr CrcTables make_crc_tables() {
  CrcTables t{};
  for (std::uint32_t k = 0; k < 256; ++k) {
    std::uint32_t c = k;
    for (int bit = 0; bit < 8; ++bit) c = (c & 1) != 0 ? 0xedb88320u ^ (c >> 1) : c >> 1;
    t[0][k] = c;
  }
  for (std::size_t n = 1; n < 8; ++n)
    for (std::size_t k = 0; k < 256; ++k) t[n][k] = (t[n - 1][k] >> 8) ^ t[0][t[n - 1][k] & 255u];
  return t;
}
constexpr CrcTables kCrc = make_crc_tables();

}  // namespace

std::uint32_t crc32(std::span<const std::byte> bytes) {
  std::uint32_t c = 0xffffffffu;
  std::size_t k = 0;
  for (; k + 8 <= bytes.size(); k += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + k, 8);
    word ^= c;
    c = 0;
    for (std::size_t n = 0; n < 8; ++n) c ^= kCrc[7 - n][(word >> (8 * n)) & 255u];
  }
  for (; k < bytes.size(); ++k) c = (c >> 8) ^ kCrc[0][(c ^ static_cast<std::uint32_t>(bytes[k])) & 255u];
  return ~c;
}

// ---------------------------------------------------------------- roster

namespace {

// a multiple of a kilometre near the vehicles: floats keep a tenth of a millimetre round it
Vec choose_origin(const World& world, const Roster& roster) {
  Vec sum = {0, 0, 0};
  double n = 0;
  for (const RosterEntry& e : roster.entries) {
    if (e.diverged) continue;
    const Vec p = world.position_of(e.id);
    for (std::size_t k = 0; k < 3; ++k) sum[k] += p[k];
    ++n;
  }
  for (double& x : sum) x = n > 0 ? math::round(x / n / 1000) * 1000 : 0;
  return sum;
}

}  // namespace

Roster make_roster(const World& world, const Roster& before) {
  Roster roster;
  roster.version = before.version + 1;
  const std::vector<std::string> flocks = world.flocks();
  for (std::uint32_t f = 0; f < flocks.size(); ++f) {
    const std::size_t first = roster.entries.size();
    for (const VehicleId id : world.vehicles(flocks[f])) roster.entries.push_back({id, f, world.slot_of(id), world.name_of(id), false});
    for (const RosterEntry& e : before.entries)
      if (e.flock == f && e.diverged) roster.entries.push_back(e);
    std::sort(roster.entries.begin() + static_cast<std::ptrdiff_t>(first), roster.entries.end(),
              [](const RosterEntry& a, const RosterEntry& b) { return a.slot < b.slot; });
  }
  roster.origin = choose_origin(world, roster);
  return roster;
}

// ---------------------------------------------------------------- encoding

namespace {

// where the rows of one flock lie
struct Rows {
  const std::byte *position = nullptr, *velocity = nullptr, *attitude = nullptr, *status = nullptr;
  std::ptrdiff_t block = 0, lane = 0, row = 0;  // bytes
  bool has_remainder = false;
  bool is_double = false;
  std::size_t n = 0;
};

Rows rows_of(const World& world, const std::string& flock) {
  auto view_of = [&](const char* column) { return world.find_view(flock, column).value_or(View{}); };
  const View p = view_of("position"), v = view_of("velocity"), q = view_of("attitude"), s = view_of("status");
  auto bytes = [](const View& view) { return static_cast<const std::byte*>(view.pointer); };
  return {bytes(p), bytes(v), bytes(q), bytes(s), p.strides[0], p.strides[1], p.strides[2], p.shape[2] == 6, p.dtype == Dtype::Float64, p.n};
}

struct Out {
  float* place[3];
  std::uint32_t* attitude;
  std::uint16_t* velocity[3];
  std::uint16_t* state;
};

template <class S> void encode_one(const Rows& r, std::size_t slot, const Vec& origin, std::uint16_t flags, std::size_t k, const Out& out) {
  using Word = std::conditional_t<sizeof(S) == 4, std::uint32_t, std::uint64_t>;
  const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(slot / 16) * r.block + static_cast<std::ptrdiff_t>(slot % 16) * r.lane;
  auto read = [&](const std::byte* rows, std::ptrdiff_t row) { return rows == nullptr ? S(0) : *reinterpret_cast<const S*>(rows + at + row * r.row); };
  for (std::ptrdiff_t c = 0; c < 3; ++c) {
    const double rest = r.has_remainder ? static_cast<double>(read(r.position, 3 + c)) : 0.0;
    out.place[c][k] = static_cast<float>(static_cast<double>(read(r.position, c)) - origin[static_cast<std::size_t>(c)] + rest);
    out.velocity[c][k] = to_half(static_cast<float>(read(r.velocity, c)));
  }
  const float q[4] = {static_cast<float>(read(r.attitude, 0)), static_cast<float>(read(r.attitude, 1)), static_cast<float>(read(r.attitude, 2)),
                      static_cast<float>(read(r.attitude, 3))};
  out.attitude[k] = pack_attitude(q);
  const Word status = r.status == nullptr ? Word(0) : *reinterpret_cast<const Word*>(r.status + at);
  const bool diverged = (status & control::kDiverged) != 0;
  out.state[k] = static_cast<std::uint16_t>((status & control::kModeMask) | (diverged ? wire::kDiverged : 0) | flags);
}

constexpr auto kArmed = static_cast<std::uint16_t>(Mode::Armed);

template <class T> void put(std::vector<std::byte>& out, std::size_t at, T value) { std::memcpy(out.data() + at, &value, sizeof value); }

void put_header(const World& world, const Roster& roster, std::vector<std::byte>& out) {
  put(out, wire::kAtMagic, wire::kMagic);
  put(out, wire::kAtVersion, wire::kVersion);
  put(out, wire::kAtKind, wire::kKindFrame);
  put(out, wire::kAtLength, static_cast<std::uint32_t>(out.size()));
  put(out, wire::kAtTickLow, static_cast<std::uint32_t>(world.tick()));
  put(out, wire::kAtTickHigh, static_cast<std::uint32_t>(world.tick() >> 32));
  put(out, wire::kAtTime, world.time());
  for (std::size_t k = 0; k < 3; ++k) put(out, wire::kAtOrigin + 8 * k, roster.origin[k]);
  put(out, wire::kAtN, static_cast<std::uint32_t>(roster.entries.size()));
  put(out, wire::kAtRoster, roster.version);
  put(out, wire::kAtChecksum, crc32(std::span<const std::byte>(out).subspan(wire::kChecksumFrom)));
}

}  // namespace

std::uint16_t mark_of(const Trouble& t) {
  constexpr std::uint16_t kConditions[] = {0, wire::kTippedOver, wire::kUpsideDown, wire::kStuck, wire::kCrashed};
  return static_cast<std::uint16_t>(kConditions[static_cast<std::size_t>(t.condition)] | (t.has_fault ? wire::kFault : 0) |
                                    (t.failsafe != FailsafeAction::None ? wire::kFailsafe : 0));
}

void encode_frame(const World& world, const Roster& roster, const std::vector<std::uint16_t>& marks, std::vector<std::byte>& out) {
  const std::size_t n = roster.entries.size();
  const wire::Columns c = wire::columns_of(n);
  out.assign(c.end, std::byte{0});
  auto at = [&]<class T>(std::size_t offset, T*) { return reinterpret_cast<T*>(out.data() + offset); };
  float* f = nullptr;
  std::uint32_t* u = nullptr;
  std::uint16_t* h = nullptr;
  const Out columns = {
      {at(c.east, f), at(c.north, f), at(c.up, f)}, at(c.attitude, u), {at(c.velocity_east, h), at(c.velocity_north, h), at(c.velocity_up, h)}, at(c.state, h)};
  std::vector<Rows> flocks;
  for (const std::string& name : world.flocks()) flocks.push_back(rows_of(world, name));
  for (std::size_t k = 0; k < n; ++k) {
    const RosterEntry& e = roster.entries[k];
    const Rows& rows = flocks[e.flock];
    if (e.slot >= rows.n) continue;
    const std::uint16_t flags = k < marks.size() ? marks[k] : std::uint16_t{0};
    if (rows.is_double)
      encode_one<double>(rows, e.slot, roster.origin, flags, k, columns);
    else
      encode_one<float>(rows, e.slot, roster.origin, flags, k, columns);
    // steered by its behaviours or from outside: only the world can tell
    std::uint16_t& state = columns.state[k];
    if ((state & wire::kModeMask) == kArmed) state = static_cast<std::uint16_t>((state & ~wire::kModeMask) | static_cast<std::uint16_t>(world.mode_of(e.id)));
  }
  put_header(world, roster, out);
}

void show_poses(std::span<const ShownPose> poses, std::span<const std::byte> before, std::uint64_t tick, double time, std::vector<std::byte>& out) {
  std::uint32_t n = 0;
  Vec origin;
  std::memcpy(&n, out.data() + wire::kAtN, sizeof n);
  std::memcpy(origin.data(), out.data() + wire::kAtOrigin, sizeof origin);
  const wire::Columns c = wire::columns_of(n);
  // all columns but the last: the mode of a vehicle is what is committed
  if (before.size() == out.size()) std::memcpy(out.data() + c.east, before.data() + c.east, c.state - c.east);
  const std::size_t place[3] = {c.east, c.north, c.up}, velocity[3] = {c.velocity_east, c.velocity_north, c.velocity_up};
  for (const auto& [k, pose] : poses) {
    for (std::size_t a = 0; a < 3; ++a) {
      put(out, place[a] + 4 * k, static_cast<float>(pose.position_W[a] - origin[a]));
      put(out, velocity[a] + 2 * k, to_half(static_cast<float>(pose.velocity_W[a])));
    }
    const float q[4] = {static_cast<float>(pose.attitude_WB[0]), static_cast<float>(pose.attitude_WB[1]), static_cast<float>(pose.attitude_WB[2]),
                        static_cast<float>(pose.attitude_WB[3])};
    put(out, c.attitude + 4 * k, pack_attitude(q));
  }
  put(out, wire::kAtTickLow, static_cast<std::uint32_t>(tick));
  put(out, wire::kAtTickHigh, static_cast<std::uint32_t>(tick >> 32));
  put(out, wire::kAtTime, time);
  put(out, wire::kAtChecksum, crc32(std::span<const std::byte>(out).subspan(wire::kChecksumFrom)));
}

// ---------------------------------------------------------------- decoding

namespace {

template <class T> T get(std::span<const std::byte> bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

core::Status check_header(std::span<const std::byte> bytes) {
  auto bad = [](const char* what) { return core::Status(core::Error{.message = what}); };
  if (bytes.size() < wire::kHeaderBytes) return bad("a frame shorter than its header");
  if (get<std::uint32_t>(bytes, wire::kAtMagic) != wire::kMagic) return bad("not a frame: wrong magic");
  if (get<std::uint16_t>(bytes, wire::kAtVersion) != wire::kVersion) return bad("a frame of another version");
  if (get<std::uint16_t>(bytes, wire::kAtKind) != wire::kKindFrame) return bad("an unknown kind of message");
  if (get<std::uint32_t>(bytes, wire::kAtLength) != bytes.size()) return bad("the length in the frame is not the length received");
  if (wire::columns_of(get<std::uint32_t>(bytes, wire::kAtN)).end != bytes.size()) return bad("the number of vehicles does not fit the length");
  if (get<std::uint32_t>(bytes, wire::kAtChecksum) != crc32(bytes.subspan(wire::kChecksumFrom))) return bad("wrong checksum");
  return core::ok();
}

}  // namespace

core::Result<DecodedFrame> decode_frame(std::span<const std::byte> bytes) {
  if (const core::Status good = check_header(bytes); !good) return good.error();
  DecodedFrame frame;
  frame.tick = get<std::uint32_t>(bytes, wire::kAtTickLow) | static_cast<std::uint64_t>(get<std::uint32_t>(bytes, wire::kAtTickHigh)) << 32;
  frame.time = get<double>(bytes, wire::kAtTime);
  for (std::size_t k = 0; k < 3; ++k) frame.origin[k] = get<double>(bytes, wire::kAtOrigin + 8 * k);
  frame.roster = get<std::uint32_t>(bytes, wire::kAtRoster);
  frame.vehicles.resize(get<std::uint32_t>(bytes, wire::kAtN));
  const wire::Columns c = wire::columns_of(frame.vehicles.size());
  for (std::size_t k = 0; k < frame.vehicles.size(); ++k) {
    DecodedFrame::Vehicle& v = frame.vehicles[k];
    const std::size_t places[3] = {c.east, c.north, c.up}, velocities[3] = {c.velocity_east, c.velocity_north, c.velocity_up};
    for (std::size_t a = 0; a < 3; ++a) {
      v.position_W[a] = frame.origin[a] + static_cast<double>(get<float>(bytes, places[a] + 4 * k));
      v.velocity_W[a] = from_half(get<std::uint16_t>(bytes, velocities[a] + 2 * k));
    }
    unpack_attitude(get<std::uint32_t>(bytes, c.attitude + 4 * k), v.attitude);
    v.state = get<std::uint16_t>(bytes, c.state + 2 * k);
  }
  return frame;
}

}  // namespace volary::server

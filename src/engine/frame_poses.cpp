// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/frame_poses.hpp"

#include <cstring>

#include <fmt/format.h>

#include "core/bytes.hpp"
#include "engine/data.hpp"
#include "engine/frame_layout.hpp"

namespace volary::engine {

namespace {

// the numbers of one flock in a frame, row by row
struct Rows {
  std::span<const std::byte> bytes;
  std::size_t vehicles = 0, width = 4;  // of a number

  double at(std::size_t row, std::size_t k) const {
    const std::byte* const from = bytes.data() + (row * vehicles + k) * width;
    if (width == 4) {
      float x;
      std::memcpy(&x, from, sizeof x);
      return static_cast<double>(x);
    }
    double x;
    std::memcpy(&x, from, sizeof x);
    return x;
  }
};

// the rows come in the order of rows_of(): status, position, velocity, attitude
FramePose pose_of(const Flock& f, const Rows& rows, std::size_t k) {
  FramePose pose;
  std::size_t row = 1;
  const auto take = [&](const ColumnInfo* c, auto& out) {
    if (c == nullptr) return;
    const auto n = static_cast<std::size_t>(c->rows), shown = out.size();
    // a position has the remainders of its rounding behind it
    for (std::size_t i = 0; i < shown && i < n; ++i) out[i] = rows.at(row + i, k) + (n == 2 * shown ? rows.at(row + shown + i, k) : 0.0);
    row += n;
  };
  take(f.shown.position, pose.position_W);
  take(f.shown.velocity, pose.velocity_W);
  take(f.shown.attitude, pose.attitude_WB);
  return pose;
}

bool is_finite(const FramePose& p) {
  const auto all = [](const auto& list) {
    for (const double x : list)
      if (!(x - x == 0)) return false;
    return true;
  };
  return all(p.position_W) && all(p.velocity_W) && all(p.attitude_WB);
}

}  // namespace

core::Status read_poses(const Data& d, std::span<const std::byte> bytes, std::vector<FramePose>& poses) {
  const auto refused = [](std::string why) { return core::Error{.message = std::move(why), .field = "frame"}; };
  core::ByteReader in(bytes);
  const auto tick = in.get<std::uint64_t>();
  const auto member = in.get<std::uint32_t>();
  poses.clear();
  for (const Flock& f : d.flocks) {
    const std::vector<std::uint32_t> slots = slots_of(d, f.index, member);
    if (const auto n = in.get<std::uint32_t>(); !in.good() || n != slots.size())
      return refused(fmt::format("it has {} vehicles of flock '{}', and member {} has {} now", n, f.def.name, member, slots.size()));
    const auto width = static_cast<std::size_t>(f.bytes);
    const Rows rows{in.get_bytes(rows_of(d, f, tick).size() * slots.size() * width), slots.size(), width};
    if (d.societies[f.index].decides()) in.get_bytes(slots.size() * sizeof(Intent));
    if (!in.good()) return refused("it is damaged");
    for (std::size_t k = 0; k < slots.size(); ++k) {
      FramePose pose = pose_of(f, rows, k);
      if (!is_finite(pose)) return refused("a number is not finite");
      pose.id = f.ids[slots[k]];
      poses.push_back(pose);
    }
  }
  return core::ok();
}

}  // namespace volary::engine

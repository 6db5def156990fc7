// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/dock_view.hpp"

#include <algorithm>
#include <cstring>

#include "engine/columns.hpp"
#include "math/functions.hpp"

namespace volary::engine {

namespace {

using math::Mat3;
using math::Vec3;

double number(const Flock& f, const ColumnInfo& c, std::size_t slot, int k) {
  const RecordRows rows = record_of(f, c.record);
  return read_scalar(rows.first + element_offset(slot, rows.n, c.row + k, f.bytes), f.bytes);
}
Vec3<double> vec(const Flock& f, const ColumnInfo& c, std::size_t slot) { return {number(f, c, slot, 0), number(f, c, slot, 1), number(f, c, slot, 2)}; }
math::Quat<double> quat(const Flock& f, const ColumnInfo& c, std::size_t slot) {
  return {number(f, c, slot, 0), number(f, c, slot, 1), number(f, c, slot, 2), number(f, c, slot, 3)};
}
Vec3<double> third_column(const Mat3<double>& m) { return {m.row0.z, m.row1.z, m.row2.z}; }
void put(float* rows, std::size_t lane, const Vec3<double>& v) {
  rows[lane] = static_cast<float>(v.x), rows[kBlock + lane] = static_cast<float>(v.y), rows[2 * kBlock + lane] = static_cast<float>(v.z);
}

// the pose of a site, and the body that carries it
struct Carried {
  std::size_t body = 0;
  multibody::Pose pose;
};
Carried carrier(const multibody::SceneDef& scene, std::size_t site) {
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const auto& sites = scene.bodies[b].sites;
    if (site < sites.size()) return {b, sites[site].pose};
    site -= sites.size();
  }
  return {};
}

core::Error lacks(const Flock& f, const char* what) { return {.message = "the vehicles of flock '" + f.def.name + "' " + what, .field = "learning"}; }

}  // namespace

core::Result<DockView> DockView::make(const Flock& f, unsigned needs) {
  DockView v;
  v.docks_ = (needs & agents::kDocking) != 0, v.touches_ = (needs & agents::kContact) != 0;
  v.wrench_ = f.find_shown("wrench"), v.attitude_ = f.find_column("attitude");
  if (v.touches_ && (v.wrench_ == nullptr || v.attitude_ == nullptr)) return lacks(f, "have no column 'wrench', which a term of the task reads");
  if (!v.docks_) return v;
  if (f.joined == nullptr || !f.joined->docks()) return lacks(f, "do not dock, and a term of the task is about docking");
  v.offset_ = f.joined->find_column("dock_offset"), v.docked_ = f.joined->find_column("docked");
  const JoinedScene& scene = f.joined->scene;
  const JoinedScene::Latch& latch = scene.latches.front();
  const auto end_at = [&](std::size_t site, std::size_t member) {
    const Carried at = carrier(scene.scene, site);
    const auto& bodies = scene.members[member].bodies;
    const Flock& owner = *f.joined->members[member];
    const BodyColumns& columns = owner.joined->bodies[static_cast<std::size_t>(std::find(bodies.begin(), bodies.end(), at.body) - bodies.begin())];
    return End{member, columns.attitude, columns.omega, at.pose.rotation};
  };
  v.cone_ = end_at(latch.cone_site, latch.cone_member);
  v.cylinder_ = end_at(latch.cylinder_site, 1 - latch.cone_member);
  v.bottom_ = static_cast<float>(latch.cone.radius);
  v.slope_ = static_cast<float>((latch.cone.mouth - latch.cone.radius) / latch.cone.length);
  return v;
}

DockView::Turned DockView::turned(const Flock& f, const End& end, std::size_t slot) {
  const Flock& owner = *f.joined->members[end.member];
  const math::Quat<double> q_WB = quat(owner, *end.attitude, slot);
  return {math::rotation_matrix(q_WB * end.q_BE), math::rotation_matrix(q_WB) * vec(owner, *end.omega, slot)};
}

void DockView::look_at_docking(const Flock& f, std::size_t slot, std::size_t lane, Rows& to, Turned& cone) const {
  cone = turned(f, cone_, slot);
  const Turned cylinder = turned(f, cylinder_, slot);
  put(to.offset, lane, vec(f, *offset_, slot));
  put(to.axis, lane, math::transpose_times(cone.R_WE, third_column(cylinder.R_WE)));
  put(to.rate, lane, math::transpose_times(cone.R_WE, cylinder.omega_W - cone.omega_W));
}

void DockView::look(const Flock& f, std::size_t block, std::size_t n, Rows& to) const {
  if (!docks_ && !touches_) return;
  std::memset(&to, 0, sizeof to);
  const std::size_t first = block * kBlock, last = std::min(n, first + kBlock);
  for (std::size_t slot = first; slot < last; ++slot) {
    const std::size_t lane = slot - first;
    Turned cone{};
    if (docks_) look_at_docking(f, slot, lane, to, cone);
    if (!touches_) continue;
    const Vec3<double> force_B = vec(f, *wrench_, slot);
    to.contact_force[lane] = static_cast<float>(math::norm(force_B));
    if (docks_) to.force[lane] = static_cast<float>(math::dot(math::rotation_matrix(quat(f, *attitude_, slot)) * force_B, third_column(cone.R_WE)));
  }
}

bool DockView::is_docked(const Flock& f, std::size_t slot) const { return docked_ != nullptr && number(f, *docked_, slot, 0) > 0; }

void DockView::show(const Rows& rows, agents::AgentBlock& b) const {
  b.dock_offset = rows.offset, b.dock_axis = rows.axis, b.dock_rate = rows.rate;
  b.dock_force = rows.force, b.contact_force = rows.contact_force;
  b.cone_bottom = bottom_, b.cone_slope = slope_;
}

}  // namespace volary::engine

// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "multibody/simulated.hpp"

namespace volary::multibody {

namespace {

Vec vec(const double* v) { return {v[0], v[1], v[2]}; }
Quat quat(const double* q) { return {q[0], q[1], q[2], q[3]}; }
// rows of MuJoCo's matrices
math::Mat3<double> matrix(const double* m) { return {vec(m), vec(m + 3), vec(m + 6)}; }

}  // namespace

Motion Simulated::motion_of(int type, int id, const double* position, const Quat& q) const {
  double v[6];  // angular, linear
  l_.mj_objectVelocity(m_, d_.get(), type, id, v, 0);
  return {vec(position), q, vec(v + 3), vec(v)};
}

Motion Simulated::motion(std::size_t body) const {
  const int id = c_->bodies[body];
  return motion_of(mjOBJ_XBODY, id, d_->xpos + 3 * id, quat(d_->xquat + 4 * id));
}

Motion Simulated::site_motion(std::size_t site) const {
  const int id = c_->sites[site].id;
  return motion_of(mjOBJ_SITE, id, d_->site_xpos + 3 * id, math::quat_from_matrix(matrix(d_->site_xmat + 9 * id)));
}

double Simulated::joint_value(std::size_t body) const { return d_->qpos[m_->jnt_qposadr[c_->joints[body]]]; }
double Simulated::joint_rate(std::size_t body) const { return d_->qvel[m_->jnt_dofadr[c_->joints[body]]]; }
Quat Simulated::joint_rotation(std::size_t body) const {
  const int joint = c_->joints[body];
  return quat(d_->qpos + m_->jnt_qposadr[joint] + (m_->jnt_type[joint] == mjJNT_FREE ? 3 : 0));
}

Wrench Simulated::contact_force(int contact) const {
  double f[6];  // force and torque along the normal and the two tangents
  l_.mj_contactForce(m_, d_.get(), contact, f);
  const math::Mat3<double> axes = matrix(d_->contact[contact].frame);
  return {math::transpose_times(axes, vec(f)), math::transpose_times(axes, vec(f + 3))};
}

void Simulated::contacts(std::size_t group_a, std::size_t group_b, std::vector<Contact>& found) const {
  found.clear();
  for (int k = 0; has_stepped_ && k < d_->ncon; ++k) {
    const mjContact& c = d_->contact[k];
    std::size_t a = c_->geom_of[static_cast<std::size_t>(c.geom[0])], b = c_->geom_of[static_cast<std::size_t>(c.geom[1])];
    const std::size_t of_a = c_->group_of[a], of_b = c_->group_of[b];
    const bool is_turned = of_a != group_a || of_b != group_b;
    if (is_turned && (of_a != group_b || of_b != group_a)) continue;
    Vec normal = vec(c.frame), force = contact_force(k).force;
    if (is_turned) std::swap(a, b), normal = -normal, force = -force;
    found.push_back({a, b, c.dist, vec(c.pos), normal, force});
  }
}

Wrench Simulated::contact_wrench(std::size_t site) const {
  const Compiled::Site& s = c_->sites[site];
  const Vec origin = vec(d_->site_xpos + 3 * s.id);
  Wrench sum;
  for (int k = 0; has_stepped_ && k < d_->ncon; ++k) {
    const mjContact& c = d_->contact[k];
    const bool is_first = m_->geom_bodyid[c.geom[0]] == s.body, is_second = m_->geom_bodyid[c.geom[1]] == s.body;
    if (!is_first && !is_second) continue;
    Wrench w = contact_force(k);
    if (is_first) w = {-w.force, -w.torque};
    sum.force = sum.force + w.force;
    sum.torque = sum.torque + w.torque + math::cross(vec(c.pos) - origin, w.force);
  }
  const math::Mat3<double> axes = matrix(d_->site_xmat + 9 * s.id);
  return {math::transpose_times(axes, sum.force), math::transpose_times(axes, sum.torque)};
}

double Simulated::tension(std::size_t cable) const {
  for (int k = 0; has_stepped_ && k < d_->nefc; ++k)
    if (d_->efc_type[k] == mjCNSTR_LIMIT_TENDON && d_->efc_id[k] == c_->cables[cable].id) return d_->efc_force[k];
  return 0;
}

double Simulated::span(std::size_t cable) const {
  const auto& [a, b] = c_->cables[cable].sites;
  return math::norm(vec(d_->site_xpos + 3 * c_->sites[b].id) - vec(d_->site_xpos + 3 * c_->sites[a].id));
}

}  // namespace volary::multibody

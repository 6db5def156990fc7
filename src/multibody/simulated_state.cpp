// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "core/check.hpp"
#include "math/hash.hpp"
#include "multibody/simulated.hpp"
#include "multibody/trap.hpp"

namespace volary::multibody {

// Contacts and their forces are no part of MuJoCo's state: it works them out of the state before the substep. So that one is saved too, and the substep is
// repeated after it is restored. Commands and latches may have changed since: then the later state is put over it.
void Simulated::save(std::span<double> state) const {
  core::require(state.size() == c_->state_size(), "a state of another scene");
  state[0] = has_stepped_ ? 1 : 0;
  std::copy(before_.begin(), before_.end(), state.begin() + 1);
  l_.mj_getState(m_, d_.get(), state.data() + 1 + c_->numbers, kState);
}

core::Status Simulated::restore(std::span<const double> state) {
  core::require(state.size() == c_->state_size(), "a state of another scene");
  l_.mj_resetData(m_, d_.get());
  has_stepped_ = false;
  if (state[0] != 0) {
    l_.mj_setState(m_, d_.get(), state.data() + 1, kState);
    if (const core::Status s = step(1); !s) return s;
  }
  l_.mj_setState(m_, d_.get(), state.data() + 1 + c_->numbers, kState);
  refresh();
  return core::ok();
}

std::uint64_t Simulated::hash() const {
  std::vector<double> state(c_->numbers);
  l_.mj_getState(m_, d_.get(), state.data(), kState);
  std::uint64_t h = 0;
  for (const double x : state) h = math::mix64(h ^ std::bit_cast<std::uint64_t>(x));
  return h;
}

void Simulated::save_motion(std::span<double> motion) const {
  core::require(motion.size() == c_->motion_size(), "a motion of another scene");
  l_.mj_getState(m_, d_.get(), motion.data(), kMotion);
}

void Simulated::restore_motion(std::span<const double> motion) {
  core::require(motion.size() == c_->motion_size(), "a motion of another scene");
  l_.mj_setState(m_, d_.get(), motion.data(), kMotion);
  has_stepped_ = false;
  refresh();
}

void Simulated::reset() {
  l_.mj_resetData(m_, d_.get());
  has_stepped_ = false;
  refresh();
}

void Simulated::forget_contacts() {
  std::fill_n(d_->qacc_warmstart, m_->nv, 0.0);
  has_stepped_ = false;
  refresh();
}

namespace {

void put(const Vec& v, double* to) { to[0] = v.x, to[1] = v.y, to[2] = v.z; }
void put(const Quat& q, double* to) { to[0] = q.w, to[1] = q.x, to[2] = q.y, to[3] = q.z; }
Quat quat(const double* q) { return {q[0], q[1], q[2], q[3]}; }

}  // namespace

void Simulated::place(std::size_t body, const Motion& motion) {
  const int id = c_->bodies[body], joint = c_->joints[body], parent = m_->body_parentid[id];
  const int kind = joint < 0 ? -1 : m_->jnt_type[joint];
  core::require(kind == mjJNT_FREE || kind == mjJNT_BALL, "only free bodies and children of ball joints can be placed");
  double *q = d_->qpos + m_->jnt_qposadr[joint], *v = d_->qvel + m_->jnt_dofadr[joint];
  const Quat turn = math::normalize(motion.q_WB);
  Quat relative = turn;
  Vec omega_W = motion.omega_W;
  if (kind == mjJNT_FREE) {
    put(motion.position_W, q), put(motion.velocity_W, v);
    q += 3, v += 3;
  } else {
    // q_WB = q_WP q_PB0 q_joint
    const Quat rest = quat(d_->xquat + 4 * parent) * quat(m_->body_quat + 4 * id);
    relative = math::normalize(math::conjugate(rest) * turn);
    double of_parent[6];
    l_.mj_objectVelocity(m_, d_.get(), mjOBJ_XBODY, parent, of_parent, 0);
    omega_W = omega_W - Vec{of_parent[0], of_parent[1], of_parent[2]};
  }
  put(relative, q);
  put(math::transpose_times(math::rotation_matrix(turn), omega_W), v);
  forget_contacts();
}

void Simulated::place_joint(std::size_t body, double value, double rate) {
  const int joint = c_->joints[body], kind = joint < 0 ? -1 : m_->jnt_type[joint];
  core::require(kind == mjJNT_HINGE || kind == mjJNT_SLIDE, "only a hinge or a slide has one value");
  d_->qpos[m_->jnt_qposadr[joint]] = value, d_->qvel[m_->jnt_dofadr[joint]] = rate;
  forget_contacts();
}

}  // namespace volary::multibody

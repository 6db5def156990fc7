// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// An instance over the data of MuJoCo: stepping and commands (simulated.cpp), what is read (simulated_read.cpp), states (simulated_state.cpp).
#pragma once

#include <memory>
#include <vector>

#include "multibody/compiled.hpp"

namespace volary::multibody {

class Simulated final : public Instance {
 public:
  Simulated(std::shared_ptr<const Compiled> compiled, Owned<mjData> data);

  void command(std::size_t site, double thrust, double torque) override;
  void command(std::size_t site, const Wrench& wrench_S) override;
  void close(std::size_t weld, bool is_closed) override;
  bool is_closed(std::size_t weld) const override;
  core::Status step(int substeps) override;
  double time() const override { return d_->time; }

  Motion motion(std::size_t body) const override;
  Motion site_motion(std::size_t site) const override;
  double joint_value(std::size_t body) const override;
  double joint_rate(std::size_t body) const override;
  Quat joint_rotation(std::size_t body) const override;
  std::size_t n_contacts() const override { return has_stepped_ ? static_cast<std::size_t>(d_->ncon) : 0; }
  void contacts(std::size_t group_a, std::size_t group_b, std::vector<Contact>& found) const override;
  Wrench contact_wrench(std::size_t site) const override;
  double tension(std::size_t cable) const override;
  double span(std::size_t cable) const override;

  void place(std::size_t body, const Motion& motion) override;
  void place_joint(std::size_t body, double value, double rate) override;
  void reset() override;
  void save(std::span<double> state) const override;
  core::Status restore(std::span<const double> state) override;
  std::uint64_t hash() const override;
  void save_motion(std::span<double> motion) const override;
  void restore_motion(std::span<const double> motion) override;
  std::size_t used_memory() const override { return static_cast<std::size_t>(d_->maxuse_arena); }

 private:
  // poses and velocities of what is in qpos and qvel: MuJoCo leaves those of the substep's beginning. Needs no working memory, so it cannot fail
  void refresh();
  bool has_warned() const;
  core::Status judge() const;  // of the last substep, by what MuJoCo warned of
  core::Error out_of_memory() const;
  void forget_contacts();
  Motion motion_of(int type, int id, const double* position, const Quat& q) const;
  Wrench contact_force(int contact) const;  // on its second shape, in world axes

  std::shared_ptr<const Compiled> c_;
  const Library& l_;
  const mjModel* m_;
  Owned<mjData> d_;
  bool has_stepped_ = false;    // since the motion was set
  std::vector<double> before_;  // the state before the last substep
};

}  // namespace volary::multibody

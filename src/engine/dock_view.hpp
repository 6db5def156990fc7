// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the terms of docking and contact see of the vehicles of a block (agents/agent_block.hpp): where and how the cylinder is in the cone, and what presses. The partners
// of a flock are in the same slots of the other one.
#pragma once

#include <cstddef>

#include "agents/agent_block.hpp"
#include "core/result.hpp"
#include "engine/kernel.hpp"
#include "math/vec.hpp"

namespace volary::engine {

struct ColumnInfo;
struct Flock;

class DockView {
 public:
  struct Rows {
    alignas(64) float offset[3 * kBlock], axis[3 * kBlock], rate[3 * kBlock], force[kBlock], contact_force[kBlock];
  };

  // of what `needs` names (agents::kDocking, agents::kContact); an error says what the flock lacks
  static core::Result<DockView> make(const Flock& f, unsigned needs);

  // the vehicles of a block that are below slot `n`
  void look(const Flock& f, std::size_t block, std::size_t n, Rows& to) const;
  bool is_docked(const Flock& f, std::size_t slot) const;
  void show(const Rows& rows, agents::AgentBlock& b) const;

 private:
  // the end of a cone or of a cylinder on its body
  struct End {
    std::size_t member = 0;  // of the scene, whose body it is on
    const ColumnInfo *attitude = nullptr, *omega = nullptr;
    math::Quat<double> q_BE{1, 0, 0, 0};  // z points out of the cone
  };
  struct Turned {
    math::Mat3<double> R_WE{};
    math::Vec3<double> omega_W{};
  };
  static Turned turned(const Flock& f, const End& end, std::size_t slot);
  void look_at_docking(const Flock& f, std::size_t slot, std::size_t lane, Rows& to, Turned& cone) const;

  bool docks_ = false, touches_ = false;
  End cone_, cylinder_;
  float bottom_ = 0, slope_ = 0;  // of the cone
  const ColumnInfo *offset_ = nullptr, *docked_ = nullptr, *wrench_ = nullptr, *attitude_ = nullptr;
};

}  // namespace volary::engine

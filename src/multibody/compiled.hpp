// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A model that MuJoCo has compiled, and how numbers of the scene and of MuJoCo, which orders bodies by its tree, belong together.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "multibody/model.hpp"
#include "multibody/mujoco.hpp"

namespace volary::multibody {

// What an instance depends on: these parts of MuJoCo's state, with the solver's warm start. Forces on bodies, motion capture and user data, which
// mjSTATE_INTEGRATION has too, are not used here and stay zero.
inline constexpr int kState = mjSTATE_TIME | mjSTATE_QPOS | mjSTATE_QVEL | mjSTATE_WARMSTART | mjSTATE_CTRL | mjSTATE_EQ_ACTIVE;

// and of these its motion; they do not say what time it is
inline constexpr int kMotion = mjSTATE_QPOS | mjSTATE_QVEL | mjSTATE_WARMSTART;

struct Delete {
  std::shared_ptr<const Library> library;
  void operator()(mjSpec* s) const { library->mj_deleteSpec(s); }
  void operator()(mjModel* m) const { library->mj_deleteModel(m); }
  void operator()(mjData* d) const { library->mj_deleteData(d); }
};
template <class T> using Owned = std::unique_ptr<T, Delete>;

class Compiled final : public Model, public std::enable_shared_from_this<Compiled> {
 public:
  Compiled(SceneDef scene, std::shared_ptr<const Library> library, Owned<mjModel> model);

  // before it: the state of the substep before, and whether there was one (instance.cpp)
  std::size_t state_size() const override { return 1 + 2 * numbers; }
  std::size_t motion_size() const override { return motion_numbers; }
  core::Result<std::unique_ptr<Instance>> make_instance() const override;

  static constexpr std::size_t kWorld = static_cast<std::size_t>(-1);
  struct Site {
    int id = 0, body = 0;
    Drive drive = Drive::None;
    int command = -1;  // the first of its actuators
  };

  std::shared_ptr<const Library> library;
  Owned<mjModel> model;
  std::size_t numbers = 0;         // of kState
  std::size_t motion_numbers = 0;  // of kMotion
  std::vector<int> bodies, joints; // MuJoCo's numbers; no joint: -1
  std::vector<Site> sites;
  std::vector<int> welds;
  struct Cable {
    int id = 0;
    std::array<std::size_t, 2> sites{};  // ours
  };
  std::vector<Cable> cables;
  std::vector<std::size_t> geom_of;   // by MuJoCo's number of a shape, ours
  std::vector<std::size_t> group_of;  // by our number of a shape; none: kWorld
};

// the scene as a specification of MuJoCo's, compiled
core::Result<Owned<mjModel>> compile(const SceneDef& scene, const std::shared_ptr<const Library>& library);

// Names that MuJoCo gets: kind and number in the scene
std::string internal_name(char kind, std::size_t number);

}  // namespace volary::multibody

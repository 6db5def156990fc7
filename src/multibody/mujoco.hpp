// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The only place where MuJoCo's headers are included, and the functions of the loaded library. For the files of this room that are compiled where the headers are.
#pragma once

#include <mujoco/mujoco.h>

#include <vector>

#include "core/result.hpp"
#include "multibody/library.hpp"

namespace volary::multibody {

#define VOLARY_MUJOCO_FUNCTIONS(X)                                                                                                                    \
  X(mj_version) X(mj_makeSpec) X(mj_deleteSpec) X(mj_compile) X(mj_deleteModel) X(mj_makeData) X(mj_deleteData) X(mj_resetData) X(mj_step)            \
  X(mj_kinematics) X(mj_comPos) X(mj_comVel) X(mj_objectVelocity) X(mj_contactForce) X(mj_stateSize) X(mj_getState) X(mj_setState) X(mj_name2id)      \
  X(mjs_findBody) X(mjs_addBody) X(mjs_addGeom) X(mjs_addSite) X(mjs_addJoint) X(mjs_addActuator) X(mjs_addEquality) X(mjs_addTendon) X(mjs_wrapSite) \
  X(mjs_setToMotor) X(mjs_setName) X(mjs_setString) X(mjs_getError)

struct Library {
#define VOLARY_MEMBER(name) decltype(&::name) name = nullptr;
  VOLARY_MUJOCO_FUNCTIONS(VOLARY_MEMBER)
#undef VOLARY_MEMBER
  // sets who is told of errors and warnings in this thread, and returns who was (trap.hpp)
  mjfLogHandler (*set_thread_handler)(mjfLogHandler) = nullptr;
  void* handle = nullptr;
};

}  // namespace volary::multibody

# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
#
# The room above MuJoCo. tools/get_mujoco.sh unpacks its headers and its library in build/mujoco; the library is loaded at run time and never linked. Without the
# headers the room is compiled in a form that refuses every scene; when they appear, the next build notices.
set(VOLARY_MUJOCO ${PROJECT_SOURCE_DIR}/build/mujoco)
set(VOLARY_MUJOCO_LIBRARY ${VOLARY_MUJOCO}/libmujoco.so.4.0.0)
file(GLOB header CONFIGURE_DEPENDS ${VOLARY_MUJOCO}/include/mujoco/mujoco.h)
if(header)
  volary_glob_room(multibody EXCLUDE refusing.cpp LINK volary_core fmt::fmt ${CMAKE_DL_LIBS})
  target_include_directories(volary_multibody SYSTEM PRIVATE ${VOLARY_MUJOCO}/include)
else()
  message(STATUS "no MuJoCo in build/mujoco: scenes of several bodies will be refused (tools/get_mujoco.sh)")
  volary_glob_room(multibody EXCLUDE compile.cpp library.cpp model.cpp simulated.cpp simulated_read.cpp simulated_state.cpp trap.cpp LINK volary_core fmt::fmt ${CMAKE_DL_LIBS})
endif()

# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
#
# What tools/aarch64.sh runs on two instruction sets: state hashes of scenarios, and digests of the scalar layer, one lane and four at a time.
# It needs the rooms from core to engine and scenario only.
add_executable(hashes EXCLUDE_FROM_ALL tests/aarch64/hashes.cpp)
target_link_libraries(hashes PRIVATE volary_scenario volary_engine)
target_compile_definitions(hashes PRIVATE VOLARY_SOURCE_DIR="${PROJECT_SOURCE_DIR}")

function(volary_digest name lanes)
  # the tests may have it already
  if(NOT TARGET math_lanes_${name})
    volary_lanes_object(math lanes_test_unit.cpp ${name} ${lanes} -O2 ${ARGN})
  endif()
  target_sources(hashes PRIVATE $<TARGET_OBJECTS:math_lanes_${name}>)
endfunction()
if(VOLARY_CPU STREQUAL aarch64)
  volary_digest(scalar 1)
  volary_digest(lanes4 4)
  target_compile_definitions(hashes PRIVATE VOLARY_FOUR_DOUBLES=digest_double_lanes4)
else()
  volary_digest(scalar 1 -mfma)
  volary_digest(lanes4 4 -mavx -mfma)
  volary_digest(lanes8 8 -mavx2 -mfma)
  target_compile_definitions(hashes PRIVATE VOLARY_FOUR_DOUBLES=digest_double_lanes8)
endif()

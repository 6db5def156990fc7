# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
#
# One test program per room from src/<room>/*_test.cpp, cross_tests from tests/*.cpp: a new test file needs no
# edit here. Nothing of it belongs to the default target; `all_tests` builds it.
enable_testing()
find_package(GTest REQUIRED)
find_package(rapidcheck QUIET)
include(GoogleTest)
add_custom_target(all_tests)
add_dependencies(all_tests volary)

set(VOLARY_TEST_LINK volary_cli GTest::gtest GTest::gtest_main)
if(TARGET rapidcheck)
  list(APPEND VOLARY_TEST_LINK rapidcheck)
endif()

function(volary_tests name)
  cmake_parse_arguments(TESTS "" "" "SOURCES;LINK" ${ARGN})
  if(NOT TESTS_SOURCES)
    return()
  endif()
  add_executable(${name}_tests EXCLUDE_FROM_ALL ${TESTS_SOURCES})
  target_link_libraries(${name}_tests PRIVATE ${VOLARY_TEST_LINK} ${TESTS_LINK})
  target_compile_definitions(${name}_tests PRIVATE VOLARY_PROGRAM="$<TARGET_FILE:volary>")
  gtest_discover_tests(${name}_tests TEST_PREFIX "${name}." WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600)
  add_dependencies(all_tests ${name}_tests)
endfunction()

foreach(room core environment control vehicles scenario engine cli)
  file(GLOB sources CONFIGURE_DEPENDS src/${room}/*_test.cpp)
  volary_tests(${room} SOURCES ${sources})
endforeach()
file(GLOB sources CONFIGURE_DEPENDS tests/*.cpp)
volary_tests(cross SOURCES ${sources})

# ---------------------------------------------------------------- math: against MPFR, and bits across lanes
file(GLOB sources CONFIGURE_DEPENDS src/math/*_test.cpp)
volary_tests(math SOURCES ${sources} LINK mpfr gmp)
set_source_files_properties(src/math/functions_test.cpp PROPERTIES COMPILE_OPTIONS "-O2;-mfma")
function(volary_lanes_unit name lanes)
  add_library(lanes_test_${name} OBJECT EXCLUDE_FROM_ALL src/math/lanes_test_unit.cpp)
  target_include_directories(lanes_test_${name} PRIVATE src include)
  target_link_libraries(lanes_test_${name} PRIVATE volary_arithmetic)
  target_compile_definitions(lanes_test_${name} PRIVATE VOLARY_ISA=${name} VOLARY_LANES=${lanes})
  target_compile_options(lanes_test_${name} PRIVATE ${ARGN})
  target_sources(math_tests PRIVATE $<TARGET_OBJECTS:lanes_test_${name}>)
endfunction()
if(TARGET math_tests)
  # GCC 12's own AVX-512 header trips the two warnings
  set(avx512 -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -Wno-uninitialized -Wno-maybe-uninitialized)
  volary_lanes_unit(scalar 1 -O2 -mfma -fno-tree-vectorize)
  volary_lanes_unit(scalar_o0 1 -O0 -mfma)
  volary_lanes_unit(lanes4 4 -O2 -mavx -mfma)
  volary_lanes_unit(lanes4_o0 4 -O0 -mavx -mfma)
  volary_lanes_unit(lanes8 8 -O2 -mavx2 -mfma)
  volary_lanes_unit(lanes8_o0 8 -O0 -mavx2 -mfma)
  volary_lanes_unit(lanes16 16 -O2 ${avx512})
  volary_lanes_unit(lanes16_o0 16 -O0 ${avx512})
endif()

# ---------------------------------------------------------------- what no unit test can see
add_test(NAME tools.layers COMMAND bash tools/check_layers.sh WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
add_test(NAME tools.libm COMMAND bash tools/check_libm.sh ${CMAKE_BINARY_DIR} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
add_test(NAME tools.isa COMMAND bash tools/check_isa.sh ${CMAKE_BINARY_DIR} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
if(VOLARY_SANITIZE)
  # a sanitizer adds symbols of its own to every object
  set_tests_properties(tools.libm tools.isa PROPERTIES DISABLED TRUE)
endif()
add_test(NAME verify.quick COMMAND volary verify --quick WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
add_test(NAME verify.whole COMMAND volary verify WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(verify.whole PROPERTIES LABELS long TIMEOUT 1200)
set_tests_properties(verify.quick PROPERTIES TIMEOUT 600)

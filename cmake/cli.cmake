# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
#
# The program, and the yardstick it measures itself against.
file(GLOB VOLARY_CLI_SOURCES CONFIGURE_DEPENDS src/cli/*.cpp)
list(FILTER VOLARY_CLI_SOURCES EXCLUDE REGEX "(_test|/main)\\.cpp$")

# everything but main(), so that tests can link it
volary_room(cli SOURCES ${VOLARY_CLI_SOURCES} benchmarks/probes.cpp
  LINK volary_scenario volary_engine fmt::fmt nlohmann_json::nlohmann_json CLI11::CLI11 Threads::Threads)
target_include_directories(volary_cli PUBLIC ${PROJECT_SOURCE_DIR})
target_compile_definitions(volary_cli PUBLIC VOLARY_VERSION="${PROJECT_VERSION}" VOLARY_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
# the streaming probe is a plain loop: without this it would measure the optimisation level
set_source_files_properties(benchmarks/probes.cpp PROPERTIES COMPILE_OPTIONS -O3)

add_executable(volary src/cli/main.cpp)
target_link_libraries(volary PRIVATE volary_cli)

# with exactly its own flags, whatever the preset: `volary bench` runs it from beside the program
add_executable(quadrotor_limit_cpu EXCLUDE_FROM_ALL benchmarks/quadrotor_limit_cpu.cpp)
target_compile_options(quadrotor_limit_cpu PRIVATE -O3 -march=native -ffp-contract=off -fno-math-errno -fno-trapping-math -pthread)
target_link_libraries(quadrotor_limit_cpu PRIVATE Threads::Threads)

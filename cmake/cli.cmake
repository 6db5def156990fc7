# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
#
# The program, and the yardstick it measures itself against.
file(GLOB VOLARY_CLI_SOURCES CONFIGURE_DEPENDS src/cli/*.cpp)
list(FILTER VOLARY_CLI_SOURCES EXCLUDE REGEX "(_test|/main)\\.cpp$")

# everything but main(), so that tests can link it
volary_room(cli SOURCES ${VOLARY_CLI_SOURCES} benchmarks/probes.cpp benchmarks/fma_rounds_${VOLARY_CPU}.cpp
  LINK ${VOLARY_EDGES} volary_scenario volary_engine volary_runner volary_learning fmt::fmt nlohmann_json::nlohmann_json CLI11::CLI11 Threads::Threads)
target_include_directories(volary_cli PUBLIC ${PROJECT_SOURCE_DIR})
target_compile_definitions(volary_cli PUBLIC VOLARY_VERSION="${PROJECT_VERSION}" VOLARY_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
# the streaming probe is a plain loop: without this it would measure the optimisation level
volary_own_flags(-O3 benchmarks/probes.cpp benchmarks/fma_rounds_${VOLARY_CPU}.cpp)

add_executable(volary src/cli/main.cpp)
target_link_libraries(volary PRIVATE volary_cli)

# compiled by the command in its own header, whatever the preset: `volary bench` runs it from beside the program
find_program(VOLARY_GXX g++)
add_custom_command(OUTPUT quadrotor_limit_cpu DEPENDS benchmarks/quadrotor_limit_cpu.cpp
  COMMAND ${VOLARY_GXX} -O3 -std=c++20 -march=native -ffp-contract=off -fno-math-errno -fno-trapping-math -pthread
          ${PROJECT_SOURCE_DIR}/benchmarks/quadrotor_limit_cpu.cpp -o quadrotor_limit_cpu)
add_custom_target(yardstick DEPENDS quadrotor_limit_cpu)

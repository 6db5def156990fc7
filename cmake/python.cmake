# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
#
# The module volary._core of the Python package (python/). It is linked from the rooms that are built anyway; only python/bindings is compiled for it. Kernels
# without optimisation, which `volary verify` compares, stay out: the list of backends is compiled once more without them.
set(Python_FIND_VIRTUALENV FIRST)
find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module)
execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir OUTPUT_VARIABLE nanobind_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
find_package(nanobind CONFIG REQUIRED)

file(GLOB bindings CONFIGURE_DEPENDS python/bindings/*.cpp)
nanobind_add_module(volary_python NB_STATIC NOMINSIZE EXCLUDE_FROM_ALL ${bindings} src/engine/backend.cpp)
set_target_properties(volary_python PROPERTIES OUTPUT_NAME _core)
string(REGEX REPLACE " X\\([a-z0-9]+_o0\\)" "" optimised "${VOLARY_BACKENDS}")
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/generated/optimised/engine/backend_list.hpp CONTENT "#define VOLARY_BACKENDS(X)${optimised}\n")
target_include_directories(volary_python BEFORE PRIVATE ${CMAKE_BINARY_DIR}/generated/optimised)
target_link_libraries(volary_python PRIVATE volary_cli)
target_link_options(volary_python PRIVATE -Wl,--exclude-libs,ALL)
if(VOLARY_SANITIZE)
  target_link_options(volary_python PRIVATE -shared-libasan)  # tools/python_tests.sh loads the runtime before the interpreter
else()
  target_link_options(volary_python PRIVATE -Wl,--gc-sections -Wl,-s)
endif()

# types for editors and checkers, from the module itself
nanobind_add_stub(volary_python_stub MODULE _core OUTPUT ${CMAKE_BINARY_DIR}/_core.pyi PYTHON_PATH $<TARGET_FILE_DIR:volary_python> DEPENDS volary_python)

# ---------------------------------------------------------------- shared libraries of the system that the wheel carries (tools/python_package.sh)
add_library(volary_no_jbig SHARED EXCLUDE_FROM_ALL cmake/no_jbig.cpp)
set_target_properties(volary_no_jbig PROPERTIES OUTPUT_NAME jbig SOVERSION 0 LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/wheel_libraries)
set(notices ${CMAKE_BINARY_DIR}/third_party_libraries.txt)
add_custom_command(OUTPUT ${notices} DEPENDS volary_python volary_no_jbig tools/wheel_notices.sh
  COMMAND bash ${PROJECT_SOURCE_DIR}/tools/wheel_notices.sh $<TARGET_FILE:volary_python> ${CMAKE_BINARY_DIR}/wheel_libraries ${notices} VERBATIM)
add_custom_target(volary_wheel DEPENDS ${notices})
add_dependencies(volary_wheel volary_python_stub)

# ---------------------------------------------------------------- what the wheel holds (python/pyproject.toml asks for this component)
install(TARGETS volary_python LIBRARY DESTINATION volary COMPONENT python EXCLUDE_FROM_ALL)
install(FILES ${CMAKE_BINARY_DIR}/_core.pyi DESTINATION volary COMPONENT python EXCLUDE_FROM_ALL)
install(FILES ${notices} DESTINATION volary/share/volary COMPONENT python EXCLUDE_FROM_ALL)
set(share volary/share/volary)
# MuJoCo beside the module, where src/multibody/library_files.cpp looks first
install(FILES ${VOLARY_MUJOCO_LIBRARY} DESTINATION volary COMPONENT python EXCLUDE_FROM_ALL OPTIONAL)
install(FILES ${VOLARY_MUJOCO}/LICENSE ${VOLARY_MUJOCO}/LICENSES_THIRD_PARTY.md DESTINATION ${share}/mujoco COMPONENT python EXCLUDE_FROM_ALL OPTIONAL)
install(DIRECTORY assets scenarios schema DESTINATION ${share} COMPONENT python EXCLUDE_FROM_ALL)
install(DIRECTORY web/dist DESTINATION ${share}/web COMPONENT python EXCLUDE_FROM_ALL OPTIONAL)
install(PROGRAMS tools/install_broker.sh DESTINATION ${share}/tools COMPONENT python EXCLUDE_FROM_ALL)

# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
#
# The library for other programs, volary::volary: one shared library made of the rooms that the public headers speak of, and the installation. Rooms and what
# they need are linked PRIVATE: neither flags nor dependencies reach those who use it. The program is made of the same rooms and does not need the library.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

add_library(volary_library SHARED cmake/library.cpp)
add_library(volary::volary ALIAS volary_library)
set_target_properties(volary_library PROPERTIES OUTPUT_NAME volary EXPORT_NAME volary VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_compile_features(volary_library INTERFACE cxx_std_20)
target_include_directories(volary_library INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

# rooms with public functions are taken whole, because nothing inside the library calls them
set(VOLARY_PUBLIC_ROOMS engine scenario replay learning)
foreach(room ${VOLARY_PUBLIC_ROOMS})
  list(APPEND archives $<TARGET_FILE:volary_${room}>)
  add_dependencies(volary_library volary_${room})
  target_link_libraries(volary_library PRIVATE volary_${room})
endforeach()
list(JOIN archives "," archives)
target_link_options(volary_library PRIVATE "-Wl,--whole-archive,${archives},--no-whole-archive")
# the public functions alone: templates of the standard library in our objects are nobody else's
target_link_options(volary_library PRIVATE "-Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/library.map")
if(NOT VOLARY_SANITIZE)
  target_link_options(volary_library PRIVATE "-Wl,-z,defs")
endif()
foreach(room ${VOLARY_PUBLIC_ROOMS})
  list(APPEND link_depends $<TARGET_FILE:volary_${room}>)
endforeach()
set_target_properties(volary_library PROPERTIES LINK_DEPENDS "${link_depends};${PROJECT_SOURCE_DIR}/cmake/library.map")

# ---------------------------------------------------------------- installation
option(VOLARY_INSTALL "make rules that install program, library and files" ${PROJECT_IS_TOP_LEVEL})
if(NOT VOLARY_INSTALL)
  return()
endif()
# PREFIX/share/volary is laid out as the source tree: core/home.hpp finds it beside the program or library, wherever the prefix was moved to.
set(share ${CMAKE_INSTALL_DATADIR}/volary)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/volary)
install(TARGETS volary RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS volary_library EXPORT volary LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/volary DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY assets scenarios schema DESTINATION ${share})
install(DIRECTORY web/dist DESTINATION ${share}/web OPTIONAL)
install(FILES tests/hashes.json DESTINATION ${share}/tests)  # for `volary verify`
install(PROGRAMS tools/install_broker.sh DESTINATION ${share}/tools)
install(FILES LICENSE THIRD_PARTY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
# MuJoCo, which src/multibody/library_files.cpp finds from program and library alike, with its licences
install(FILES ${VOLARY_MUJOCO_LIBRARY} DESTINATION lib/volary OPTIONAL)
install(FILES ${VOLARY_MUJOCO}/LICENSE ${VOLARY_MUJOCO}/LICENSES_THIRD_PARTY.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/mujoco OPTIONAL)

install(EXPORT volary NAMESPACE volary:: FILE volaryConfig.cmake DESTINATION ${package})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/volaryConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/volaryConfigVersion.cmake DESTINATION ${package})

# pkg-config's own prefix is where its file lies
file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" VOLARY_PC_UP "${up}")
configure_file(cmake/volary.pc.in ${CMAKE_CURRENT_BINARY_DIR}/volary.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/volary.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

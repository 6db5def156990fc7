# The numbered examples: built and run by the tests, and using only include/volary. 03_my_controller is a project of its own (tests/library_install.sh).
file(GLOB VOLARY_EXAMPLES CONFIGURE_DEPENDS examples/*.cpp)
foreach(source ${VOLARY_EXAMPLES})
  get_filename_component(name ${source} NAME_WE)
  add_executable(example_${name} EXCLUDE_FROM_ALL ${source})
  target_link_libraries(example_${name} PRIVATE volary_scenario volary_engine volary_learning)
  # only the public headers: src/ is not on the path
  set_target_properties(example_${name} PROPERTIES INCLUDE_DIRECTORIES "${PROJECT_SOURCE_DIR}/include")
  target_compile_definitions(example_${name} PRIVATE VOLARY_EXAMPLE_DIR="${PROJECT_SOURCE_DIR}")
  add_dependencies(all_tests example_${name})
  add_test(NAME example.${name} COMMAND example_${name})
endforeach()

# a program that is no part of a federation reads its frames with libmosquitto alone; tests/federation_api.test.mjs runs it
add_executable(example_federation_frames EXCLUDE_FROM_ALL examples/federation/aligned_frames.cpp)
target_link_libraries(example_federation_frames PRIVATE ${VOLARY_MOSQUITTO})
add_dependencies(all_tests example_federation_frames)

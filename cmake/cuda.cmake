# The parity program: the same kernels on a GPU. Needs nvcc (set CUDACXX when it is not on the PATH); compiles without a GPU.
# before the language is enabled, or CMake takes the compiler's own default, which a newer GPU may not run
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 90)
endif()
enable_language(CUDA)
# CMake 3.25 drops the C++20 flag for nvcc in silence
set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
add_executable(parity src/engine/parity.cu src/engine/parity_main.cpp)
set_target_properties(parity PROPERTIES CUDA_STANDARD 20 CUDA_ARCHITECTURES "${CMAKE_CUDA_ARCHITECTURES}")
target_compile_definitions(parity PRIVATE VOLARY_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_include_directories(parity PRIVATE src include)
target_compile_options(parity PRIVATE
  $<$<COMPILE_LANGUAGE:CUDA>:-fmad=false --expt-relaxed-constexpr -Xcompiler=-ffp-contract=off>)
target_link_libraries(parity PRIVATE volary_scenario volary_engine)

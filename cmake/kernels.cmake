# One object library per instruction set, each with its own flags and namespace (see src/math/scalar.hpp), and
# once more without optimisation for `volary verify`.
#
# The four -fno-... flags keep GCC from hoisting parameters out of the block loop into stack slots: they
# are read from the first-level cache at each use instead. Measured: +20 to +35 % at 8 and 16 lanes. Clang needs none.
set(VOLARY_KERNEL_TUNING -O3)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  list(APPEND VOLARY_KERNEL_TUNING -fno-tree-pre -fno-gcse -fno-tree-loop-im -fno-move-loop-invariants)
endif()

# Three units each: the programs of vehicles, those of vehicles with an IMU, and sensors with estimators. One after the other they would be the longest part of a build.
function(volary_add_kernels name lanes optimised)
  volary_add_kernel_unit(kernels_${name} kernels.cpp 0 ${name} ${lanes} ${optimised} ${ARGN})
  volary_add_kernel_unit(sensed_kernels_${name} kernels.cpp 1 ${name} ${lanes} ${optimised} ${ARGN})
  volary_add_kernel_unit(sense_kernels_${name} sense_kernels.cpp 0 ${name} ${lanes} ${optimised} ${ARGN})
  set(VOLARY_BACKENDS "${VOLARY_BACKENDS} X(${name})" PARENT_SCOPE)
endfunction()

function(volary_add_kernel_unit target source sensed name lanes optimised)
  add_library(${target} OBJECT src/engine/${source})
  target_include_directories(${target} PRIVATE src include)
  target_link_libraries(${target} PRIVATE volary_arithmetic)
  target_compile_definitions(${target} PRIVATE VOLARY_ISA=${name} VOLARY_LANES=${lanes} VOLARY_OPTIMISED=${optimised} VOLARY_SENSED=${sensed})
  if(optimised)
    target_compile_options(${target} PRIVATE ${VOLARY_KERNEL_TUNING} ${ARGN})
  else()
    target_compile_options(${target} PRIVATE -O0 ${ARGN})
  endif()
  if(lanes EQUAL 16 AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # GCC 12's own AVX-512 header trips these two
    target_compile_options(${target} PRIVATE -Wno-uninitialized -Wno-maybe-uninitialized)
  endif()
  if(VOLARY_SANITIZE)
    target_compile_options(${target} PRIVATE -O1 -g0 $<$<CXX_COMPILER_ID:Clang>:-fno-sanitize=fuzzer-no-link>)
    if(lanes GREATER 1)
      target_compile_options(${target} PRIVATE -fno-sanitize=undefined)  # the scalar kernels look for undefined behaviour in the same lines
    endif()
  endif()
  target_sources(volary_engine PRIVATE $<TARGET_OBJECTS:${target}>)
endfunction()

# volary_lanes_object(ROOM SOURCE NAME LANES [FLAG...]): a test's unit of one instruction set, in the same way
function(volary_lanes_object room source name lanes)
  set(target ${room}_lanes_${name})
  add_library(${target} OBJECT EXCLUDE_FROM_ALL src/${room}/${source})
  target_include_directories(${target} PRIVATE src include)
  target_link_libraries(${target} PRIVATE volary_arithmetic)
  target_compile_definitions(${target} PRIVATE VOLARY_ISA=${name} VOLARY_LANES=${lanes})
  target_compile_options(${target} PRIVATE ${ARGN})
endfunction()

# in the order of preference, the best last
set(VOLARY_BACKENDS "")
if(VOLARY_CPU STREQUAL aarch64)
  # every such CPU has fused multiply-adds and NEON
  volary_add_kernels(scalar 1 1)
  volary_add_kernels(lanes4 4 1)
elseif(VOLARY_SANITIZE)
  # with a sanitizer the kernels of one instruction set compile for up to ten minutes: two of them see every line
  volary_add_kernels(scalar 1 1 -mavx -mfma)
  volary_add_kernels(lanes8 8 1 -mavx2 -mfma)
else()
  volary_add_kernels(soft 1 1 -O1)
  volary_add_kernels(scalar 1 1 -mavx -mfma)
  volary_add_kernels(lanes4 4 1 -mavx -mfma)
  volary_add_kernels(lanes8 8 1 -mavx2 -mfma)
  volary_add_kernels(lanes16 16 1 -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma)
  volary_add_kernels(scalar_o0 1 0 -mavx -mfma)
  volary_add_kernels(lanes8_o0 8 0 -mavx2 -mfma)
endif()
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/generated/engine/backend_list.hpp CONTENT "#define VOLARY_BACKENDS(X)${VOLARY_BACKENDS}\n")
target_include_directories(volary_engine PRIVATE ${CMAKE_BINARY_DIR}/generated)

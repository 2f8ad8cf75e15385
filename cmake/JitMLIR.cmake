# Finds LLVM and MLIR and defines `jit_mlir`, the interface library through which everything links them:
# the shared libraries for development, the component archives for a self-contained release.

# LLVM's own files look for it.
set(ZLIB_USE_STATIC_LIBS ${JIT_STATIC})
# MLIRConfigVersion wants major.minor: a bare `22` is refused.
find_package(MLIR 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)
separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND ${LLVM_DEFINITIONS})
add_definitions(${LLVM_DEFINITIONS_LIST})

add_library(jit_mlir INTERFACE)
target_include_directories(jit_mlir SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
if(JIT_STATIC)
  include(JitStaticMLIR)
else()
  # Linking MLIR alone leaves LLVM's own symbols undefined.
  target_link_libraries(jit_mlir INTERFACE MLIR LLVM)
endif()
if(JIT_SANITIZE)
  add_library(jit_asan_options OBJECT ${CMAKE_CURRENT_LIST_DIR}/AsanOptions.c)
  target_sources(jit_mlir INTERFACE
    $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:$<TARGET_OBJECTS:jit_asan_options>>)
endif()

# Precompiled headers: nine tenths of the time of a source that includes MLIR are MLIR's own headers.
#   jit_precompile(<Group> [EXCEPTIONS] [DEPENDS <targets>...])          compiles cmake/precompiled/<Group>.h
#   jit_use_precompiled(<target> <Group>)
# A source still includes what it uses: JIT_PRECOMPILED=OFF compiles it without.
option(JIT_PRECOMPILED "Compile headers that are read often once for groups of libraries" ON)
# CMake would also name the header through -Xclang, an absolute path that ccache cannot make relative.
set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH "-include-pch;<PCH_FILE>")

# The text of all headers of LLVM and MLIR as one hash. ccache takes it for what a precompiled header holds of them, as its own
# bytes name the folder it was made in, so that objects serve every checkout; headers of ours it looks at one by one.
function(jit_hash_upstream_headers result)
  execute_process(
    COMMAND sh -c "find \"$1\" -type f -print0 | LC_ALL=C sort -z | xargs -0 cat | sha256sum" sh ${LLVM_INCLUDE_DIRS}
    OUTPUT_VARIABLE hash OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(${result} ${hash} PARENT_SCOPE)
endfunction()

function(jit_precompile group)
  cmake_parse_arguments(arg "EXCEPTIONS" "" "DEPENDS" ${ARGN})
  if(NOT JIT_PRECOMPILED)
    return()
  endif()
  set(header ${CMAKE_SOURCE_DIR}/cmake/precompiled/${group}.h)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/precompiled${group}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "// Holds the options that ${group}.h is compiled with.\n")
  set(target JitPrecompiled${group})
  add_library(${target} OBJECT ${source})
  target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  if(arg_DEPENDS)
    add_dependencies(${target} ${arg_DEPENDS})
  endif()
  if(NOT arg_EXCEPTIONS)
    target_compile_options(${target} PRIVATE -fno-exceptions)
  endif()
  # Headers of ours by paths from the build's folder, in which ninja works: ccache finds them so from every checkout.
  set_target_properties(${target} PROPERTIES INCLUDE_DIRECTORIES "")
  foreach(folder ${CMAKE_SOURCE_DIR}/include ${CMAKE_BINARY_DIR}/include)
    file(RELATIVE_PATH relative ${CMAKE_BINARY_DIR} ${folder})
    target_compile_options(${target} PRIVATE -I${relative})
  endforeach()
  target_include_directories(${target} SYSTEM PRIVATE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  # Found by its name: the text that CMake writes around it is a part of each object's key in ccache.
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/cmake/precompiled)
  target_precompile_headers(${target} PRIVATE <${group}.h>)
  # Its bytes name this checkout.
  set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "")
  file(READ ${header} text)
  foreach(other Mlir Graph)
    file(READ ${CMAKE_SOURCE_DIR}/cmake/precompiled/${other}.h included)
    string(APPEND text "${included}")
  endforeach()
  jit_hash_upstream_headers(upstream)
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/cmake_pch.hxx.pch.sum
    CONTENT "${upstream} ${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_CXX_FLAGS} ${JIT_SANITIZE}\n${text}" @ONLY)
endfunction()

function(jit_use_precompiled target group)
  if(JIT_PRECOMPILED)
    target_precompile_headers(${target} REUSE_FROM JitPrecompiled${group})
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
  endif()
endfunction()

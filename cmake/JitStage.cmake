# jit_add_library(<Name> [PRECOMPILED <Group>] [FOLDERS <folders>...] [LINK <libs>...]) - the sources of this folder
# (lib/<path>/*.cpp), and of folders in it that are named, as the static library Jit<Name>, compiled with the precompiled headers of
# a group if one is named. New files are picked up at the next build; nothing else has to be listed. EXCEPTIONS: what it owns is freed where memory is exhausted (jit/OutOfMemory.h).
function(jit_add_library name)
  cmake_parse_arguments(arg "EXCEPTIONS" "PRECOMPILED" "FOLDERS;LINK;DEPENDS" ${ARGN})
  set(patterns ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  foreach(folder ${arg_FOLDERS})
    list(APPEND patterns ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  add_library(Jit${name} STATIC ${sources})
  if(NOT arg_EXCEPTIONS)
    target_compile_options(Jit${name} PRIVATE -fno-exceptions)
  endif()
  target_link_libraries(Jit${name} PUBLIC ${arg_LINK})
  if(arg_DEPENDS)
    add_dependencies(Jit${name} ${arg_DEPENDS})
  endif()
  if(arg_PRECOMPILED)
    jit_use_precompiled(Jit${name} ${arg_PRECOMPILED})
  endif()
endfunction()

# jit_check_names(<variable> <names>...) - an error where the list has other names.
function(jit_check_names variable)
  foreach(name ${${variable}})
    if(NOT name IN_LIST ARGN)
      message(FATAL_ERROR "${variable}: expected some of ${ARGN}, got '${name}'")
    endif()
  endforeach()
endfunction()

# jit_part_folder(<part> <folder> <result>) - the folder of a part that the build has, `Absent` where it is without.
function(jit_part_folder part folder result)
  if(NOT part IN_LIST JIT_PARTS)
    cmake_path(GET folder PARENT_PATH parent)
    cmake_path(APPEND parent Absent OUTPUT_VARIABLE folder)
  endif()
  set(${result} ${folder} PARENT_SCOPE)
endfunction()

# jit_tablegen(<target> <file.td relative to include/jit> <output.inc> <mlir-tblgen options>...)
# writes build/include/jit/<dir of file>/<output>; call it once per output, then add_custom_target collects them.
function(jit_tablegen td output)
  get_filename_component(dir ${td} DIRECTORY)
  set(LLVM_TARGET_DEFINITIONS ${CMAKE_SOURCE_DIR}/include/jit/${td})
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/include/jit/${dir})
  set(TABLEGEN_OUTPUT)
  # mlir_tablegen writes relative to the current binary directory.
  file(RELATIVE_PATH out ${CMAKE_CURRENT_BINARY_DIR} ${CMAKE_BINARY_DIR}/include/jit/${dir}/${output})
  mlir_tablegen(${out} ${ARGN} EXTRA_INCLUDES ${CMAKE_SOURCE_DIR}/include ${MLIR_INCLUDE_DIRS})
  set(jit_tablegen_outputs ${jit_tablegen_outputs} ${TABLEGEN_OUTPUT} PARENT_SCOPE)
endfunction()

# jit_add_stage(<Name> PRECOMPILED <Group> [LINK <libs>...]) - one stage of the compiler: its passes' declarations from
# include/jit/<Name>/Passes.td, and its library.
function(jit_add_stage name)
  cmake_parse_arguments(arg "" "PRECOMPILED" "LINK" ${ARGN})
  set(jit_tablegen_outputs)
  jit_tablegen(${name}/Passes.td Passes.h.inc -gen-pass-decls -name Jit${name})
  add_custom_target(Jit${name}PassesIncGen DEPENDS ${jit_tablegen_outputs})
  jit_add_library(${name} PRECOMPILED ${arg_PRECOMPILED} LINK JitAten JitDialect jit_mlir ${arg_LINK} DEPENDS Jit${name}PassesIncGen)
endfunction()

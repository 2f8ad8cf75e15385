# The static form of `jit_mlir`. The exported MLIR archives carry the LLVM shared library in their link interface, and a few
# (the execution engine, the runner, the test libraries) the MLIR one as well: two copies of every TypeID. So strip both
# from every archive, in either of the two ways to write them, leave those few out, and add LLVM's own component archives.
get_property(jit_all_mlir GLOBAL PROPERTY MLIR_ALL_LIBS)
foreach(lib ${jit_all_mlir})
  if(TARGET ${lib})
    get_target_property(needs ${lib} INTERFACE_LINK_LIBRARIES)
    if(needs)
      list(REMOVE_ITEM needs LLVM MLIR "$<LINK_ONLY:LLVM>" "$<LINK_ONLY:MLIR>")
      set_target_properties(${lib} PROPERTIES INTERFACE_LINK_LIBRARIES "${needs}")
    endif()
  endif()
endforeach()

get_property(jit_dialect_libs GLOBAL PROPERTY MLIR_DIALECT_LIBS)
get_property(jit_conversion_libs GLOBAL PROPERTY MLIR_CONVERSION_LIBS)
get_property(jit_extension_libs GLOBAL PROPERTY MLIR_EXTENSION_LIBS)
set(jit_mlir_libs ${jit_dialect_libs} ${jit_conversion_libs} ${jit_extension_libs})
list(FILTER jit_mlir_libs EXCLUDE REGEX "Test")
llvm_map_components_to_libnames(jit_llvm_libs
  Core Support OrcJIT Passes X86 NVPTX native Linker IRReader BitWriter TargetParser Target AsmParser BitReader
  FrontendOpenMP FrontendAtomic)
# lld makes all targets of its LLVM ready, for bitcode that we never give it. Those that we do not compile for do nothing.
set(jit_absent_targets ${LLVM_TARGETS_TO_BUILD})
list(REMOVE_ITEM jit_absent_targets X86 NVPTX ${LLVM_NATIVE_ARCH})
set(jit_absent_functions)
foreach(target ${jit_absent_targets})
  foreach(part TargetInfo Target TargetMC AsmPrinter AsmParser)
    string(APPEND jit_absent_functions "void LLVMInitialize${target}${part}(void);\nvoid LLVMInitialize${target}${part}(void) {}\n")
  endforeach()
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/AbsentTargets.c CONTENT "${jit_absent_functions}" @ONLY)
add_library(jit_absent_targets STATIC ${CMAKE_CURRENT_BINARY_DIR}/AbsentTargets.c)
target_link_libraries(jit_mlir INTERFACE
  ${jit_mlir_libs}
  MLIROptLib MLIRParser MLIRPass MLIRTransforms MLIRTranslateLib MLIRTargetLLVMIRExport
  MLIRLLVMToLLVMIRTranslation MLIRNVVMToLLVMIRTranslation MLIRBuiltinToLLVMIRTranslation MLIRExecutionEngineUtils
  ${jit_llvm_libs} jit_absent_targets)
target_link_options(jit_mlir INTERFACE -static-libstdc++ -Wl,--gc-sections -Wl,--as-needed)

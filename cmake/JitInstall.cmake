# What `cmake --install` puts where find_package(Jit CONFIG) finds it: a component for each way to embed.
#   cmake --install build/release --prefix DIR [--component Runtime|Import|Compiler]
include(CMakePackageConfigHelpers)
set(jit_config_dir lib/cmake/Jit)
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/JitConfig.cmake.in ${CMAKE_BINARY_DIR}/JitConfig.cmake
  INSTALL_DESTINATION ${jit_config_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/JitConfigVersion.cmake COMPATIBILITY SameMinorVersion)

foreach(component Runtime Import Compiler)
  install(EXPORT Jit${component} NAMESPACE Jit:: FILE Jit${component}Targets.cmake DESTINATION ${jit_config_dir}
    COMPONENT ${component})
  install(FILES ${CMAKE_BINARY_DIR}/JitConfig.cmake ${CMAKE_BINARY_DIR}/JitConfigVersion.cmake DESTINATION ${jit_config_dir}
    COMPONENT ${component})
endforeach()
foreach(component Runtime Compiler)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/jit-c DESTINATION include COMPONENT ${component})
endforeach()
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/jit/Archive DESTINATION include/jit COMPONENT Import)
install(FILES ${CMAKE_SOURCE_DIR}/include/jit/Result.h ${CMAKE_SOURCE_DIR}/include/jit/ScalarType.h
              ${CMAKE_SOURCE_DIR}/include/jit/TensorLimits.h DESTINATION include/jit
  COMPONENT Import)

# What a statically linked libjit is made of, and on which terms.
if(JIT_STATIC)
  foreach(package llvm-22-dev libstdc++-12-dev libzip-dev libzstd-dev zlib1g-dev nlohmann-json3-dev)
    configure_file(/usr/share/doc/${package}/copyright ${CMAKE_BINARY_DIR}/notices/${package} COPYONLY)
  endforeach()
  install(DIRECTORY ${CMAKE_BINARY_DIR}/notices DESTINATION share/doc/jit-mlir COMPONENT Compiler)
endif()

# A .tar.gz and a .deb of all components: cpack --config build/release/CPackConfig.cmake. scripts/wheel has built what they take.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
add_custom_target(jit-installed DEPENDS jit jit_runtime JitArchive jit-cache jit-compile jit-diff jit-opt jit-reduce jit-run jit-translate)
set(CPACK_PACKAGE_NAME jit-mlir)
set(CPACK_PACKAGE_CONTACT "the JIT project")
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
# What its programs need of the C library is looked up, not written here.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/lib)
include(CPack)

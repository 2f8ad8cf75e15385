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
install(TARGETS jit-cache jit-compile jit-run jit-translate jit-opt RUNTIME DESTINATION bin COMPONENT Compiler)

// Mlir.h for a library that is compiled with exceptions: cmake/JitPrecompile.cmake.
#include "Mlir.h"

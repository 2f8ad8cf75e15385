// Graph.h for a library that is compiled with exceptions: cmake/JitPrecompile.cmake.
#include "Graph.h"

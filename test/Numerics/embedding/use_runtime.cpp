// Opens the artifact that it is given and calls it with four numbers.
#include "jit-c/Artifact.hpp"
#include "jit-c/Runtime.h"

#include <cstdio>

int main(int, char **argv) try {
  jit_library *library;
  jit_error error;
  if (jit_library_open(argv[1], &library, &error) != JIT_OK)
    throw jit_c::Error(error);
  {
    std::array<float, 4> x = {-1, 2, -3, 4}, y;
    jit_c::Module module(jit_library_table(library));
    module.call("forward", {jit_c::Array<float>(x, {4})}, jit_c::Array<float>(y, {4}));
    std::printf("%g %g %g %g\n", y[0], y[1], y[2], y[3]);
  }
  jit_library_close(library);
} catch (const jit_c::Error &error) {
  std::printf("error: %s\n", error.what());
  return 1;
}

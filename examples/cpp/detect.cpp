// Speech or not? Raw 16 kHz samples (float32) in, a probability for each 32 ms out.
#include "libsilero.h"

#include "jit-c/Artifact.hpp"

#include <cstdio>
#include <iostream>

int main() try {
  jit_c::Module detector(jit_artifact());
  std::array<float, 512> chunk;
  std::array<float, 1> probability;
  while (std::cin.read(reinterpret_cast<char *>(chunk.data()), sizeof chunk)) {
    detector.call("forward", {jit_c::Array<float>(chunk, {1, 512}), jit_c::value(int64_t(16000))},
                  jit_c::Array<float>(probability, {1, 1}));
    std::printf("%.6f\n", probability[0]);
  }
} catch (const jit_c::Error &error) {
  std::cerr << error.what() << '\n';
  return 1;
}

//===- Kernels.h - kernels of a few lines on the machine --------*- C++ -*-===//
#ifndef JIT_UNITTESTS_PTX_KERNELS_H
#define JIT_UNITTESTS_PTX_KERNELS_H

#include "Machine.h"

#include <cstring>

namespace ptx {

/// A kernel `run(to)` with these statements, between what gives %rd0 the address `to` in device
/// memory and %r0 the thread's number, and `ret`.
inline std::string kernelOf(const std::string &statements, const std::string &globals = "") {
  return ".version 8.0\n.target sm_90a\n.address_size 64\n" + globals +
         "\n.visible .entry run(.param .u64 to)\n{\n"
         ".reg .pred %p<8>;\n.reg .b16 %rs<8>;\n.reg .b32 %r<32>;\n.reg .b64 %rd<16>;\n"
         "ld.param.b64 %rd0, [to];\ncvta.to.global.u64 %rd0, %rd0;\nmov.u32 %r0, %tid.x;\n" +
         statements + "\nret;\n}\n";
}

/// What came of a kernel: its error, or the first `words` words of its result.
struct Outcome {
  std::string error;
  std::vector<uint32_t> words;
};

inline Outcome runText(const std::string &text, uint32_t threads, size_t words, uint32_t blocks = 1,
                       size_t dynamicShared = 0, uint64_t seed = 0, bool isCooperative = false) {
  Machine machine(seed);
  Outcome outcome;
  std::unique_ptr<Module> module = machine.load(text, outcome.error);
  if (!module)
    return outcome;
  uint64_t to = machine.memory.allocate(words * 4);
  Launch launch = {
      {blocks, 1, 1}, {threads, 1, 1}, dynamicShared, std::vector<uint8_t>(8), isCooperative};
  std::memcpy(launch.parameters.data(), &to, sizeof to);
  outcome.error = machine.launch(*module, *module->functions.at("run"), launch);
  auto *data = reinterpret_cast<uint32_t *>(to);
  outcome.words.assign(data, data + words);
  return outcome;
}

inline Outcome runStatements(const std::string &statements, uint32_t threads, size_t words,
                             const std::string &globals = "") {
  return runText(kernelOf(statements, globals), threads, words);
}

} // namespace ptx

#endif // JIT_UNITTESTS_PTX_KERNELS_H

//===- InputSpec.h - values written on the command line ---------*- C++ -*-===//
#ifndef JIT_TOOLS_JIT_RUN_INPUTSPEC_H
#define JIT_TOOLS_JIT_RUN_INPUTSPEC_H

#include "jit/Runtime/Value.h"

#include <random>
#include <string_view>

namespace jit {

/// Reads one --input:
///
///     @file.npy            the array in a file
///     f32[1,3,224,224]     random numbers (normal; 0..9 for integers), seeded
///     16000  1.5  true  none  "text"
///     [A, B]  (A, B)       a list, a tuple
///
/// An error says what was expected and where in the text.
Result<runtime::Value> parseInput(std::string_view text, std::mt19937_64 &random);

} // namespace jit

#endif // JIT_TOOLS_JIT_RUN_INPUTSPEC_H

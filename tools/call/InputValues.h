//===- InputValues.h - values written on the command line -------*- C++ -*-===//
#ifndef JIT_TOOLS_CALL_INPUTVALUES_H
#define JIT_TOOLS_CALL_INPUTVALUES_H

#include "jit/Runtime/Value.h"

#include <random>
#include <string_view>

namespace jit {

/// Makes the value that an --input says in the grammar of docs/call-spec.md: of `@file.npy` the
/// array in the file, of a tensor random numbers (normal; 0..9 for integers), seeded by `random`.
/// InvalidArgument for a spec of more than one value (`?int`, `f32[n]`, strides), Io and Malformed
/// for files.
Result<runtime::Value> makeInput(std::string_view text, std::mt19937_64 &random);

/// The values of all --input of a command line; `seed` is that of random numbers. An error names
/// the input.
Result<std::vector<runtime::Value>> makeInputs(const std::vector<std::string> &texts,
                                               uint64_t seed);

} // namespace jit

#endif // JIT_TOOLS_CALL_INPUTVALUES_H

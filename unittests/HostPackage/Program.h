//===- Program.h - a package written by hand --------------------*- C++ -*-===//
//
// Its methods, each with the calls that there are:
//   both(x: f32[4])        x + 1 and 2 * x
//   sum(x: f32[n,m])       the sum of its elements, an f32[]
//   square(n: int)         n as f32[n,n]
//   borrow(bytes: int)     as many bytes of scratch memory, and the number again
//   add(x: f32[4])         adds x to the state `total`, and gives it
//   real(z: c64[2])        the real part of its first element, an f32[]
//   share(count: int)      how many numbers below `count` the threads have come by
//   columns(x: f32[2,2]:strides[1,3])    writes x twice as large to x, and depends on strides
//   parts(x: f32[3]:strides[1]:part[0,0,4], y: f32[3]:strides[1]:part[0,1,4])    the same
//   pair(x: f32[2,2])                    the same, and depends on no strides
//   any(x: f32[2,2]:strides[?,?])        2 * x
//
//===----------------------------------------------------------------------===//
#ifndef JIT_UNITTESTS_HOSTPACKAGE_PROGRAM_H
#define JIT_UNITTESTS_HOSTPACKAGE_PROGRAM_H

extern "C" {
#include "Module.h"

// NOLINTBEGIN(readability-identifier-naming): names of C
jit_status jit_artifact_open(const jit_open_options *options, jit_module **module,
                             jit_error *error);
void jit_artifact_close(jit_module *module);
jit_status jit_artifact_call(jit_module *module, const char *method, const jit_value *arguments,
                             size_t count, jit_value *results, size_t result_count,
                             jit_error *error);
jit_status jit_artifact_state(jit_module *module, const char *path, jit_value *value,
                              jit_error *error);
void jit_artifact_reset(jit_module *module);
// NOLINTEND(readability-identifier-naming)
}

#include <string>
#include <vector>

/// An instance, closed at its end.
struct Module {
  explicit Module(uint32_t threads = 1);
  ~Module() { jit_artifact_close(handle); }
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;

  /// The status, and what went wrong in `error`.
  jit_status call(const char *method, std::vector<jit_value> arguments,
                  std::vector<jit_value> &results);

  jit_module *handle = nullptr;
  jit_error error = {};
};

/// A row-major f32 tensor; the sizes have to live as long as the value.
jit_value tensorValue(float *data, const std::vector<int64_t> &sizes);
/// The same with strides, which have to live as long, too.
jit_value tensorValue(float *data, const std::vector<int64_t> &sizes,
                      const std::vector<int64_t> &strides);
jit_value intValue(int64_t number);

#endif // JIT_UNITTESTS_HOSTPACKAGE_PROGRAM_H

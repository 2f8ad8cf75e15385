//===- CudaDriver.cpp - the CUDA driver of a session ----------------------===//
#include "CudaDriver.h"
#include "Marshalling.h"

using namespace jit;
using namespace jit::runtime;

static Result<const jit_cuda *> find() {
  static jit_cuda driver;
  jit_error error;
  if (jit_find_cuda(&driver, &error) != JIT_OK)
    return errorOf(error);
  return &driver;
}

Result<const jit_cuda *> jit::runtime::cudaDriver() {
  static const Result<const jit_cuda *> driver = find();
  return driver;
}

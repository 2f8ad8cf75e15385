//===- Tuner.cpp - a build that measures no products ----------------------===//
#include "ProductTuner.h"

void jit::ProductTuner::found(mlir::Operation *, const std::string &, std::array<bool, 2>,
                              llvm::ArrayRef<codegen::ProductCut>) {}

jit::Result<std::string>
jit::ProductTuner::measure(runtime::ThreadPool &,
                           const std::function<void(const std::string &)> &) {
  return Error{ErrorCode::Unsupported, "expected a build with the tuner, got one without"};
}

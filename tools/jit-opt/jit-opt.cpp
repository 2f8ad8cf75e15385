//===- jit-opt.cpp - the pass driver --------------------------------------===//

#include "jit/Pipeline/Registration.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"

int main(int argc, char **argv) {
  // LLVM's libraries register hundreds of options for their own tools; none is ours to offer.
  llvm::cl::ResetCommandLineParser();
  mlir::DialectRegistry registry;
  jit::registerDialects(registry);
  jit::registerPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "JIT: passes over the graph of a PyTorch program\n", registry));
}

//===- jit-opt.cpp - the pass driver --------------------------------------===//

#include "jit/Pipeline/Registration.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  jit::registerDialects(registry);
  jit::registerPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "JIT: passes over the graph of a PyTorch program\n", registry));
}

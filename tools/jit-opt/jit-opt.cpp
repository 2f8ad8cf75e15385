//===- jit-opt.cpp - the pass driver --------------------------------------===//

#include "jit/Pipeline/Registration.h"
#include "jit/Pipeline/Version.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"

int main(int argc, char **argv) {
  // LLVM's libraries have registered hundreds of options by now: they work, but are not shown.
  for (auto &[name, option] : llvm::cl::getRegisteredOptions())
    option->setHiddenFlag(llvm::cl::Hidden);
  llvm::cl::SetVersionPrinter(jit::printVersion);
  mlir::DialectRegistry registry;
  jit::registerDialects(registry);
  jit::registerPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "JIT: passes over the graph of a PyTorch program\n", registry));
}

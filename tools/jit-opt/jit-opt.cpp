//===- jit-opt.cpp - the pass driver --------------------------------------===//

#include "Tools.h"
#include "jit/Dialect/Aten/CustomOperators.h"
#include "jit/Import/TextLimits.h"
#include "jit/Pipeline/Registration.h"
#include "jit/Pipeline/Version.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

static int fail(const llvm::Twine &message) {
  llvm::errs() << "jit-opt: error: " << message << "\n";
  return 1;
}

int jit_opt_main(int argc, char **argv) {
  // LLVM's libraries have registered hundreds of options by now: they work, but are not shown.
  for (auto &[name, option] : llvm::cl::getRegisteredOptions())
    option->setHiddenFlag(llvm::cl::Hidden);
  llvm::cl::SetVersionPrinter(jit::printVersion);
  llvm::cl::list<std::string> operators(
      "operators", llvm::cl::value_desc("file.so"),
      llvm::cl::desc("A file of operators of your own (jit-c/Operators.h)"));
  mlir::DialectRegistry registry;
  jit::registerDialects(registry);
  jit::registerPasses();
  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "JIT: passes over the graph of a PyTorch program\n", registry);
  auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, input, output, registry));
  llvm::InitLLVM init(argc, argv);
  auto loaded = jit::CustomOperators::load(std::vector(operators.begin(), operators.end()));
  if (!loaded)
    return fail(loaded.error().str());
  jit::CustomOperators::add(std::move(*loaded), registry);
  std::string message;
  auto file = mlir::openInputFile(input, &message);
  if (!file)
    return fail(message);
  std::string_view text(file->getBufferStart(), file->getBufferSize());
  if (jit::Result<void> checked = jit::checkText(text, input); !checked)
    return fail(checked.error().str());
  auto out = mlir::openOutputFile(output, &message);
  if (!out)
    return fail(message);
  if (failed(mlir::MlirOptMain(out->os(), std::move(file), registry, config)))
    return 1;
  out->keep();
  return 0;
}

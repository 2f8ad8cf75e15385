//===- jit-opt.cpp - the pass driver --------------------------------------===//

#include "Tools.h"
#include "jit/Dialect/Aten/CustomOperators.h"
#include "jit/Import/TextLimits.h"
#include "jit/Pipeline/Registration.h"
#include "jit/Pipeline/Version.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

#include <atomic>

namespace {

/// Ends the process where passes have reported an error and all of them succeeded: what is left of
/// the program is wrong, or there was no error. A crash, so that no test that expects errors
/// passes.
class SilentErrors : public mlir::PassInstrumentation {
public:
  explicit SilentErrors(mlir::MLIRContext &context) : engine(context.getDiagEngine()) {
    handler = engine.registerHandler([this](mlir::Diagnostic &diagnostic) {
      // Before passes run, those whose options are wrong refuse to.
      if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error && hasBegun)
        hasError = true;
      return mlir::failure(); // for the handlers that print it, or expect it
    });
  }
  ~SilentErrors() override {
    engine.eraseHandler(handler);
    if (hasError && !hasFailed && running == 0) // some run where one has crashed
      llvm::report_fatal_error("expected passes that report an error to fail");
  }

  void runBeforePass(mlir::Pass *, mlir::Operation *) override {
    hasBegun = true;
    ++running;
  }
  void runAfterPass(mlir::Pass *, mlir::Operation *) override { --running; }
  void runAfterPassFailed(mlir::Pass *, mlir::Operation *) override {
    hasFailed = true;
    --running;
  }

private:
  mlir::DiagnosticEngine &engine;
  mlir::DiagnosticEngine::HandlerID handler;
  std::atomic<int> running = 0;
  std::atomic<bool> hasBegun = false, hasError = false, hasFailed = false;
};

} // namespace

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
  auto watched = config;
  watched.setPassPipelineSetupFn([&](mlir::PassManager &passes) {
    passes.addInstrumentation(std::make_unique<SilentErrors>(*passes.getContext()));
    return config.setupPassPipeline(passes);
  });
  if (failed(mlir::MlirOptMain(out->os(), std::move(file), registry, watched)))
    return 1;
  out->keep();
  return 0;
}

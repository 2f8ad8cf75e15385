//===- TextFuzzer.cpp - MLIR text from strangers --------------------------===//
//
// What passes the look at its costs is parsed by MLIR with the dialect of our own types. What is
// parsed prints, and reads again.
//
//===----------------------------------------------------------------------===//

#include "jit/Dialect/Jit/Jit.h"
#include "jit/Import/TextLimits.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <cstdio>
#include <cstdlib>

using namespace jit;
using namespace mlir;

/// Types live as long as their context, so it is made anew now and then.
static MLIRContext &freshContext() {
  constexpr int inputsOfOne = 2000;
  static std::unique_ptr<MLIRContext> context;
  static int left = 0;
  if (left-- == 0) {
    context = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
    context->loadDialect<JitDialect, func::FuncDialect, scf::SCFDialect>();
    left = inputsOfOne;
  }
  return *context;
}

static OwningOpRef<ModuleOp> parse(std::string_view text, MLIRContext &context) {
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) { return success(); });
  return parseSourceString<ModuleOp>(llvm::StringRef(text), ParserConfig(&context));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(data), size);
  if (!checkText(text, "input"))
    return 0;
  MLIRContext &context = freshContext();
  OwningOpRef<ModuleOp> module = parse(text, context);
  // Elements given as bytes MLIR prints as none where they are smaller than a byte.
  if (!module || text.find("\"0x") != text.npos)
    return 0;
  std::string printed;
  llvm::raw_string_ostream stream(printed);
  module->print(stream);
  // An alias may stand for so much that the text without it is past a limit.
  if (checkText(printed, "printed") && !parse(printed, context)) {
    std::fprintf(stderr, "%s\n", printed.c_str());
    std::abort();
  }
  return 0;
}

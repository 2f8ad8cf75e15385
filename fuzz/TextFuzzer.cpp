//===- TextFuzzer.cpp - MLIR text from strangers --------------------------===//
//
// What passes the look at its costs is parsed by MLIR with the dialect of our own types. What is
// parsed prints, and our types in it read again as themselves. The text as a whole need not: MLIR
// prints some elements and aliases in ways that it does not read.
//
//===----------------------------------------------------------------------===//

#include "jit/Dialect/Jit/Jit.h"
#include "jit/Import/TextLimits.h"
#include "mlir/AsmParser/AsmParser.h"
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

/// Whether the type is made of ours and of numbers alone.
static bool isOurs(Type type) {
  bool isOurs = isa<JitDialect>(type.getDialect());
  AttrTypeWalker walker;
  walker.addWalk(
      [&](Type part) { isOurs &= isa<JitDialect>(part.getDialect()) || part.isIntOrFloat(); });
  walker.walk(type);
  return isOurs;
}

/// Ends the process where the text of a type is not read as that type.
static void checkReadsAgain(Type type) {
  std::string printed;
  llvm::raw_string_ostream(printed) << type;
  // The limits are of words, which a type has more of than the alias that it was written as.
  if (!checkText(printed, "printed") || parseType(printed, type.getContext()) == type)
    return;
  std::fprintf(stderr, "%s\n", printed.c_str());
  std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // The parser wants a zero behind the text.
  std::string text(reinterpret_cast<const char *>(data), size);
  if (!checkText(text, "input"))
    return 0;
  MLIRContext &context = freshContext();
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
  if (!module)
    return 0;
  llvm::raw_null_ostream nowhere;
  module->print(nowhere);
  module->walk([](Operation *op) {
    for (Type type : op->getResultTypes())
      if (isOurs(type))
        checkReadsAgain(type);
    if (auto function = dyn_cast<func::FuncOp>(op))
      for (Type type : function.getArgumentTypes())
        if (isOurs(type))
          checkReadsAgain(type);
  });
  return 0;
}

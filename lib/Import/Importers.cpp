//===- Importers.cpp - the one list of input formats ----------------------===//

#include "jit/Import/Importers.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Import/TorchScript.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Formats
//===----------------------------------------------------------------------===//

static bool startsWith(StringRef path, StringRef magic) {
  auto buffer = llvm::MemoryBuffer::getFileSlice(path, magic.size(), 0);
  return buffer && (*buffer)->getBuffer() == magic;
}

static bool isZip(StringRef path) { return startsWith(path, "PK\x03\x04"); }

static bool isText(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer && (*buffer)->getBufferSize() && !(*buffer)->getBuffer().contains('\0');
}

/// Whether a zip's directory, which is at its end, names what torch.export writes.
static bool isExportedProgram(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return false;
  StringRef directory = (*buffer)->getBuffer().take_back(1 << 20);
  return directory.contains("models/model.json") ||
         directory.contains("serialized_exported_program.json");
}

static OwningOpRef<ModuleOp> importArchiveFile(StringRef path, MLIRContext &context,
                                               Coverage &coverage) {
  if (isExportedProgram(path)) {
    emitError(UnknownLoc::get(&context))
        << path << ": a program saved by torch.export is not supported yet: expected one saved by "
        << "torch.jit.save";
    return {};
  }
  Result<TorchScriptArchive> archive = TorchScriptArchive::open(path.str());
  if (!archive) {
    emitError(UnknownLoc::get(&context)) << archive.error().str();
    return {};
  }
  OwningOpRef<ModuleOp> module = importTorchScript(*archive, context, coverage);
  if (module)
    (*module)->setAttr("jit.archive", StringAttr::get(&context, path));
  return module;
}

static OwningOpRef<ModuleOp> importText(StringRef path, MLIRContext &context, Coverage &) {
  context.loadDialect<JitDialect, aten::AtenDialect>();
  return parseSourceFile<ModuleOp>(path, ParserConfig(&context));
}

ArrayRef<Importer> importers() {
  static constexpr Importer list[] = {
      {"torchscript", "a program saved by torch.jit.save", isZip, importArchiveFile},
      {"mlir", "MLIR text", isText, importText},
  };
  return list;
}

OwningOpRef<ModuleOp> importFile(StringRef path, MLIRContext &context, Coverage &coverage) {
  auto file = llvm::MemoryBuffer::getFileSlice(path, 1, 0);
  if (!file) {
    emitError(UnknownLoc::get(&context)) << path << ": " << file.getError().message();
    return {};
  }
  for (const Importer &importer : importers())
    if (importer.recognizes(path))
      return importer.import(path, context, coverage);
  emitError(UnknownLoc::get(&context)) << path << ": expected a TorchScript archive or MLIR text";
  return {};
}

OwningOpRef<ModuleOp> importFile(StringRef path, MLIRContext &context) {
  Coverage coverage;
  OwningOpRef<ModuleOp> module = importFile(path, context, coverage);
  if (!module)
    coverage.emitErrors();
  return module;
}

} // namespace jit

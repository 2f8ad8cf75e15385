//===- Importers.cpp - the one list of input formats ----------------------===//

#include "jit/Import/Importers.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Import/Exported.h"
#include "jit/Import/GraphText.h"
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

static constexpr llvm::StringLiteral zipMagic = "PK\x03\x04";

static bool isText(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer && (*buffer)->getBufferSize() && !(*buffer)->getBuffer().contains('\0');
}

/// A zip that is nothing else is taken for a TorchScript archive, whose reader says what is wrong.
static bool isTorchScript(StringRef path) {
  return startsWith(path, zipMagic) && !ExportedArchive::recognizes(path.str());
}

static bool isExported(StringRef path) {
  return startsWith(path, zipMagic) && ExportedArchive::recognizes(path.str());
}

static bool isGraph(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer && isText(path) && graphtext::GraphText::recognizes((*buffer)->getBuffer());
}

/// Opens and imports an archive; the module remembers where its weights are.
template <typename Archive>
static OwningOpRef<ModuleOp>
importArchive(StringRef path, MLIRContext &context, Coverage &coverage,
              OwningOpRef<ModuleOp> (*import)(const Archive &, MLIRContext &, Coverage &)) {
  Result<Archive> archive = Archive::open(path.str());
  if (!archive) {
    emitError(UnknownLoc::get(&context)) << archive.error().str();
    return {};
  }
  OwningOpRef<ModuleOp> module = import(*archive, context, coverage);
  if (module)
    (*module)->setAttr("jit.archive", StringAttr::get(&context, path));
  return module;
}

static OwningOpRef<ModuleOp> importTorchScriptFile(StringRef path, MLIRContext &context,
                                                   Coverage &coverage) {
  return importArchive<TorchScriptArchive>(path, context, coverage, importTorchScript);
}

static OwningOpRef<ModuleOp> importExportedFile(StringRef path, MLIRContext &context,
                                                Coverage &coverage) {
  return importArchive<ExportedArchive>(path, context, coverage, importExported);
}

static OwningOpRef<ModuleOp> importGraphFile(StringRef path, MLIRContext &context,
                                             Coverage &coverage) {
  Result<SharedBytes> bytes = SharedBytes::mapFile(path.str());
  Result<std::unique_ptr<graphtext::GraphText>> graph =
      bytes ? graphtext::GraphText::parse(path.str(), *bytes) : bytes.takeError();
  if (graph)
    return importGraphText(**graph, context, coverage);
  emitError(UnknownLoc::get(&context)) << graph.error().str();
  return {};
}

static OwningOpRef<ModuleOp> importText(StringRef path, MLIRContext &context, Coverage &) {
  context.loadDialect<JitDialect, aten::AtenDialect>();
  return parseSourceFile<ModuleOp>(path, ParserConfig(&context));
}

ArrayRef<Importer> importers() {
  static constexpr Importer list[] = {
      {"torchscript", "a program saved by torch.jit.save", isTorchScript, importTorchScriptFile},
      {"exported", "a program saved by torch.export.save", isExported, importExportedFile},
      {"graph", "a TorchScript graph as text", isGraph, importGraphFile},
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
  emitError(UnknownLoc::get(&context))
      << path
      << ": expected a TorchScript archive, an exported program, the text of a graph or MLIR";
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

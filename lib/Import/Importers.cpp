//===- Importers.cpp - the one list of input formats ----------------------===//

#include "jit/Import/Importers.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Import/Exported.h"
#include "jit/Import/GraphText.h"
#include "jit/Import/TextLimits.h"
#include "jit/Import/TorchScript.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Formats
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral zipMagic = "PK\x03\x04";

Result<ProgramFile> ProgramFile::open(const std::string &path) {
  auto bytes = SharedBytes::mapFile(path);
  return bytes ? Result<ProgramFile>(ProgramFile{path, std::move(*bytes)}) : bytes.takeError();
}

bool ProgramFile::isArchive() const {
  return bytes.text().starts_with(zipMagic) || TorchScriptArchive::recognizesMobile(bytes);
}

static bool isText(const ProgramFile &file) {
  return file.bytes.size() && !StringRef(file.bytes.text()).contains('\0');
}

static bool isExported(const ProgramFile &file) {
  return file.isArchive() && ExportedArchive::recognizes(file.bytes, file.path);
}

/// A zip that is nothing else is taken for a TorchScript archive, whose reader says what is wrong.
static bool isTorchScript(const ProgramFile &file) { return file.isArchive() && !isExported(file); }

static bool isGraph(const ProgramFile &file) {
  return isText(file) && graphtext::GraphText::recognizes(file.bytes.text());
}

/// Opens and imports an archive; the module remembers where its weights are.
template <typename Archive>
static OwningOpRef<ModuleOp>
importArchive(const ProgramFile &file, MLIRContext &context, Coverage &coverage,
              OwningOpRef<ModuleOp> (*import)(const Archive &, MLIRContext &, Coverage &)) {
  Result<Archive> archive = Archive::openBytes(file.bytes, file.path);
  if (!archive) {
    emitError(UnknownLoc::get(&context)) << archive.error().str();
    return {};
  }
  OwningOpRef<ModuleOp> module = import(*archive, context, coverage);
  if (module)
    (*module)->setAttr(archiveAttr, StringAttr::get(&context, file.path));
  return module;
}

static OwningOpRef<ModuleOp> importTorchScriptFile(const ProgramFile &file, MLIRContext &context,
                                                   Coverage &coverage) {
  return importArchive<TorchScriptArchive>(file, context, coverage, importTorchScript);
}

static OwningOpRef<ModuleOp> importExportedFile(const ProgramFile &file, MLIRContext &context,
                                                Coverage &coverage) {
  return importArchive<ExportedArchive>(file, context, coverage, importExported);
}

static OwningOpRef<ModuleOp> importGraphFile(const ProgramFile &file, MLIRContext &context,
                                             Coverage &coverage) {
  auto graph = graphtext::GraphText::parse(file.path, file.bytes);
  if (graph)
    return importGraphText(**graph, context, coverage);
  emitError(UnknownLoc::get(&context)) << graph.error().str();
  return {};
}

static OwningOpRef<ModuleOp> parseText(std::unique_ptr<llvm::MemoryBuffer> text,
                                       MLIRContext &context) {
  if (Result<void> checked = checkText(text->getBuffer(), text->getBufferIdentifier()); !checked) {
    emitError(UnknownLoc::get(&context)) << checked.error().str();
    return {};
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(text), SMLoc());
  return parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
}

OwningOpRef<ModuleOp> parseTextFile(StringRef path, MLIRContext &context) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (buffer)
    return parseText(std::move(*buffer), context);
  emitError(UnknownLoc::get(&context)) << path << ": " << buffer.getError().message();
  return {};
}

static OwningOpRef<ModuleOp> importText(const ProgramFile &file, MLIRContext &context, Coverage &) {
  context.loadDialect<JitDialect, aten::AtenDialect>();
  // The parser wants a zero behind the text.
  return parseText(llvm::MemoryBuffer::getMemBufferCopy(file.bytes.text(), file.path), context);
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

OwningOpRef<ModuleOp> importFile(const ProgramFile &file, MLIRContext &context,
                                 Coverage &coverage) {
  for (const Importer &importer : importers())
    if (importer.recognizes(file))
      return importer.import(file, context, coverage);
  emitError(UnknownLoc::get(&context))
      << file.path
      << ": expected a TorchScript archive, an exported program, the text of a graph or MLIR";
  return {};
}

OwningOpRef<ModuleOp> importFile(StringRef path, MLIRContext &context, Coverage &coverage) {
  auto file = ProgramFile::open(path.str());
  if (file)
    return importFile(*file, context, coverage);
  emitError(UnknownLoc::get(&context)) << file.error().str();
  return {};
}

OwningOpRef<ModuleOp> importFile(const ProgramFile &file, MLIRContext &context) {
  Coverage coverage;
  OwningOpRef<ModuleOp> module = importFile(file, context, coverage);
  if (!module)
    coverage.emitErrors();
  return module;
}

} // namespace jit

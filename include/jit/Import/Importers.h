//===- Importers.h - the one list of input formats --------------*- C++ -*-===//
#ifndef JIT_IMPORT_IMPORTERS_H
#define JIT_IMPORT_IMPORTERS_H

#include "jit/Archive/SharedBytes.h"
#include "jit/Import/Coverage.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace jit {

/// The file that a program is in. Its bytes stay the same when another file takes its place.
struct ProgramFile {
  std::string path;
  SharedBytes bytes;

  static Result<ProgramFile> open(const std::string &path);
  /// Whether it is an archive, which is the same program wherever it lies.
  bool isArchive() const;
};

/// One input format: errors of `import` go to the context's diagnostics, what is missing here to
/// the coverage, and the result is null. A missing operator alone becomes a jit.missing.
struct Importer {
  /// For options and messages, e.g. "torchscript".
  llvm::StringLiteral name;
  llvm::StringLiteral description;
  /// Whether a file is of this format, from its content.
  bool (*recognizes)(const ProgramFile &file);
  mlir::OwningOpRef<mlir::ModuleOp> (*import)(const ProgramFile &file, mlir::MLIRContext &context,
                                              Coverage &coverage);
};

/// All formats, in the order in which they are tried.
llvm::ArrayRef<Importer> importers();

/// Imports a file, whatever its format. The module remembers the archive that holds its weights as
/// the attribute `jit.archive`.
mlir::OwningOpRef<mlir::ModuleOp> importFile(const ProgramFile &file, mlir::MLIRContext &context,
                                             Coverage &coverage);
/// The same of the file at \p path.
mlir::OwningOpRef<mlir::ModuleOp> importFile(llvm::StringRef path, mlir::MLIRContext &context,
                                             Coverage &coverage);
/// The same; where there is no module, what is missing goes to the context's diagnostics as well.
mlir::OwningOpRef<mlir::ModuleOp> importFile(const ProgramFile &file, mlir::MLIRContext &context);

/// Parses MLIR text, after a look at what it would cost (TextLimits.h). Any dialect that the
/// context can load may stand in it.
mlir::OwningOpRef<mlir::ModuleOp> parseTextFile(llvm::StringRef path, mlir::MLIRContext &context);

} // namespace jit

#endif // JIT_IMPORT_IMPORTERS_H

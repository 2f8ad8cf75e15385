//===- Importers.h - the one list of input formats --------------*- C++ -*-===//
#ifndef JIT_IMPORT_IMPORTERS_H
#define JIT_IMPORT_IMPORTERS_H

#include "jit/Import/Coverage.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace jit {

/// One input format: errors of `import` go to the context's diagnostics, what is missing here to
/// the coverage, and the result is null. A missing operator alone becomes a jit.missing.
struct Importer {
  /// For options and messages, e.g. "torchscript".
  llvm::StringLiteral name;
  llvm::StringLiteral description;
  /// Whether the file at a path is of this format, from its content.
  bool (*recognizes)(llvm::StringRef path);
  mlir::OwningOpRef<mlir::ModuleOp> (*import)(llvm::StringRef path, mlir::MLIRContext &context,
                                              Coverage &coverage);
};

/// All formats, in the order in which they are tried.
llvm::ArrayRef<Importer> importers();

/// Imports the file at \p path, whatever its format. The module remembers the archive that holds
/// its weights as the attribute `jit.archive`.
mlir::OwningOpRef<mlir::ModuleOp> importFile(llvm::StringRef path, mlir::MLIRContext &context,
                                             Coverage &coverage);
/// The same; where there is no module, what is missing goes to the context's diagnostics as well.
mlir::OwningOpRef<mlir::ModuleOp> importFile(llvm::StringRef path, mlir::MLIRContext &context);

} // namespace jit

#endif // JIT_IMPORT_IMPORTERS_H

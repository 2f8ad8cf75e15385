//===- Exported.h - from torch.export's programs to jit + aten --*- C++ -*-===//
#ifndef JIT_IMPORT_EXPORTED_H
#define JIT_IMPORT_EXPORTED_H

#include "jit/Archive/ExportedArchive.h"
#include "jit/Import/Coverage.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace jit {

/// The program of \p archive: the public function `forward` with the arguments and results of the
/// module that was exported, and a jit.slot for each parameter, buffer and constant. What the
/// program demands of its inputs is checked first: element types, ranks and known sizes by the
/// arguments' types, all else by guards. All errors, not only the first, go to the context's
/// diagnostics with the user's Python file and line, what is missing here to \p coverage; then the
/// result is null, but that a missing operator alone becomes a jit.missing. Loads the dialects that
/// it needs.
mlir::OwningOpRef<mlir::ModuleOp> importExported(const ExportedArchive &archive,
                                                 mlir::MLIRContext &context, Coverage &coverage);

} // namespace jit

#endif // JIT_IMPORT_EXPORTED_H

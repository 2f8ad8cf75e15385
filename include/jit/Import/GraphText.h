//===- GraphText.h - printed graphs to jit + aten and back ------*- C++ -*-===//
#ifndef JIT_IMPORT_GRAPHTEXT_H
#define JIT_IMPORT_GRAPHTEXT_H

#include "jit/Archive/GraphText.h"
#include "jit/Import/Coverage.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/LogicalResult.h"

namespace jit {

/// The program of \p graph: the public function `forward` with the graph's inputs. A graph does not
/// hold the state of the module that it was printed of: each attribute that it reads of one is a
/// further argument, named by its path ("self.conv.0.weight"), in the order of first use. Element
/// types and sizes that the inputs' types tell are demanded of a call; those in between are what
/// some run had, and nothing is made of them. What is not known here is kept as a jit.opaque and
/// noted in \p coverage; all that is no graph goes to the context's diagnostics, and the result is
/// null. Loads the dialects that it needs.
mlir::OwningOpRef<mlir::ModuleOp> importGraphText(const graphtext::GraphText &graph,
                                                  mlir::MLIRContext &context, Coverage &coverage);

/// Prints the one function of \p module, or of several the one named `forward`, as TorchScript
/// prints a graph; what TorchScript has no word for under its name here ("jit::dict_merge").
/// Importing the text gives an imported graph again. Fails, after errors, where there is no such
/// function, or something in it that no text can say: calls among them.
llvm::LogicalResult exportGraphText(mlir::ModuleOp module, llvm::raw_ostream &os);

} // namespace jit

#endif // JIT_IMPORT_GRAPHTEXT_H

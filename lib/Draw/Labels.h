//===- Labels.h - what is written in a box -----------------------*- C++ -*-===//
#ifndef JIT_LIB_DRAW_LABELS_H
#define JIT_LIB_DRAW_LABELS_H

#include "Picture.h"

namespace jit::draw {

/// True for what is written in the boxes of its users and has none of its own: constants, lists of
/// them, weights and other module state.
bool isWritten(mlir::Value value);

/// The values that a line is drawn from where `value` is used: those in a list or under a cast
/// themselves, none of what is written.
void findSources(mlir::Value value, llvm::SmallVectorImpl<mlir::Value> &sources);

/// True for operators without a box: findSources looks through them, or they are written.
bool isTransparent(mlir::Operation *op);

/// "f32[1,64]"; other types as IR writes them.
std::string describeType(mlir::Type type);

/// Name, constants and weights by their names in the schema, and with `types` those of the results.
std::vector<TextLine> describeOperator(mlir::Operation *op, bool types);

/// "conv2d", "scf.for".
std::string operatorName(mlir::Operation *op);

/// The place in the user's Python, the operator's full name, and its types.
std::string tooltipFor(mlir::Operation *op);

/// Cut to `size` characters, with an ellipsis where something is gone.
std::string shorten(llvm::StringRef text, size_t size);

} // namespace jit::draw

#endif // JIT_LIB_DRAW_LABELS_H

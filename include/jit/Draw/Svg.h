//===- Svg.h - a graph as a picture ------------------------------*- C++ -*-===//
#ifndef JIT_DRAW_SVG_H
#define JIT_DRAW_SVG_H

#include "mlir/IR/Operation.h"

#include <string>

namespace jit {

/// Draws a function, or all functions of a module, as one SVG image that stands alone: no scripts,
/// links or fonts. A box for each operator with its result's type, numbers and weights written in
/// it, the line of Python as its tooltip; groups that share one pass in colours with a legend;
/// branches and loops as boxes around theirs. Functions stand one below another.
/// Fails, after an error, for a function that is not structured control flow or has more than
/// 20000 boxes.
llvm::FailureOr<std::string> drawSvg(mlir::Operation *root);

} // namespace jit

#endif // JIT_DRAW_SVG_H

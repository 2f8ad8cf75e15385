//===- ForLoop.h - a for loop under assumptions -----------------*- C++ -*-===//
#ifndef JIT_LIB_SPECIALIZE_FORLOOP_H
#define JIT_LIB_SPECIALIZE_FORLOOP_H

#include "Evaluator.h"
#include "jit/Dialect/Aten/PackedLists.h"

namespace jit {

/// Evaluates a for loop that stays a loop. Each carried value starts as invariant; one that turns
/// out to change becomes an iteration argument of the type it starts with, and a list that each
/// trip appends one tensor to becomes a tensor that each trip fills one slice of. A list of tensors
/// that changes otherwise is packed, where it may be.
class ForLoop {
public:
  ForLoop(Evaluator &evaluator, mlir::scf::ForOp op, mlir::Value lower, mlir::Value upper,
          mlir::Value step, llvm::ArrayRef<mlir::Value> inits, const mlir::IRMapping &outer);

  enum class Outcome {
    Done,     ///< `results` holds what the loop's results are
    Unstable, ///< the first trip differs in type from later ones: peel it
    Failed,   ///< an error, which is in the diagnostics
  };

  /// `widenTypes` accepts a carried type that is no longer settled instead of Unstable, and
  /// `packLists` lists that change otherwise than by one append of a tensor of one size.
  Outcome run(mlir::OpBuilder &b, bool widenTypes, bool packLists);

  llvm::SmallVector<mlir::Value> results;

private:
  enum class Mode { Invariant, Argument, Growing, Packed };
  struct Carried {
    mlir::Value init;
    Mode mode = Mode::Invariant;
    mlir::Type type = {};   // of the iteration argument
    mlir::Value grown = {}; // Growing: the list as the body sees it
    PackedForm form = {};   // Packed: what its elements have in common
  };

  mlir::Value tripCount(mlir::OpBuilder &b);
  mlir::Value emptyBuffer(mlir::OpBuilder &b, TensorType type);
  Outcome attempt(mlir::OpBuilder &b, bool widenTypes, bool &retry);
  llvm::LogicalResult evaluateBody(mlir::scf::ForOp loop,
                                   llvm::SmallVectorImpl<mlir::Value> &yields);
  Outcome settle(Carried &carried, mlir::Value yield, bool widenTypes, bool &retry);
  llvm::SmallVector<mlir::Value> initsOf(mlir::OpBuilder &b, const Carried &carried);
  bool appendsOnce(const Carried &carried);
  bool onlyAppends(Carried &carried, mlir::Value yield);
  Outcome settlePacked(Carried &carried, mlir::Value yield, bool &retry);
  Outcome settleList(Carried &carried, mlir::Value yield, bool &retry);
  bool isElementWritten(const Carried &carried);
  void finish(mlir::OpBuilder &b, mlir::scf::ForOp loop, llvm::ArrayRef<mlir::Value> yields);
  mlir::Value appended(mlir::scf::ForOp loop, Carried &carried, mlir::Value buffer,
                       mlir::Value yield);

  Evaluator &evaluator;
  mlir::scf::ForOp op;
  mlir::Value lower, upper, step;
  const mlir::IRMapping &outer;
  bool packLists = false;
  llvm::SmallVector<Carried> carried;
};

/// How often a loop with constant bounds runs.
std::optional<int64_t> constantTripCount(mlir::Value lower, mlir::Value upper, mlir::Value step);

} // namespace jit

#endif // JIT_LIB_SPECIALIZE_FORLOOP_H

//===- LinkNames.h - names for one of several memories ----------*- C++ -*-===//
//
// A branch gives a tensor of the one arm or of the other, a loop's variable is on the first trip
// what the loop started with. Each such value keeps elements of its own here, and a link to every
// memory that it may be: the condition under which it is that, as a value of the program.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_FUNCTIONALIZE_LINKNAMES_H
#define JIT_LIB_FUNCTIONALIZE_LINKNAMES_H

#include "LoopMemories.h"
#include "TensorMemory.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

namespace jit {

/// Links the names of one function, from the inside of its branches and loops out.
class NameLinker {
public:
  NameLinker(mlir::func::FuncOp func, MemoryClasses &classes, Obstacle &obstacle)
      : func(func), classes(classes), obstacle(obstacle) {}
  mlir::FailureOr<Links> run();

private:
  /// One of the memories that a value may show: `memory` where `condition` holds, which is null
  /// for always.
  struct Source {
    mlir::Value condition;
    mlir::Value memory;
  };
  mlir::FailureOr<llvm::SmallVector<Source>> sourcesOf(mlir::Value value, mlir::Operation *op,
                                                       mlir::Operation *end);
  mlir::Value outside(mlir::Value value, mlir::Operation *op, mlir::OpBuilder &builder);
  mlir::Value rebased(mlir::Value value, mlir::Value root, mlir::Value onto,
                      mlir::OpBuilder &builder, mlir::Operation *left = nullptr);
  mlir::LogicalResult checkPlaces(mlir::Value name, mlir::Value memory, mlir::Value root);
  mlir::LogicalResult refuse(mlir::Value name, mlir::Location where, const llvm::Twine &how);

  mlir::LogicalResult link(mlir::Operation *op);
  mlir::LogicalResult linkIf(mlir::scf::IfOp op);
  using ResultNumbers = llvm::SmallDenseSet<unsigned, 4>;
  mlir::LogicalResult linkArm(mlir::scf::IfOp op, unsigned region, mlir::Value condition,
                              const ResultNumbers &parts);
  using ShownPart = std::pair<mlir::OpResult, Source>;
  using PartsByMemory = llvm::MapVector<mlir::Value, llvm::SmallVector<ShownPart>>;
  /// The result that always shows all of `memory`, and is none of `parts`.
  static std::optional<mlir::OpResult> wholeOf(mlir::Value memory, llvm::ArrayRef<ShownPart> shown,
                                               const ResultNumbers &parts);
  mlir::FailureOr<PartsByMemory> partsMadeIn(mlir::scf::IfOp op, unsigned region);
  mlir::scf::IfOp giveMemory(mlir::scf::IfOp op, unsigned region, mlir::Value memory);
  mlir::FailureOr<mlir::scf::IfOp> giveMemories(mlir::scf::IfOp op, ResultNumbers &parts);
  mlir::LogicalResult linkParts(mlir::scf::IfOp op, mlir::Value root,
                                llvm::ArrayRef<ShownPart> shown, mlir::Value condition,
                                mlir::OpResult whole);
  bool isShared(mlir::Value value, mlir::Operation *op);
  void startVariable(LoopMemories &known, unsigned variable, mlir::Operation *op, mlir::Value init);
  mlir::LogicalResult giveVariable(LoopMemories &known, unsigned variable, mlir::Operation *op,
                                   mlir::OpOperand &given);
  mlir::LogicalResult closeLoop(LoopMemories &known);
  mlir::LogicalResult linkVariables(const LoopMemories &known, mlir::Operation *op,
                                    llvm::ArrayRef<mlir::Value> names,
                                    llvm::ArrayRef<LoopMemories::Flag> flags,
                                    mlir::ValueRange values);
  void replaceResults(mlir::Operation *from, mlir::Operation *to);
  mlir::LogicalResult linkFor(mlir::scf::ForOp op);
  mlir::LogicalResult linkWhile(mlir::scf::WhileOp op);
  mlir::LogicalResult linkElement(mlir::Operation *op);
  mlir::LogicalResult checkUnwritten(mlir::Operation *op);
  mlir::scf::IfOp exportConditions(mlir::scf::IfOp op);
  void replace(mlir::Value from, mlir::Value to);

  bool isNamed(mlir::Value value) {
    return llvm::isa<TensorType>(value.getType()) && classes.isWritten(value);
  }

  mlir::func::FuncOp func;
  MemoryClasses &classes;
  Obstacle &obstacle;
  Links links;
};

/// Whether `value`, a view of `root`, may show an element of it in several places.
bool mayRepeat(mlir::Value value, mlir::Value root);

/// Whether `value` is computed in a region of `op`.
inline bool isInside(mlir::Value value, mlir::Operation *op) {
  return op->isAncestor(value.getParentRegion()->getParentOp());
}

} // namespace jit

#endif // JIT_LIB_FUNCTIONALIZE_LINKNAMES_H

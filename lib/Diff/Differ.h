//===- Differ.h - a program's operators, each judged on its own -*- C++ -*-===//
#ifndef JIT_LIB_DIFF_DIFFER_H
#define JIT_LIB_DIFF_DIFFER_H

#include "AgainstRecorded.h"
#include "Compiled.h"
#include "Cut.h"
#include "llvm/ADT/DenseMap.h"

namespace jit {

/// A program, or a block of one, compiled twice: optimised, with all its values as results, and
/// taken apart. Calls of it are compared.
class Differ {
public:
  /// `program` must outlive it.
  static Result<std::unique_ptr<Differ>> make(mlir::ModuleOp program, const std::string &entry,
                                              const DiffOptions &options);

  /// Runs it on these inputs and judges each operator. Gives what is wrong, if anything.
  Result<std::optional<WrongOperator>> check(const std::vector<runtime::Value> &inputs,
                                             DiffReport &report);

  mlir::ModuleOp module() const { return program; }
  mlir::func::FuncOp function() const { return func; }
  const DiffOptions &settings() const { return options; }

  // Of the last call: what the function gave, and what a value of its block was; none where no call
  // can say.
  std::vector<runtime::Value> results() const;
  std::optional<runtime::Value> valueOf(mlir::Value value) const;
  /// The type of a value that valueOf() gives, with the sizes that it had there; null for others
  /// and for constants.
  mlir::Type givenType(mlir::Value value) const;
  /// Whether it has no value: what a branch that was not for it leaves.
  bool isPoison(mlir::Value value) const;

private:
  struct Operator {
    mlir::Operation *op;
    llvm::SmallVector<mlir::Value> inputs, results;
    std::unique_ptr<runtime::Executor> wide, own; ///< null: not compiled
    std::string whyNot = {};
    bool hasOpenSizes = false; ///< of an operand: it is compiled for those of each call
  };
  using Values = llvm::DenseMap<mlir::Value, runtime::Value>;

  Differ(mlir::ModuleOp program, std::string entry, const DiffOptions &options);

  Result<void> compileShown();
  void findOperators();
  /// Compiles what is not compiled yet for the sizes of the last call.
  void compileForCall();
  /// Compiles those of the range by themselves; where they cannot be together, in halves.
  void compileOperators(llvm::MutableArrayRef<Operator> range, bool isWide);

  Result<void> run(const std::vector<runtime::Value> &inputs);
  std::optional<std::vector<runtime::Value>> operandsOf(const Operator &what) const;
  std::optional<Mismatch> judge(Operator &what, WrongOperator &wrong);
  std::optional<Mismatch> judgeByRecorded(Operator &what, WrongOperator &wrong);
  std::optional<WrongOperator> judgeResults() const;
  /// Whether it is as the operator alone makes it in its own precision.
  bool isSameAlone(Operator &what, std::span<const runtime::Value> operands, size_t result) const;

  mlir::ModuleOp program;
  std::string entry;
  DiffOptions options;
  mlir::func::FuncOp func;
  mlir::Block *block;
  llvm::SmallVector<mlir::Value> shown;
  std::unique_ptr<AgainstRecorded> recorded; ///< null where nothing is
  std::vector<Operator> operators;
  std::unique_ptr<runtime::Executor> optimised;
  bool isCompiled = false;
  Values values; ///< of the last call
};

/// How a report names an operation; says nothing of its values yet.
WrongOperator describeOperation(mlir::Operation *op);

} // namespace jit

#endif // JIT_LIB_DIFF_DIFFER_H

//===- Coverage.h - what an import finds missing ----------------*- C++ -*-===//
#ifndef JIT_IMPORT_COVERAGE_H
#define JIT_IMPORT_COVERAGE_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"

#include <string>
#include <vector>

namespace jit {

/// How much of a program is known here, and all that is not. Importers of every format note each
/// call of an operator; what they cannot take they note once for each kind of it, with its first
/// place and a count, and go on.
class Coverage {
public:
  enum class Kind { Operator, Type, Statement, Program };

  struct Missing {
    Kind kind;
    /// "operator aten::foo is not supported for arguments (Tensor)", as a message says it.
    std::string message;
    std::vector<std::string> notes;
    /// Of the first one.
    mlir::Location where;
    size_t count;
    /// Whether the program holds it as it is written, so that it can be translated, not run.
    bool isKept;
  };

  /// One call of an operator that is there.
  void covered() { ++coveredCalls; }
  /// Something that is not there. What has the same \p key, or without one the same message, is the
  /// same thing.
  void missing(Kind kind, mlir::Location where, const std::string &message,
               llvm::ArrayRef<std::string> notes = {}, llvm::StringRef key = {},
               bool isKept = false);

  bool isComplete() const { return all.empty(); }
  /// Whether the program holds all of what is missing as it is written.
  bool isKept() const;
  llvm::ArrayRef<Missing> missing() const { return all; }
  /// Of all calls of operators, in percent; of none, 0 where something is missing all the same.
  double share() const;

  /// Everything missing as errors of the context, what is kept as warnings.
  void emitErrors() const;
  void print(llvm::raw_ostream &os) const;
  /// {"covered_calls": 3, "calls": 4, "share": 75.0, "missing": [{"kind": "operator", "message":
  /// ..., "notes": [...], "count": 1, "file": ..., "line": ...}]}
  void printJson(llvm::raw_ostream &os) const;

private:
  size_t missingCalls() const;

  size_t coveredCalls = 0;
  std::vector<Missing> all;
  llvm::StringMap<size_t> indices;
};

} // namespace jit

#endif // JIT_IMPORT_COVERAGE_H

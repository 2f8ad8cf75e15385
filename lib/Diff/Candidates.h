//===- Candidates.h - a program with less in it -----------------*- C++ -*-===//
//
// Each function gives a changed copy, or nothing where there is nothing to change. A copy may be
// invalid: who takes it verifies it.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_DIFF_CANDIDATES_H
#define JIT_LIB_DIFF_CANDIDATES_H

#include "jit/Session/CallProgram.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <map>
#include <optional>

namespace jit {

/// An operation of the entry's block, and a result of it, by number.
using ValueNumber = std::pair<unsigned, unsigned>;
/// What values of the entry's block are in a call.
using KnownValues = std::map<ValueNumber, runtime::Value>;

CallProgram copyOf(const CallProgram &program);
mlir::func::FuncOp entryOf(const CallProgram &program);
/// The operations of the entry's block in order, its end left out.
llvm::SmallVector<mlir::Operation *> operationsOf(const CallProgram &program);

/// Takes out what nobody reads: operations, arguments with their inputs, functions and slots.
void removeUnused(CallProgram &program);

/// One value as the only result.
std::optional<CallProgram> withResult(const CallProgram &program, ValueNumber value);
/// One of several results left out.
std::optional<CallProgram> withoutResult(const CallProgram &program, unsigned number);
/// The results of operations [first, last) as arguments, which are given what is known of them.
std::optional<CallProgram> withArguments(const CallProgram &program, unsigned first, unsigned last,
                                         const KnownValues &values);
/// An operation left out: its results are an operand of their type each. `number` counts the
/// operations of all blocks.
std::optional<CallProgram> withoutOperation(const CallProgram &program, unsigned number);
/// A branch or loop of the entry's block replaced by a block of it, run once.
std::optional<CallProgram> withBlock(const CallProgram &program, unsigned operation,
                                     unsigned region);
/// All sizes of arguments that are `from` made `to`, types inferred again.
std::optional<CallProgram> withSize(const CallProgram &program, int64_t from, int64_t to);

} // namespace jit

#endif // JIT_LIB_DIFF_CANDIDATES_H

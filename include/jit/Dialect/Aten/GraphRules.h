//===- GraphRules.h - the builders of `decompose` and `scatter` rules -*- C++ -*-===//
//
// In these fields each argument is a handle on its value in the graph. A body builds simpler
// operators with `build.op<SomeOp>(handles or numbers...)` and returns what replaces its results,
// or `build.notYet("the rank of self")` where too little is known so far.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_DIALECT_ATEN_GRAPHRULES_H
#define JIT_DIALECT_ATEN_GRAPHRULES_H

#include "jit/Dialect/Aten/Decomposed.h"
#include "jit/Dialect/Aten/TypeRules.h"

namespace jit {

struct GraphBuilder;

/// Any value of the graph.
struct Any {
  GraphBuilder *b;
  mlir::Value v;
  Any(GraphBuilder &b, mlir::Value v) : b(&b), v(v) {}
  bool isNone() const { return mlir::isa<NoneType>(v.getType()); }
};

struct Tensor : Any {
  using Any::Any;
  TensorInfo info() const { return TensorInfo(v); }
};
struct Int : Any {
  using Any::Any;
  std::optional<int64_t> known() const { return IntInfo(v).known; }
};
struct Float : Any {
  using Any::Any;
  std::optional<double> known() const { return FloatInfo(v).known; }
};
struct Bool : Any {
  using Any::Any;
  std::optional<bool> known() const { return BoolInfo(v).known; }
};
struct Scalar : Any {
  using Any::Any;
};
struct Str : Any {
  using Any::Any;
  std::optional<llvm::StringRef> known() const { return StrInfo(v).known; }
};
/// A Python number of any kind that is known, as a complex one.
struct ComplexNumber : Any {
  using Any::Any;
  ComplexNumber(Float re, Float im);
  Float re() const;
  Float im() const;
};

/// An Optional: settled if its type says T or None; test it, then `*x`.
template <typename T> struct OptHandle : Any {
  using Any::Any;
  bool isSettled() const { return !mlir::isa<OptionalType>(v.getType()); }
  explicit operator bool() const { return isSettled() && !isNone(); }
  T operator*() const { return T(*b, v); }
};
using OptTensor = OptHandle<Tensor>;
using OptInt = OptHandle<Int>;
using OptFloat = OptHandle<Float>;
using OptBool = OptHandle<Bool>;
using OptScalar = OptHandle<Scalar>;

/// A list: its elements where it is a jit.list.
struct AnyList : Any {
  using Any::Any;
  std::optional<llvm::SmallVector<mlir::Value>> elements() const { return ListInfo(v).elements; }
};
struct IntList : AnyList {
  using AnyList::AnyList;
  /// All elements, where they are constants.
  std::optional<llvm::SmallVector<int64_t>> known() const;
};
struct TensorList : AnyList {
  using AnyList::AnyList;
};
using OptIntList = OptHandle<IntList>;

inline mlir::Value unwrap(Any handle) { return handle.v; }

/// Too little is known for a body: what it needs.
struct NotYet {
  llvm::StringRef needs;
};

/// What a `decompose` body returns.
struct Decomposition : Decomposed {
  Decomposition(Any handle);
  Decomposition(std::initializer_list<Any> handles);
  Decomposition(llvm::LogicalResult failure) : Decomposed{failure, {}} {}
  Decomposition(NotYet what) : Decomposed{llvm::failure(), what.needs} {}
};

/// Passed to every `decompose` and `scatter` rule as `build`.
struct GraphBuilder {
  mlir::OpBuilder &builder;
  mlir::Location loc;
  bool failed = false;

  /// Too little is known for this body yet. `needs` completes "the operator needs ...": "the rank
  /// of self", "groups that divide the channels". A user reads it if nothing more becomes known.
  NotYet notYet(llvm::StringLiteral needs) { return {needs}; }
  /// Reports an error of the user's program, for which there is no body.
  llvm::LogicalResult error(const llvm::Twine &message) { return mlir::emitError(loc) << message; }

  Int i(int64_t value);
  Float f(double value);
  Bool flag(bool value);
  Any none();
  Str str(llvm::StringRef text);
  IntList ints(llvm::ArrayRef<int64_t> values);
  /// A list of ints that need not be constants.
  IntList list(llvm::ArrayRef<Int> values);
  TensorList list(llvm::ArrayRef<Tensor> values);

  /// An operator with inferred result types. Numbers and bools become constants. If the operands
  /// do not go together the error is reported and the whole body fails.
  template <typename OpTy, typename... Args> Tensor op(Args... args) {
    return Tensor(*this, create(OpTy::getOperationName(), {value(args)...})->getResult(0));
  }
  template <typename OpTy, typename... Args> Int intOp(Args... args) {
    return Int(*this, create(OpTy::getOperationName(), {value(args)...})->getResult(0));
  }
  template <typename OpTy, typename... Args> mlir::Operation *multi(Args... args) {
    return create(OpTy::getOperationName(), {value(args)...});
  }

private:
  mlir::Operation *create(llvm::StringRef name, llvm::ArrayRef<mlir::Value> operands);
  mlir::Value value(Any handle) { return handle.v; }
  mlir::Value value(mlir::Value v) { return v; }
  mlir::Value value(bool v) { return flag(v).v; }
  mlir::Value value(int v) { return i(v).v; }
  mlir::Value value(int64_t v) { return i(v).v; }
  mlir::Value value(double v) { return f(v).v; }
};

/// Creates the named operator with inferred result types; null, after an error, where the operands
/// do not go together. Never aborts, unlike the generated builders.
mlir::Operation *createInferred(mlir::OpBuilder &builder, mlir::Location loc,
                                mlir::OperationName name, llvm::ArrayRef<mlir::Value> operands);

// ---- Sizes ----
/// Size of one dimension (negative: from the back): a constant where it is known.
Int sizeOf(Tensor t, int64_t dim);
/// All sizes. Requires a known rank.
IntList sizesOf(Tensor t);

// ---- Arithmetic on tensors and on ints ----
Tensor operator+(Tensor a, Tensor c);
Tensor operator-(Tensor a, Tensor c);
Tensor operator*(Tensor a, Tensor c);
Tensor operator/(Tensor a, Tensor c);
Tensor operator+(Tensor a, double c);
Tensor operator*(Tensor a, double c);
Int operator+(Int a, Int c);
Int operator-(Int a, Int c);
Int operator*(Int a, Int c);

} // namespace jit

#endif // JIT_DIALECT_ATEN_GRAPHRULES_H

//===- TypeRules.h - the builders of `type` rules ---------------*- C++ -*-===//
//
// In a record's `type` field each argument is one of the *Info handles below: what is known of it
// at this moment. A rule gives the result type as far as it follows from that, an unknown type
// where nothing follows, and an error where the operands cannot go together.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_DIALECT_ATEN_TYPERULES_H
#define JIT_DIALECT_ATEN_TYPERULES_H

#include "jit/Dialect/Jit/Jit.h"

namespace jit {

/// Any operand: its value and type.
struct AnyInfo {
  mlir::Value value;
  explicit AnyInfo(mlir::Value value) : value(value) {}
  mlir::Type type() const { return value.getType(); }
  /// Known to be None. An Optional that is not settled yet is neither None nor present.
  bool isNone() const { return mlir::isa<NoneType>(type()); }
};

/// A `Tensor` or `Tensor?` operand.
struct TensorInfo : AnyInfo {
  TensorType tensor; // null for None
  explicit TensorInfo(mlir::Value value);
  explicit operator bool() const { return bool(tensor); }
  operator mlir::Type() const { return tensor; }
  bool hasRank() const { return tensor && tensor.hasRank(); }
  int64_t rank() const { return tensor.getRank(); }
  llvm::ArrayRef<int64_t> sizes() const { return tensor.getSizes(); }
  /// Size of a dimension counted from the front, or from the back if negative: not known of one
  /// that the tensor does not have. Requires a rank.
  int64_t size(int64_t dim) const {
    dim += dim < 0 ? rank() : 0;
    return dim >= 0 && dim < rank() ? sizes()[dim] : TensorType::kDynamic;
  }
  mlir::Type dtype() const { return tensor ? tensor.getDtype() : mlir::Type(); }
};

/// An `int` operand and its value where it is a constant.
struct IntInfo : AnyInfo {
  std::optional<int64_t> known;
  explicit IntInfo(mlir::Value value);
  /// The value, or `TensorType::kDynamic` where it is not known: what a size is made from.
  int64_t orDynamic() const { return known.value_or(TensorType::kDynamic); }
  int64_t valueOr(int64_t other) const { return known.value_or(other); }
};
struct BoolInfo : AnyInfo {
  std::optional<bool> known;
  explicit BoolInfo(mlir::Value value);
};
struct FloatInfo : AnyInfo {
  std::optional<double> known;
  explicit FloatInfo(mlir::Value value);
};
/// The value of a Python scalar that is a constant and that a double holds.
std::optional<double> knownNumber(mlir::Value scalar);

struct StrInfo : AnyInfo {
  std::optional<llvm::StringRef> known;
  explicit StrInfo(mlir::Value value);
};
struct ScalarInfo : AnyInfo {
  using AnyInfo::AnyInfo;
};

/// A list operand: its elements where it is a jit.list.
struct ListInfo : AnyInfo {
  std::optional<llvm::SmallVector<mlir::Value>> elements;
  explicit ListInfo(mlir::Value value);
  /// The elements as ints, `TensorType::kDynamic` for one that is not a constant; nullopt where
  /// not even the length is known.
  std::optional<llvm::SmallVector<int64_t>> ints() const;
};

/// The element type that PyTorch promotes the operands to: tensors of rank > 0 decide among
/// themselves, tensors of rank 0 and then Python scalars only lift the category (bool < int <
/// float < complex). Null where an operand's element type is not known; nulls and None are skipped.
/// Only Python scalars: i1, i64, f64 or complex<f64>. `toFloat` takes integers to the default float
/// type.
mlir::Type promotedType(llvm::ArrayRef<mlir::Value> operands, bool toFloat);

/// Whether PyTorch lets elements of a result be cast to this type: to one of the same category or
/// of one that holds it.
bool canCast(mlir::Type from, mlir::Type to);

/// The type in which PyTorch computes elements of type `promoted`: f32 for floats of 16 and
/// 8 bits; null for null.
mlir::Type opmathType(mlir::Type promoted);

/// The common size of two broadcast dimensions; nullopt where they do not go together.
std::optional<int64_t> broadcastDim(int64_t a, int64_t b);

/// True unless a type of one list contradicts that of the other: each may know more.
bool areConsistent(mlir::TypeRange a, mlir::TypeRange b);

/// Passed to every `type` rule as `infer`.
struct TypeRules {
  mlir::MLIRContext *context;
  std::optional<mlir::Location> loc;

  mlir::Type i64() { return mlir::IntegerType::get(context, 64); }
  mlir::Type i1() { return mlir::IntegerType::get(context, 1); }
  mlir::Type f64() { return mlir::Float64Type::get(context); }
  mlir::Type f32() { return mlir::Float32Type::get(context); }
  mlir::Type complexNumber() { return mlir::ComplexType::get(f64()); }
  mlir::Type str() { return StrType::get(context); }
  mlir::Type number() { return NumberType::get(context); }
  mlir::Type device() { return DeviceType::get(context); }
  mlir::Type any() { return AnyType::get(context); }
  mlir::Type list(mlir::Type element) { return ListType::get(element); }

  /// Nothing known; the element type alone; both.
  TensorType tensor() { return TensorType::get(context); }
  TensorType unranked(mlir::Type dtype) { return TensorType::get(context, std::nullopt, dtype); }
  TensorType tensor(llvm::ArrayRef<int64_t> sizes, mlir::Type dtype) {
    return TensorType::get(context, sizes, dtype);
  }

  /// The element type of a PyTorch dtype number, of `otherwise` where it is None; null where the
  /// number is not known or names no type.
  mlir::Type dtypeOr(IntInfo dtype, mlir::Type otherwise);

  /// Operands broadcast against each other; null, with an error, where they do not. The element
  /// type is that which `promoting` promotes to.
  mlir::Type pointwise(mlir::ValueRange operands, llvm::ArrayRef<mlir::Value> promoting,
                       bool toFloat);
  /// The same with a bool result.
  mlir::Type predicate(mlir::ValueRange operands);
  /// Sizes of all tensors broadcast together; nullopt: not known. `ok` is false after an error.
  std::optional<llvm::SmallVector<int64_t>> broadcastSizes(mlir::ValueRange operands, bool &ok);

  /// A dimension number made non-negative; nullopt, with an error, where it is out of range.
  std::optional<int64_t> wrapDim(int64_t dim, int64_t rank);

  /// The sizes of `self`, which has these dimensions, with the element type `dtype`; null, with an
  /// error, where it has not.
  mlir::Type along(TensorInfo self, IntInfo dim, mlir::Type dtype);
  mlir::Type along(TensorInfo self, ListInfo dims, mlir::Type dtype);

  /// Reports an error of the user's program and gives the null type that says so.
  mlir::Type error(const llvm::Twine &message);

  llvm::LogicalResult yield(llvm::SmallVectorImpl<mlir::Type> &types,
                            llvm::ArrayRef<mlir::Type> inferred);
};

} // namespace jit

#endif // JIT_DIALECT_ATEN_TYPERULES_H

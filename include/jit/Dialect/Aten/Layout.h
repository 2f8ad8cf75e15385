//===- Layout.h - where a tensor's elements lie in its memory ---*- C++ -*-===//
//
// Compiled code holds every tensor row-major and never sees strides. Programs do: whether `reshape`
// or `contiguous` gives new memory follows from them, and with that who sees a write in place. So
// the strides that PyTorch would give a tensor are computed where such a question is asked.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_DIALECT_ATEN_LAYOUT_H
#define JIT_DIALECT_ATEN_LAYOUT_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace mlir::scf {
class ForOp;
class WhileOp;
} // namespace mlir::scf

namespace jit {

/// On as_strided and as_strided_scatter: the operand is all of a memory, row by row.
inline constexpr llvm::StringLiteral ofMemoryAttr = "jit.of_memory";
/// On such an as_strided of a part of that memory: for each element of the result, row by row, if
/// the part has it. Gradients reach the part alone.
inline constexpr llvm::StringLiteral shownAttr = "jit.shown";
/// On an as_strided whose strides count elements of its operand instead of places in its memory:
/// the strides that they stand for, and the place of the first element behind that of the operand's
/// (an i64 array).
inline constexpr llvm::StringLiteral placesAttr = "jit.places";
/// On an as_strided: it counts from the first element of its operand's memory that is known here,
/// wherever in PyTorch's memory that is.
inline constexpr llvm::StringLiteral fromStartAttr = "jit.from_start";
/// On an argument, while a question is asked: its first element counts as the first of its memory.
inline constexpr llvm::StringLiteral startsHereAttr = "jit.starts_here";

/// The strides of a tensor, in elements, and the place of its first element in its memory.
class Layout {
public:
  /// Nothing is known.
  static Layout unknown() { return Layout(); }
  /// The last dimension is the fastest, without gaps. Sizes may be open.
  static Layout rowMajor(std::optional<int64_t> offset = 0);
  static Layout strided(llvm::SmallVector<int64_t> strides, std::optional<int64_t> offset);

  bool isKnown() const { return order != Order::Unknown; }
  /// The place of the first element; nullopt where it is not known.
  std::optional<int64_t> offset() const { return start; }
  /// The strides of a tensor of these sizes; nullopt where the layout is not known, or row-major
  /// with open sizes behind the first.
  std::optional<llvm::SmallVector<int64_t>> strides(llvm::ArrayRef<int64_t> sizes) const;
  /// Whether the elements of a tensor of these sizes lie one after the other; nullopt where that is
  /// not known.
  std::optional<bool> isRowMajor(llvm::ArrayRef<int64_t> sizes) const;
  /// What holds of a tensor of these sizes that lies so or as `other` says.
  Layout either(const Layout &other, llvm::ArrayRef<int64_t> sizes) const;
  bool operator==(const Layout &other) const;

private:
  enum class Order { Unknown, RowMajor, Strided };
  Order order = Order::Unknown;
  llvm::SmallVector<int64_t> steps;
  std::optional<int64_t> start;
};

/// Whether elements lie without gaps, in whatever order, and each in a place of its own.
bool isDense(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> strides);

/// A tensor of known sizes and strides.
struct Strided {
  llvm::SmallVector<int64_t> sizes, strides;
};
/// Says what is known of a value; nullopt where sizes or strides are not.
using StridedOf = llvm::function_ref<std::optional<Strided>(mlir::Value)>;

/// What an operator with the interface ViewOpInterface makes of its operand's memory.
struct ViewOf {
  enum class Kind { Shares, Copies, Unknown };
  Kind kind = Kind::Unknown;
  /// That of the result: a view of the operand's memory, or new memory.
  Layout layout;
  /// Of a result that has each dimension of the operand in full, whatever its size, and the one at
  /// i is the operand's at order[i]: that.
  std::optional<llvm::SmallVector<int64_t>> order;

  static ViewOf shares(Layout layout) { return {Kind::Shares, std::move(layout), std::nullopt}; }
  static ViewOf copies(Layout layout) { return {Kind::Copies, std::move(layout), std::nullopt}; }
  static ViewOf unknown() { return {}; }
};

/// The answers below for a program that does not change meanwhile: each value is looked at once. A
/// loop's variable is taken to keep the layout that it starts with until that is seen not to hold.
class Layouts {
public:
  Layout of(mlir::Value value);
  ViewOf viewOf(mlir::Operation *view);
  mlir::Value viewedValue(mlir::Value value);

private:
  /// Those of the values that `value`'s follows from; there may be more, in regions.
  llvm::SmallVector<mlir::Value> sourcesOf(mlir::Value value);
  Layout compute(mlir::Value value);
  Layout ofResult(mlir::Operation *op, unsigned index);
  Layout ofBranch(mlir::Value then, mlir::Value otherwise);
  void noteVariables(mlir::ValueRange variables, mlir::ValueRange inits, mlir::ValueRange next);
  Layout ofLoopVariable(mlir::scf::ForOp loop, mlir::BlockArgument variable);
  Layout ofWhileVariable(mlir::scf::WhileOp loop, mlir::BlockArgument variable);
  Layout ofCondition(mlir::scf::WhileOp loop, unsigned index);
  Layout ofNew(mlir::Operation *op, mlir::Value value);
  std::optional<Strided> strided(mlir::Value value);
  void note(mlir::Value value, const Layout &layout);
  /// Back to what was known when as many values had been noted.
  void forgetAfter(size_t count);

  llvm::DenseMap<mlir::Value, Layout> known;
  llvm::SmallVector<mlir::Value> noted; // in order
};

/// The layout of a tensor as eager PyTorch would have it, as far as the program says. Arguments are
/// row-major where the call does not say otherwise, module state lies as it was saved.
Layout layoutOf(mlir::Value tensor);

/// What `view`, an operation with the interface ViewOpInterface, makes of its operand's memory.
ViewOf viewOf(mlir::Operation *view);

/// The value that `value` is another name or a view of, as its definition shows: what a view that
/// shares memory is of, what a cast casts, what an in-place operator wrote. Null for a value with
/// memory of its own, and where it is not known whether an operator copies.
mlir::Value viewedValue(mlir::Value value);

/// The end of the way along viewedValue.
mlir::Value viewRoot(mlir::Value value);

} // namespace jit

#endif // JIT_DIALECT_ATEN_LAYOUT_H

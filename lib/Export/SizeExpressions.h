//===- SizeExpressions.h - open sizes by those of arguments -----*- C++ -*-===//
//
// Rules of types know numbers alone. So the types are inferred for many sizes of the arguments, and
// what a size comes to in each says which expression it is: found by some of these calls, and
// checked by all others.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_EXPORT_SIZEEXPRESSIONS_H
#define JIT_LIB_EXPORT_SIZEEXPRESSIONS_H

#include "jit/Archive/ExportedProgram.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

#include <map>

namespace jit {

/// An open size or int of the call, which all others are told by.
struct Symbol {
  /// "s0".
  std::string name;
  /// What it is written as.
  std::string expression;
};

class SizeExpressions {
public:
  explicit SizeExpressions(mlir::func::FuncOp function) : function(function) {}

  /// Fails, after an error, where the program does not go with any sizes.
  llvm::LogicalResult compute();

  /// What is written for each size, then each stride of a tensor; nothing, after an error, where
  /// no expression is known.
  std::optional<exported::TensorMeta> describe(mlir::Value tensor);
  /// What an open int among the arguments is.
  std::string ofArgument(mlir::BlockArgument argument) const;
  /// A symbol for what only data tell.
  std::string fresh(char kind);

  /// The values that each symbol may take.
  std::map<std::string, exported::Range, std::less<>> ranges;

private:
  using Samples = std::vector<int64_t>;
  /// One for each symbol.
  using Point = std::vector<int64_t>;
  void findSymbols();
  void choosePoints();
  llvm::LogicalResult sample(const Point &point);
  std::optional<exported::Extent> extent(const Samples &samples);
  std::optional<std::string> decode(const Samples &samples) const;
  std::optional<std::string> decodeSum(const Samples &samples) const;
  std::optional<std::string> decodeProduct(const Samples &samples) const;
  std::optional<std::string> decodeProducts(const Samples &samples) const;
  std::optional<std::string> decodeQuotient(const Samples &samples, size_t symbol) const;
  size_t firstPoint(size_t symbol) const { return symbol * run; }
  template <typename Function> bool holds(const Samples &samples, Function function) const;

  /// As many points in a row differ in one symbol alone, which grows by 1.
  static constexpr size_t run = 70;
  /// As many differ in all.
  static constexpr size_t checks = 32;

  mlir::func::FuncOp function;
  std::vector<Symbol> symbols;
  std::map<std::string, size_t> symbolOfName;
  llvm::DenseMap<unsigned, size_t> symbolOfArgument;
  std::vector<Point> points;
  /// Of each value, by its number in the order of the text: sizes, then strides, at each point.
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  std::vector<std::vector<Samples>> samplesOf;
  unsigned nextUnknown = 0, nextFloat = 0;
};

/// "Integer(3)", as sympy writes it.
std::string sympyInteger(int64_t value);

} // namespace jit

#endif // JIT_LIB_EXPORT_SIZEEXPRESSIONS_H

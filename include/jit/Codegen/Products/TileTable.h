//===- TileTable.h - cuts of products that were measured --------*- C++ -*-===//
//
// How a product is packed and which tile of registers it has follows from a model of the CPU. What
// measuring has shown to be faster is kept in a file, for one CPU:
//
//   {"version": 1, "cpu": "znver4", "products": {"f32 p64(576,0,1) ...": {"packed": 0, "loop": 0,
//    "vectors": 2, "points": [6, 1]}}}
//
//===----------------------------------------------------------------------===//
#ifndef JIT_CODEGEN_PRODUCTS_TILETABLE_H
#define JIT_CODEGEN_PRODUCTS_TILETABLE_H

#include "jit/Result.h"
#include "mlir/IR/Operation.h"

#include <array>
#include <map>
#include <optional>
#include <string>

namespace jit::codegen {

/// The sizes of a register tile: vectors side by side, and rows of them along two more loops.
struct TileSizes {
  int64_t vectors = 1;
  std::array<int64_t, 2> points = {1, 1};

  bool operator==(const TileSizes &) const = default;
};

/// One way to cut a product.
struct ProductCut {
  /// The operand that is packed, 0 or 1, in blocks as wide as the tile along this loop of the
  /// product; -1: neither is.
  int64_t packed = -1, loop = 0;
  TileSizes tile;

  bool operator==(const ProductCut &) const = default;
};

/// The best cuts known for one CPU, by product.
class TileTable {
public:
  /// An empty table for the CPU of this name, LLVM's.
  explicit TileTable(std::string cpu) : cpuName(std::move(cpu)) {}

  /// Io where the file cannot be read, Malformed or LimitExceeded where it is no table, Unsupported
  /// where it is one of another version.
  static Result<TileTable> read(const std::string &path);
  Result<void> write(const std::string &path) const;
  /// What write() puts into the file.
  std::string text() const;

  const std::string &cpu() const { return cpuName; }
  std::optional<ProductCut> find(llvm::StringRef product) const;
  void set(llvm::StringRef product, const ProductCut &cut) { cuts[product.str()] = cut; }

private:
  std::string cpuName;
  std::map<std::string, ProductCut> cuts;
};

/// Told of every product of a function that no table has, before it is cut.
class ProductListener {
public:
  virtual ~ProductListener() = default;

  /// A product and its text in tables, which of its operands are the same at every call, and the
  /// cuts that might be best, by the model.
  virtual void found(mlir::Operation *product, const std::string &text, std::array<bool, 2> isFixed,
                     llvm::ArrayRef<ProductCut> cuts) = 0;
};

/// What measuring has to do with a compilation. Either may be null.
struct ProductTuning {
  const TileTable *table = nullptr;
  ProductListener *listener = nullptr;
};

} // namespace jit::codegen

#endif // JIT_CODEGEN_PRODUCTS_TILETABLE_H

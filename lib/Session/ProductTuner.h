//===- ProductTuner.h - the fastest cuts of products, measured --*- C++ -*-===//
#ifndef JIT_LIB_SESSION_PRODUCTTUNER_H
#define JIT_LIB_SESSION_PRODUCTTUNER_H

#include "jit/Codegen/Target.h"
#include "mlir/IR/OwningOpRef.h"

#include <functional>

namespace jit::runtime {
class ThreadPool;
} // namespace jit::runtime

namespace jit {

/// Holds the table that a session compiles by, and collects the products that it does not have.
class ProductTuner : public codegen::ProductListener {
public:
  /// Reads the table, where a path is given.
  Result<void> open(const std::string &tablePath, bool listens);
  /// InvalidArgument where there is a table, and for none of these CPUs.
  Result<void> checkCpus(llvm::ArrayRef<std::string> names) const;

  codegen::ProductTuning tuning() { return {table ? &*table : nullptr, listens ? this : nullptr}; }

  void found(mlir::Operation *product, const std::string &text, std::array<bool, 2> isFixed,
             llvm::ArrayRef<codegen::ProductCut> cuts) override;

  /// Measures what was collected and puts it into the table. `progress` is told of each product.
  Result<std::string> measure(runtime::ThreadPool &pool,
                              const std::function<void(const std::string &)> &progress);
  /// The table with what was measured. Requires a tuner that listens, or has read a table.
  const codegen::TileTable &result() const { return *table; }
  bool isListening() const { return listens; }

private:
  struct Product {
    std::string text;
    int count = 1; ///< in what was compiled
    mlir::OwningOpRef<mlir::ModuleOp> module;
    llvm::SmallVector<codegen::ProductCut> cuts;
  };
  Result<std::string> measure(Product &product, runtime::ThreadPool &pool, double &before,
                              double &after);

  bool listens = false;
  std::string path; // of the table that was read
  std::optional<codegen::TileTable> table;
  std::vector<Product> products;
};

} // namespace jit

#endif // JIT_LIB_SESSION_PRODUCTTUNER_H

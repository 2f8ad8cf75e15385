//===- CustomOperators.h - operators of a user's own ------------*- C++ -*-===//
//
// What files of operators (jit-c/Operators.h) declare. A context is given them with its dialects;
// in the graph each of them is an `aten.custom`.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_DIALECT_ATEN_CUSTOMOPERATORS_H
#define JIT_DIALECT_ATEN_CUSTOMOPERATORS_H

#include "jit-c/Operators.h"
#include "jit/Dialect/Aten/Schema.h"
#include "jit/Result.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"

#include <deque>
#include <memory>

namespace mlir {
class DialectRegistry;
class MLIRContext;
class Operation;
} // namespace mlir

namespace jit {

struct CustomOperator {
  std::string text; ///< the schema as the file has it
  Schema schema;
  jit_sizes_fn sizes;
  jit_compute_fn compute;
  std::string symbol;
  const CustomOperator *gradient = nullptr;
  std::string file; ///< an absolute path

  /// With its overload: "my::scale.int".
  llvm::StringRef name() const;
};

/// Those of some files. The files stay loaded as long as the process.
class CustomOperators {
public:
  /// Io for a file that cannot be loaded, Malformed for one that is none of operators or says what
  /// they cannot be, Unsupported for what their schemas may not have.
  static Result<std::shared_ptr<const CustomOperators>> load(llvm::ArrayRef<std::string> files);

  /// By its schema, and by its name; null where there is none.
  const CustomOperator *find(llvm::StringRef text) const { return byText.lookup(text); }
  const CustomOperator *named(llvm::StringRef name) const { return byName.lookup(name); }
  const std::deque<CustomOperator> &all() const { return operators; }
  /// The absolute path of each file.
  llvm::ArrayRef<std::string> files() const { return paths; }
  /// Of the files' bytes, as they were when they were loaded; empty where there is none.
  llvm::StringRef digest() const { return bytes; }

  /// Contexts made of `registry` have these from now on.
  static void add(std::shared_ptr<const CustomOperators> operators,
                  mlir::DialectRegistry &registry);
  /// Those that a context has; none where it was given none.
  static const CustomOperators &of(mlir::MLIRContext *context);

private:
  Result<void> addFile(const std::string &file);
  Result<void> addOperator(const jit_operator &given, const std::string &file, void *handle);
  Result<void> tieGradient(CustomOperator &op, llvm::StringRef gradient);

  std::deque<CustomOperator> operators; // others point to them
  std::vector<std::string> paths;
  std::string bytes; // of a digest for each file
  llvm::StringMap<const CustomOperator *> byText, byName;
};

/// The schema of an operator of the graph, of a user's own too; empty for anything else.
llvm::StringRef schemaOf(mlir::Operation *op);
/// What people call an operation: "aten.mul.Tensor", a user's own "my::scale".
llvm::StringRef operatorNameOf(mlir::Operation *op);

/// What a result of a schema is called: by its name, where it has none `result`, of several
/// `result0` and so on. Its gradient is `grad_` and that name; that of an only result without a
/// name is `grad`.
std::string resultName(const Schema &schema, size_t index);
std::string resultGradientName(const Schema &schema, size_t index);

} // namespace jit

#endif // JIT_DIALECT_ATEN_CUSTOMOPERATORS_H

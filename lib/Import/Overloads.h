//===- Overloads.h - which operator a call means ----------------*- C++ -*-===//
#ifndef JIT_LIB_IMPORT_OVERLOADS_H
#define JIT_LIB_IMPORT_OVERLOADS_H

#include "jit/Dialect/Jit/Jit.h"
#include "jit/Import/SchemaIndex.h"

namespace jit {

struct CallArgument {
  mlir::Value value;
  /// Empty for a positional one.
  llvm::StringRef keyword;
  /// Whether it may stand by its position for a keyword-only argument, as all do in a graph.
  bool anyPosition = false;
};

/// How a value becomes the operand that a schema asks for.
enum class Conversion {
  Same,
  Repeat,     ///< one number for a list of fixed length
  Retype,     ///< a list of another element type: the elements one by one
  Untuple,    ///< a tuple as a list
  IntToFloat, ///< the rest only where no overload fits without
  TensorToInt,
  TensorToFloat,
  TensorToComplex,
  TensorToNumber,
  NumberToTensor,
};

/// An overload, and for each of its arguments where the value comes from.
struct OverloadMatch {
  struct Operand {
    /// Null: the default.
    mlir::Value value;
    Conversion conversion = Conversion::Same;
  };
  const Overload *overload = nullptr;
  llvm::SmallVector<Operand> operands;
  /// The types that the schema's results stand for.
  llvm::SmallVector<mlir::Type> results;
};

/// The overload that TorchScript would choose: one that takes the arguments as they are, else one
/// that takes them after implicit conversions; among several the one that says most about its
/// arguments. Nothing if none fits.
std::optional<OverloadMatch> resolveOverload(llvm::ArrayRef<Overload> overloads,
                                             llvm::ArrayRef<CallArgument> arguments,
                                             mlir::MLIRContext *context);

/// The type that a schema's type stands for once its variables are bound; what is not bound is
/// !jit.any.
mlir::Type resultType(const SchemaType &type, const llvm::StringMap<mlir::Type> &variables,
                      mlir::MLIRContext *context);

} // namespace jit

#endif // JIT_LIB_IMPORT_OVERLOADS_H

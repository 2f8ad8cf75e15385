//===- AutocastPolicy.h - what autocast does to an operator -----*- C++ -*-===//
//
// PyTorch has two lists of operators, one for tensors on the CPU and one for those on a GPU. An
// operator that is on neither is left alone, whatever the region.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_DIALECT_ATEN_AUTOCASTPOLICY_H
#define JIT_DIALECT_ATEN_AUTOCASTPOLICY_H

#include "mlir/IR/Builders.h"

namespace jit {

enum class AutocastPolicy {
  None,           ///< computes as it does elsewhere
  Lower,          ///< its floating tensors are cast to the type of the region
  Float32,        ///< to f32
  Float32ByDType, ///< to f32, unless the argument `dtype` says what its result is to be
  Widest,         ///< to f32 if one of them is f32, else to the type of the region
  Parts,          ///< PyTorch makes it of operators that have policies of their own
  LowerResult,    ///< its last part is a product: what it gives in f32 is cast
  Refused,        ///< PyTorch refuses it, or makes it of parts that ours is not made of
};

/// The kinds of device that have a list.
inline constexpr llvm::StringLiteral autocastDevices[] = {"cpu", "cuda"};

/// What a region does to an operator on tensors of one of these kinds of device.
AutocastPolicy autocastPolicyOf(mlir::OperationName name, llvm::StringRef device);

/// The place of the first of the two operands that `op` multiplies, if PyTorch's gradients by them
/// are products that a region for the CPU casts.
std::optional<unsigned> firstCastFactor(mlir::Operation *op);

/// Whether nothing in PyTorch's gradient of `op` is cast by a region for the CPU, whatever ours has
/// of products: it is one operator, or of operators that are on no list.
bool isCastOnlyForward(mlir::Operation *op);

/// Whether PyTorch's gradient of such an operator has products that ours is not made of.
bool hasOtherProducts(mlir::OperationName name);

/// On an operator of whose parts a region casts operands: a dictionary from kinds of device to the
/// number of the dtype of the region. Its body is built under that region.
inline constexpr llvm::StringLiteral autocastAttr = "jit.autocast";

/// A region as an operator stands in it.
struct AutocastRegion {
  llvm::StringRef device;
  mlir::Value enabled; ///< i1
  mlir::Value dtype;   ///< the number of the dtype
  /// Whether the function around says where its tensors are.
  bool isDeviceKnown = false;
};

/// What is said of an operator of the policy Refused.
std::string autocastRefusal(mlir::OperationName name);

/// The operands that an operator of a policy other than None takes in a region, cast before the
/// insertion point. Fails, having changed nothing, where a list of tensors is not known element by
/// element.
llvm::FailureOr<llvm::SmallVector<mlir::Value>>
autocastOperands(mlir::OpBuilder &builder, mlir::Location loc, mlir::OperationName name,
                 AutocastPolicy policy, mlir::ValueRange operands, const AutocastRegion &region);

/// What an operator gave, cast as the region casts a tensor, before the insertion point.
mlir::Value autocastResult(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value result,
                           const AutocastRegion &region);

/// `autocastAttr` of the operation whose body is built at the insertion point: of the one that
/// comes next, or at the end of a block of the one around, such as a loop that the body has begun.
/// Null where there is none.
mlir::DictionaryAttr autocastAround(mlir::OpBuilder &builder);

/// What `autocastAround` says of an operator in the body that is built: casts operands, and gives
/// the attribute that the operator is to have, if any.
llvm::FailureOr<mlir::DictionaryAttr> autocastInBody(mlir::OpBuilder &builder, mlir::Location loc,
                                                     mlir::OperationName name,
                                                     llvm::SmallVectorImpl<mlir::Value> &operands);

} // namespace jit

#endif // JIT_DIALECT_ATEN_AUTOCASTPOLICY_H

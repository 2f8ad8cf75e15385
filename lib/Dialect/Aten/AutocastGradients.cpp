//===- AutocastGradients.cpp - backward passes under autocast -------------===//
//
// What a region for the CPU does to the gradient of an operator, as PyTorch 2.13 writes it: its
// products are cast, and nearly nothing else that it has is on the list of AutocastPolicy.cpp.
//
//===----------------------------------------------------------------------===//

#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/AutocastPolicy.h"
#include "jit/Dialect/Aten/Conv.h"
#include "jit/Dialect/Aten/Matmul.h"
#include "jit/Dialect/Aten/Pointwise.h"

using namespace mlir;

namespace jit {

static int64_t rankOf(Value value) { return cast<TensorType>(value.getType()).getRank(); }

std::optional<unsigned> firstCastFactor(Operation *op) {
  if (isa<aten::AddmmOp, aten::BaddbmmOp>(op))
    return 1;
  if (!isa<aten::MmOp, aten::BmmOp, aten::MatmulOp, aten::LinearOp>(op))
    return std::nullopt;
  // A product by a vector is `mv` or `dot`; of a vector by several matrices it depends on strides.
  int64_t first = rankOf(op->getOperand(0)), second = rankOf(op->getOperand(1));
  return second > 1 && (first > 1 || second == 2) ? std::optional(0u) : std::nullopt;
}

bool isCastOnlyForward(Operation *op) {
  if (isa<aten::MvOp, aten::DotOp, aten::VdotOp, aten::AddmvOp, aten::PreluOp>(op))
    return true;
  StringRef name = op->getName().stripDialect();
  if (isa<aten::MatmulOp, aten::LinearOp>(op))
    return rankOf(op->getOperand(1)) == 1;
  return name.starts_with("conv") || name.starts_with("_conv");
}

bool hasOtherProducts(OperationName name) {
  static constexpr StringLiteral starts[] = {
      "cdist", "cholesky", "inverse",  "linalg_", "logdet",          "lu_",
      "orm",   "org",      "pinverse", "slogdet", "triangular_solve"};
  static constexpr StringLiteral others[] = {"linalg_cross",  "linalg_diagonal",   "linalg_matmul",
                                             "linalg_norm",   "linalg_multi_dot",  "linalg_vander",
                                             "linalg_vecdot", "linalg_vector_norm"};
  if (!name.getInterface<AtenOpInterface>())
    return false;
  StringRef base = name.stripDialect();
  bool isFactor = llvm::any_of(starts, [&](StringRef start) { return base.starts_with(start); });
  return (isFactor || base == "det" || base == "qr" || base == "svd") &&
         !llvm::is_contained(others, base);
}

} // namespace jit

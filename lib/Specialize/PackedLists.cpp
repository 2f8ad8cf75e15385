//===- PackedLists.cpp - which lists of tensors may be packed -------------===//

#include "jit/Dialect/Aten/PackedLists.h"
#include "Evaluator.h"
#include "jit/Dialect/Aten/Aliasing.h"

using namespace mlir;

namespace jit {

/// Whether a tensor that `op` puts into a list, or takes out of one, may be written in place while
/// it is in that.
static bool mayWriteElement(Operation *op) {
  if (isa<ListOp, ListAppendOp, AppendOp>(op))
    return llvm::any_of(op->getOperands(), [&](Value element) {
      return isa<TensorType>(element.getType()) && isWrittenAfter(element, op);
    });
  if (llvm::none_of(op->getOperandTypes(), isTensorList))
    return false;
  return (op->hasTrait<PicksElement>() || isa<ListUnpackOp>(op)) &&
         llvm::any_of(op->getResults(), [](Value result) {
           return isa<TensorType>(result.getType()) && isWrittenInPlace(result);
         });
}

bool Evaluator::mayPackLists() {
  if (!packsLists)
    packsLists = !changesSizes && !source
                                       ->walk([](Operation *op) {
                                         return mayWriteElement(op) ? WalkResult::interrupt()
                                                                    : WalkResult::advance();
                                       })
                                       .wasInterrupted();
  return *packsLists;
}

} // namespace jit

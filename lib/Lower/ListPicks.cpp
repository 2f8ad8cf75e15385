//===- ListPicks.cpp - elements of lists whose number only data tells -----===//
//
// Where a loop is written out, the number of an element is a constant and the element is a value.
// What is left is picked from all elements at run time: they are joined where the list is made.
//
//===----------------------------------------------------------------------===//

#include "ListPicks.h"
#include "jit/Dialect/Aten/Container.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Lists.h"
#include "jit/Dialect/Aten/Scalar.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/Jit.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace jit {

/// All elements along a new first dimension; null where they are not alike.
static Value joinedElements(GraphBuilder &build, ListOp list) {
  auto types = list.getElements().getTypes();
  if (types.empty() || !llvm::all_equal(types))
    return {};
  if (auto type = dyn_cast<TensorType>(types.front()))
    return type.isStatic() ? build.op<aten::StackOp>(Any(build, list), 0).v : Value();
  if (!types.front().isIntOrFloat())
    return {};
  int64_t dtype = int64_t(*typeToDtype(types.front()));
  return build.op<aten::TensorOp>(Any(build, list), dtype, build.none(), false).v;
}

namespace {

struct PickFromJoined : OpRewritePattern<aten::GetItemTOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(aten::GetItemTOp op, PatternRewriter &rewriter) const override {
    auto list = withoutDerefine(op.getList()).getDefiningOp<ListOp>();
    if (!list || IntInfo(op.getIdx()).known)
      return rewriter.notifyMatchFailure(
          op, "expected a list that is made here, a number that is not known");
    GraphBuilder build{rewriter, op.getLoc()};
    rewriter.setInsertionPointAfter(list);
    Value joined = joinedElements(build, list);
    if (!joined)
      return rewriter.notifyMatchFailure(op, "expected elements of one type and known sizes");
    rewriter.setInsertionPoint(op);
    Tensor picked = build.op<aten::SelectIntOp>(Any(build, joined), 0, Any(build, op.getIdx()));
    bool isNumber = !isa<TensorType>(list.getElements().front().getType());
    Value value = isNumber ? build.op<aten::ItemOp>(picked).v : picked.v;
    rewriter.replaceOp(op, castTo(rewriter, op.getLoc(), value, op.getResult().getType()));
    return success();
  }
};

} // namespace

void populateListPickPatterns(RewritePatternSet &patterns) {
  patterns.add<PickFromJoined>(patterns.getContext());
}

} // namespace jit

//===- Gradients.cpp - one gradient for each input ------------------------===//

#include "Gradients.h"
#include "jit/Dialect/Aten/Gradient.h"
#include "jit/Dialect/Aten/History.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace jit {

namespace {

struct SettleGradients : OpRewritePattern<aten::GradOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(aten::GradOp op, PatternRewriter &rewriter) const override {
    ListInfo outputs(op.getOutputs()), inputs(op.getInputs()), given(op.getGradOutputs());
    BoolInfo createGraph(op.getCreateGraph()), allowUnused(op.getAllowUnused());
    bool hasNone = isa<NoneType>(op.getGradOutputs().getType());
    if (!outputs.elements || !inputs.elements || !(hasNone || given.elements) ||
        !createGraph.known || !allowUnused.known)
      return rewriter.notifyMatchFailure(op, "expected lists of known length and known flags");
    GraphBuilder build{rewriter, op.getLoc()};
    size_t count = hasNone ? outputs.elements->size() : given.elements->size();
    if (count != outputs.elements->size()) {
      std::string text =
          llvm::formatv("got {0} tensors and {1} gradients", outputs.elements->size(), count);
      GuardOp::create(rewriter, op.getLoc(), build.flag(false).v, "builtins.RuntimeError", text,
                      ValueRange());
    }
    auto optional = OptionalType::get(TensorType::get(op.getContext()));
    Value weights = op.getGradOutputs();
    if (hasNone || count != outputs.elements->size())
      weights = ListOp::create(rewriter, op.getLoc(), ListType::get(optional),
                               SmallVector<Value>(outputs.elements->size(), build.none().v));
    SmallVector<Value> gradients;
    for (auto [index, input] : llvm::enumerate(*inputs.elements)) {
      bool isUnused = *allowUnused.known && !dependsOn(*outputs.elements, op, input);
      gradients.push_back(isUnused
                              ? build.none().v
                              : build
                                    .op<aten::GradientOp>(op.getOutputs(), op.getInputs(), weights,
                                                          int64_t(index), op.getCreateGraph(),
                                                          op.getAllowUnused())
                                    .v);
    }
    rewriter.replaceOpWithNewOp<ListOp>(op, op.getType(), gradients);
    return success();
  }

  static bool dependsOn(ArrayRef<Value> outputs, Operation *op, Value input) {
    return llvm::any_of(outputs, [&](Value output) {
      return mayDependOn(output, op, [&](Value value) { return value == input; });
    });
  }
};

} // namespace

void populateGradientPatterns(RewritePatternSet &patterns) {
  patterns.add<SettleGradients>(patterns.getContext());
}

} // namespace jit

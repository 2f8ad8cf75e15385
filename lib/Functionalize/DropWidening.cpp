//===- DropWidening.cpp - operators read tensors under the narrowest type -===//

#include "jit/Functionalize/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_DROPWIDENINGPASS
#include "jit/Functionalize/Passes.h.inc"

namespace {

struct DropWideningPass : impl::DropWideningPassBase<DropWideningPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateDropWideningPatterns(patterns);
    // Each rewrite takes a cast out of the way, so this comes to an end.
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
  }
};

} // namespace

} // namespace jit

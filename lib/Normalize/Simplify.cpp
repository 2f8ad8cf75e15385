//===- Simplify.cpp - folds what is known ---------------------------------===//

#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Normalize/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_SIMPLIFYPASS
#include "jit/Normalize/Passes.h.inc"

/// False for an operator that may copy what is written in place: its rule may say that the copy is
/// the original.
static bool makesNoWrittenCopy(Operation *op) {
  if (op->hasTrait<DecomposesEarly>())
    return false;
  auto isWrittenList = [](Value value) {
    return isa<ListType>(value.getType()) && isWrittenInPlace(value);
  };
  return !llvm::any_of(op->getResultTypes(), llvm::IsaPred<ListType>) ||
         !(llvm::any_of(op->getOperands(), isWrittenList) ||
           llvm::any_of(op->getResults(), isWrittenList));
}

namespace {

/// Hides the elements of lists that grow later: a fold would read a list as it was made. A cast
/// without a meaning of its own stands for the list meanwhile.
class GrowingLists {
public:
  explicit GrowingLists(ModuleOp module) {
    SmallVector<ListOp> lists;
    module.walk([&](ListOp list) {
      if (isWrittenInPlace(list))
        lists.push_back(list);
    });
    for (ListOp list : lists) {
      OpBuilder builder(list);
      auto cast = UnrealizedConversionCastOp::create(builder, list.getLoc(), list.getType(),
                                                     list.getElements());
      list.getResult().replaceAllUsesWith(cast.getResult(0));
      list.erase();
    }
  }

  static void restore(ModuleOp module) {
    module.walk([](UnrealizedConversionCastOp cast) {
      OpBuilder builder(cast);
      cast.getResult(0).replaceAllUsesWith(
          ListOp::create(builder, cast.getLoc(), cast.getResult(0).getType(), cast.getInputs()));
      cast.erase();
    });
  }
};

struct SimplifyPass : impl::SimplifyPassBase<SimplifyPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    for (Dialect *dialect : getContext().getLoadedDialects())
      dialect->getCanonicalizationPatterns(patterns);
    for (RegisteredOperationName op : getContext().getRegisteredOperations())
      op.getCanonicalizationPatterns(patterns, &getContext());
    populateScalarExpansionPatterns(patterns);
    populateValueDecompositionPatterns(patterns, makesNoWrittenCopy);
    populateDropWideningPatterns(patterns);
    // A selection among tensors or containers would be a second form of branch for every later
    // pass.
    FrozenRewritePatternSet frozen(std::move(patterns),
                                   {"(anonymous namespace)::ConvertTrivialIfToSelect"});
    GrowingLists growing(getOperation());
    // Not coming to an end within the limit leaves a correct program.
    (void)applyPatternsGreedily(
        getOperation(), frozen,
        GreedyRewriteConfig().setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled));
    GrowingLists::restore(getOperation());
  }
};

} // namespace

} // namespace jit

//===- BatchNorm.cpp - batch norm's writes, and training mode -------------===//

#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/Lists.h"
#include "jit/Dialect/Aten/Norm.h"
#include "jit/Normalize/Passes.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_EXPOSEBATCHNORMPASS
#define GEN_PASS_DEF_SETTRAININGPASS
#include "jit/Normalize/Passes.h.inc"

static bool isPresent(Value statistic) {
  return isa<TensorType>(withoutDerefine(statistic).getType());
}

static void expose(aten::BatchNormOp op) {
  OpBuilder b(op);
  GraphBuilder build{b, op.getLoc()};
  auto tensor = [&](Value value) {
    return castTo(b, op.getLoc(), value, TensorType::get(op.getContext()));
  };
  Value mean = withoutDerefine(op.getRunningMean()), variance = withoutDerefine(op.getRunningVar());
  Operation *functional = build.multi<aten::NativeBatchNormLegitFunctionalOp>(
      op.getInput(), op.getWeight(), op.getBias(), mean, variance, op.getTraining(),
      op.getMomentum(), op.getEps());
  for (auto [statistic, result] : {std::pair(mean, 3), std::pair(variance, 4)})
    OverwriteOp::create(b, op.getLoc(), statistic.getType(), statistic,
                        functional->getResult(result));
  op.replaceAllUsesWith(
      castTo(b, op.getLoc(), tensor(functional->getResult(0)), op.getResult().getType()));
  op.erase();
}

namespace {

struct ExposeBatchNormPass : impl::ExposeBatchNormPassBase<ExposeBatchNormPass> {
  void runOnOperation() override {
    SmallVector<aten::BatchNormOp> training;
    getOperation().walk([&](aten::BatchNormOp op) {
      if (BoolInfo(op.getTraining()).known == true && isPresent(op.getRunningMean()) &&
          isPresent(op.getRunningVar()))
        training.push_back(op);
    });
    llvm::for_each(training, expose);
  }
};

struct SetTrainingPass : impl::SetTrainingPassBase<SetTrainingPass> {
  void runOnOperation() override {
    getOperation().walk([&](SlotOp slot) {
      StringRef name = slot.getSymName();
      bool isFlag = name == "training" || name.ends_with(".training");
      if (isFlag && slot.getType().isInteger(1))
        slot.setValueAttr(BoolAttr::get(&getContext(), true));
    });
  }
};

} // namespace

} // namespace jit

//===- BatchNorm.cpp - batch norm's writes, and training mode -------------===//

#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/Lists.h"
#include "jit/Dialect/Aten/Norm.h"
#include "jit/Normalize/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_EXPOSEBATCHNORMPASS
#define GEN_PASS_DEF_SETTRAININGPASS
#include "jit/Normalize/Passes.h.inc"

static bool isPresent(Value statistic) {
  return isa<TensorType>(withoutDerefine(statistic).getType());
}

static Value trainingOf(aten::BatchNormWithUpdateOp, GraphBuilder &build) {
  return build.flag(true).v;
}
template <typename OpTy> static Value trainingOf(OpTy op, GraphBuilder &) {
  return op.getTraining();
}

/// The results of the operator in place of those of a norm, the value first.
static void replaceBy(Operation *functional, Operation *norm, GraphBuilder &build) {
  auto given = functional->getResults().take_front(3);
  SmallVector<Value> values(given.take_front(std::min<size_t>(3, norm->getNumResults())));
  if (norm->getNumResults() == 4) { // what a device keeps for the backward pass
    Any none = build.none();
    values.push_back(
        build.op<aten::ZerosOp>(build.ints({0}), int64_t(ScalarType::Byte), none, none, none).v);
  }
  Type tensor = TensorType::get(norm->getContext());
  for (auto [result, value] : llvm::zip_equal(norm->getResults(), values)) {
    Value plain = castTo(build.builder, norm->getLoc(), value, tensor);
    result.replaceAllUsesWith(castTo(build.builder, norm->getLoc(), plain, result.getType()));
  }
  norm->erase();
}

template <typename OpTy> static void exposeIfTraining(OpTy op) {
  OpBuilder b(op);
  GraphBuilder build{b, op.getLoc()};
  Value training = trainingOf(op, build);
  if (BoolInfo(training).known != true || !isPresent(op.getRunningMean()) ||
      !isPresent(op.getRunningVar()))
    return;
  Value mean = withoutDerefine(op.getRunningMean()), variance = withoutDerefine(op.getRunningVar());
  Operation *functional = build.multi<aten::NativeBatchNormLegitFunctionalOp>(
      op.getInput(), op.getWeight(), op.getBias(), mean, variance, training, op.getMomentum(),
      op.getEps());
  for (auto [statistic, result] : {std::pair(mean, 3), std::pair(variance, 4)})
    OverwriteOp::create(b, op.getLoc(), statistic.getType(), statistic,
                        functional->getResult(result));
  replaceBy(functional, op, build);
}

namespace {

struct ExposeBatchNormPass : impl::ExposeBatchNormPassBase<ExposeBatchNormPass> {
  void runOnOperation() override {
    SmallVector<Operation *> operators;
    getOperation().walk([&](Operation *op) { operators.push_back(op); });
    for (Operation *op : operators)
      llvm::TypeSwitch<Operation *>(op)
          .Case<aten::BatchNormOp, aten::NativeBatchNormOp, aten::NativeBatchNormLegitOp,
                aten::BatchNormWithUpdateOp>([](auto norm) { exposeIfTraining(norm); });
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

//===- ExpandGradients.cpp - gradients that a program asks for ------------===//

#include "GradientRequest.h"
#include "Reverse.h"
#include "jit/Autodiff/Passes.h"
#include "jit/Dialect/Aten/AutocastPolicy.h"
#include "jit/Dialect/Aten/History.h"
#include "jit/Dialect/Aten/View.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_JITEXPANDGRADIENTS
#include "jit/Autodiff/Passes.h.inc"

namespace {

//===----------------------------------------------------------------------===//
// One request
//===----------------------------------------------------------------------===//

/// Differentiates what stands before a request, in its block and around it.
class RequestExpander {
public:
  RequestExpander(func::FuncOp func, GradientRequest &request) : func(func), request(request) {
    for (Operation *op = request.first(); op != func; op = op->getParentOp())
      around.push_back(op);
  }

  LogicalResult run() {
    // Rules say for themselves what a region does to what they build.
    for (aten::GradientOp op : request.gradients)
      if (auto regions = dyn_cast_or_null<DictionaryAttr>(op->removeAttr(autocastAttr)))
        lower = lowerOf(regions);
    for (unsigned i = 0; i < request.inputs.size(); ++i)
      seeds.insert(request.variable(i));
    ActiveValues active = seeds;
    if (failed(checkRegion()))
      return failure();
    expandAndPropagate(func, active, [&](ActiveValues &values) { propagate(values); });
    // The lists may have other elements by now.
    auto current = requestOf(request.gradients.front());
    if (failed(current))
      return failure();
    request = *current;
    OpBuilder b(request.first());
    GradientMap gradients;
    for (unsigned i = 0; i < request.outputs.size(); ++i)
      if (active.contains(request.outputs[i]))
        accumulate(b, request.first()->getLoc(), gradients, request.outputs[i],
                   weightOf(b, request, i));
    if (failed(reverse(active, b, gradients)))
      return failure();
    return replace(b, gradients);
  }

private:
  /// The element type that the region of the request casts products to, on the CPU.
  Type lowerOf(DictionaryAttr regions) const {
    auto dtype = regions.getAs<IntegerAttr>("cpu");
    return dtype ? dtypeToType(ScalarType(dtype.getInt()), regions.getContext()) : Type();
  }

  LogicalResult checkRegion() {
    if (!lower)
      return success();
    ActiveValues active = seeds;
    propagate(active);
    WalkResult walk = func.walk([&](Operation *op) {
      bool isActive = llvm::any_of(op->getResults(), [&](Value v) { return active.contains(v); });
      return isActive && failed(checkInRegion(op, lower)) ? WalkResult::interrupt()
                                                          : WalkResult::advance();
    });
    return failure(walk.wasInterrupted());
  }

  /// Adds what depends on the seeds and is computed before the request. A variable of a loop around
  /// it depends on them if they stand before the loop.
  void propagate(ActiveValues &active) {
    carried.clear();
    for (Operation *end : llvm::reverse(around)) {
      for (Operation &op : llvm::make_range(end->getBlock()->begin(), end->getIterator()))
        propagateActivity(op, active);
      if (!isa<LoopLikeOpInterface>(end))
        continue;
      ActiveValues outside = active;
      for (Value seed : seeds)
        if (end->isAncestor(seed.getParentRegion()->getParentOp()))
          outside.erase(seed);
      propagateActivity(*end, outside);
      for (Region &region : end->getRegions())
        for (Value argument : region.getArguments())
          if (outside.contains(argument)) {
            active.insert(argument);
            carried.insert(argument);
          }
    }
  }

  LogicalResult reverse(ActiveValues &active, OpBuilder &b, GradientMap &gradients) {
    Reverse reverse(active, lower);
    for (Operation *end : around)
      if (failed(reverse.before(end, b, gradients)))
        return failure();
    for (auto [value, gradient] : gradients)
      if (carried.contains(value))
        return request.first()->emitError(
            "expected a gradient within one trip of the loop around it, got one by what was "
            "computed before the loop, through what the loop carries");
    return success();
  }

  LogicalResult replace(OpBuilder &b, GradientMap &gradients) {
    for (aten::GradientOp op : request.gradients) {
      unsigned i = request.indexOf(op);
      Value gradient = gradients.lookup(request.variable(i));
      if (!gradient && request.allowUnused)
        return op.emitError("expected to know before the program is differentiated that no output "
                            "depends on element ")
               << i << " of the inputs";
      if (!gradient) {
        raise(b, op.getLoc(),
              "element " + Twine(i) +
                  " of the differentiated Tensors appears to not have been used in the graph. Set "
                  "allow_unused=True if this is the desired behavior.");
        gradient = zerosFor(b, op.getLoc(), request.inputs[i]);
      }
      if (!request.createGraph)
        gradient = aten::DetachOp::create(b, op.getLoc(), gradient.getType(), ValueRange{gradient});
      op.getResult().replaceAllUsesWith(castTo(b, op.getLoc(), gradient, op.getType()));
    }
    for (aten::GradientOp op : request.gradients)
      op.erase();
    return success();
  }

  func::FuncOp func;
  GradientRequest &request;
  /// The request and what it stands in, from the inside out.
  SmallVector<Operation *> around;
  ActiveValues seeds;
  DenseSet<Value> carried;
  /// Null outside of regions of autocast.
  Type lower;
};

/// A request that no call gets beyond has zeros for what follows.
void giveZeros(const GradientRequest &request) {
  for (aten::GradientOp op : request.gradients) {
    OpBuilder b(op);
    op.getResult().replaceAllUsesWith(
        zerosFor(b, op.getLoc(), request.inputs[request.indexOf(op)]));
    op.erase();
  }
}

LogicalResult expand(func::FuncOp func, aten::GradientOp op) {
  FailureOr<GradientRequest> request = requestOf(op);
  if (failed(request))
    return failure();
  RequiresGrad requiresGrad;
  bool isRefused = false;
  if (failed(checkRequest(*request, requiresGrad, isRefused)))
    return failure();
  if (isRefused)
    return giveZeros(*request), success();
  return RequestExpander(func, *request).run();
}

//===----------------------------------------------------------------------===//
// What is left of histories
//===----------------------------------------------------------------------===//

/// Whether what is asked to require a gradient stays what it is: it requires one already, or
/// cannot.
std::optional<bool> isNoLeaf(aten::LeafOp leaf) {
  if (isDifferentiable(leaf.getType()))
    return RequiresGrad()(leaf.getSelf());
  OpBuilder b(leaf);
  raise(b, leaf.getLoc(), "Only Tensors of floating point and complex dtype can require gradients");
  return true;
}

/// Takes away the leaves that are none, of those before `end` or of all.
LogicalResult settleLeaves(func::FuncOp func, Operation *end) {
  bool isKnown = true;
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == end)
      return WalkResult::interrupt();
    auto leaf = dyn_cast<aten::LeafOp>(op);
    std::optional<bool> isNone = leaf ? isNoLeaf(leaf) : false;
    if (isNone == false)
      return WalkResult::advance();
    if (!isNone) {
      isKnown = false;
      leaf.emitError(
          "expected to know whether a tensor requires a gradient: it depends on the data");
      return WalkResult::interrupt();
    }
    leaf.getResult().replaceAllUsesWith(leaf.getSelf());
    leaf.erase();
    return WalkResult::skip();
  });
  return success(isKnown);
}

/// What Specialize knew too little of.
LogicalResult refuseUnsettled(func::FuncOp func) {
  WalkResult walk = func.walk([](aten::GradOp op) {
    op.emitOpError("expected lists of known length and known flags");
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

/// Answers what is known. An error for what is not, or with `rest` that question.
LogicalResult answerQuestions(func::FuncOp func, aten::RequiresGradOp *rest = nullptr) {
  RequiresGrad requiresGrad;
  WalkResult walk = func.walk([&](aten::RequiresGradOp op) {
    std::optional<bool> answer = requiresGrad(op.getA());
    if (!answer && rest) {
      *rest = op;
      return WalkResult::advance();
    }
    if (!answer) {
      op.emitError("expected to know whether a tensor requires a gradient: it depends on the data");
      return WalkResult::interrupt();
    }
    OpBuilder b(op);
    op.getResult().replaceAllUsesWith(
        arith::ConstantOp::create(b, op.getLoc(), b.getBoolAttr(*answer)));
    op.erase();
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

unsigned countQuestions(func::FuncOp func) {
  unsigned count = 0;
  func.walk([&](aten::RequiresGradOp) { ++count; });
  return count;
}

template <typename OpTy> void drop(func::FuncOp func) {
  func.walk([](OpTy op) {
    op.getResult().replaceAllUsesWith(op.getSelf());
    op.erase();
  });
}

aten::GradientOp firstGradient(func::FuncOp func) {
  aten::GradientOp first;
  func.walk<WalkOrder::PreOrder>([&](aten::GradientOp op) {
    first = op;
    return WalkResult::interrupt();
  });
  return first;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

struct ExpandGradientsPass : impl::JitExpandGradientsBase<ExpandGradientsPass> {
  using JitExpandGradientsBase::JitExpandGradientsBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    JitExpandGradientsBase::getDependentDialects(registry);
    tidying().getDependentDialects(registry);
  }

  void runOnOperation() override {
    bool isExpanded = false;
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      if (func.isExternal())
        continue;
      while (aten::GradientOp op = firstGradient(func)) {
        isExpanded = true;
        if (failed(settleLeaves(func, op)) || failed(expand(func, op)))
          return signalPassFailure();
      }
      if (failed(settleLeaves(func, nullptr)) || failed(refuseUnsettled(func)) ||
          failed(settleQuestions(func)))
        return signalPassFailure();
      drop<aten::LeafOp>(func);
      drop<aten::VariableOp>(func);
    }
    OpPassManager tidy = tidying();
    if (isExpanded && failed(runPipeline(tidy, getOperation())))
      signalPassFailure();
  }

  /// An answer may settle a branch, and with it what another question is about.
  LogicalResult settleQuestions(func::FuncOp func) {
    OpPassManager folding(func::FuncOp::getOperationName());
    folding.addPass(createCanonicalizerPass());
    for (unsigned before = countQuestions(func), left; before > 0; before = left) {
      aten::RequiresGradOp rest;
      (void)answerQuestions(func, &rest);
      left = countQuestions(func);
      if (left == before)
        return answerQuestions(func);
      if (left > 0 && failed(runPipeline(folding, func)))
        return failure();
    }
    return success();
  }

  /// A second gradient is that of what is left of the first.
  static OpPassManager tidying() {
    OpPassManager pm(ModuleOp::getOperationName());
    pm.addNestedPass<func::FuncOp>(createJitEliminateGradSumToSize());
    pm.addPass(createCanonicalizerPass());
    pm.addPass(createCSEPass());
    pm.addNestedPass<func::FuncOp>(createJitMergeGradSumToSize());
    pm.addNestedPass<func::FuncOp>(createJitMoveGradSumToSize());
    return pm;
  }
};

} // namespace

} // namespace jit

//===- Lower.cpp - the pass jit-lower -------------------------------------===//

#include "Lower.h"
#include "ListPicks.h"
#include "jit/Dialect/Aten/CustomOperators.h"
#include "jit/Dialect/Foreign/Foreign.h"
#include "jit/Dialect/Jit/Contract.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/Raise.h"
#include "jit/Lower/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace jit {
#define GEN_PASS_DEF_LOWERPASS
#include "jit/Lower/Passes.h.inc"

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

/// Operators whose lowering takes sizes from its operands where types leave them open.
static bool takesOpenSizes(Operation *op) {
  return op->hasTrait<TakesOpenSizes>() || !isa<AtenOpInterface>(op);
}

static LogicalResult checkKnown(Operation *op, Location loc, Type type, bool openSizes) {
  auto tensor = dyn_cast<TensorType>(type);
  if (!tensor || tensor.isStatic() || (openSizes && tensor.hasRank() && tensor.hasDtype()))
    return success();
  StringRef want = !tensor.hasRank()          ? "a known rank"
                   : !tensor.hasStaticSizes() ? "a static size"
                                              : "a known element type";
  return emitError(loc, "expected ") << want << " in " << operatorNameOf(op) << wholeClause(op)
                                     << ", got " << type << needsClause(needsOf(op));
}

static bool hasOpenSize(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor && tensor.hasRank() && !tensor.hasStaticSizes();
}

/// Whether a size of what the operator gives follows from the values of its operands, or from the
/// way that data make it go.
static bool takesSizesFromData(Operation *op) {
  return isa<AtenOpInterface, RegionBranchOpInterface, DerefineOp>(op) &&
         llvm::any_of(op->getResultTypes(), hasOpenSize) &&
         llvm::none_of(op->getOperandTypes(), hasOpenSize);
}

/// Sizes that the data say are open whatever a call's sizes are; so are, in a backward function,
/// those of what the forward gave or kept.
static void openSizesOfData(func::FuncOp func) {
  bool isGiven = llvm::any_of(llvm::seq(func.getNumArguments()), [&](unsigned i) {
    return hasOpenSize(func.getArgumentTypes()[i]) &&
           (func.getArgAttr(i, gradOfAttr) || func.getArgAttr(i, residualAttr));
  });
  WalkResult walk = func.walk([](Operation *op) {
    return takesSizesFromData(op) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (isGiven || walk.wasInterrupted())
    func->setAttr(symbolicAttr, UnitAttr::get(func.getContext()));
}

/// The types of the operands and results, and of what lists among the operands hold.
static SmallVector<Type> typesAt(Operation *op) {
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (Value operand : op->getOperands())
    if (auto list = operand.getDefiningOp<ListOp>())
      llvm::append_range(types, list->getOperandTypes());
  return types;
}

/// Every tensor of the function has a type of which enough is known.
static LogicalResult checkKnown(func::FuncOp func) {
  bool symbolic = func->hasAttr(symbolicAttr);
  WalkResult walk = func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool openSizes = symbolic && takesOpenSizes(op);
    for (Type type : typesAt(op))
      if (failed(checkKnown(op, op->getLoc(), type, openSizes)))
        return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (BlockArgument arg : region.getArguments())
        if (failed(checkKnown(op, arg.getLoc(), arg.getType(), openSizes)))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// Arguments and results are tensors and numbers.
static LogicalResult checkSignature(func::FuncOp func) {
  for (auto [what, types] :
       {std::pair("argument", func.getArgumentTypes()), std::pair("result", func.getResultTypes())})
    for (auto [i, type] : llvm::enumerate(types))
      if (!isa<TensorType, RankedTensorType>(type) && !type.isIntOrFloat())
        return func.emitError("expected tensors and numbers as ")
               << what << "s, got " << type << " as " << what << " " << i;
  return success();
}

/// Nothing of PyTorch is left but checks. Operators are reported
/// first: the values that they hold are left because of them.
static LogicalResult checkLowered(ModuleOp module) {
  auto report = [&](function_ref<bool(Operation *)> isLeft,
                    function_ref<std::string(Operation *)> said) {
    return module.walk([&](Operation *op) {
      if (!isLeft(op))
        return WalkResult::advance();
      op->emitError(said(op));
      return WalkResult::interrupt();
    });
  };
  auto isValue = [](Operation *op) {
    return isa_and_present<JitDialect>(op->getDialect()) && !isa<GuardOp>(op);
  };
  auto notValue = [](Operation *op) {
    return "expected values of tensors and numbers alone, got " + operatorNameOf(op).str();
  };
  auto isOperator = [](Operation *op) { return isa<AtenOpInterface>(op); };
  return failure(report(isOperator, missingLowering).wasInterrupted() ||
                 report(isValue, notValue).wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Operators that are made of simpler ones: whole until here so that earlier stages can see them.
static LogicalResult decompose(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  populateDecompositionPatterns(patterns);
  populateScalarExpansionPatterns(patterns);
  populateListPickPatterns(patterns);
  if (failed(applyPatternsGreedily(module, std::move(patterns))))
    return failure();
  // What is left of them has no lowering, but for sizes that the call tells.
  module.walk([](DecomposableOpInterface op) {
    if (llvm::all_of(op->getResultTypes(), llvm::IsaPred<TensorType>))
      (void)refuseBehindBranch(op, missingLowering(op));
  });
  return success();
}

/// Builtin tensors have no unsigned elements, those of 8 bits are integers, and complex ones in a
/// last dimension: `jit.dtype` says which were.
static void recordDtypes(func::FuncOp func) {
  auto recorded = [&](Type type) -> Attribute {
    auto tensor = dyn_cast<TensorType>(type);
    Type dtype = tensor ? tensor.getDtype() : Type();
    if (!dtype || !(dtype.isUnsignedInteger() || isFloat8(dtype) || isa<ComplexType>(dtype)))
      return {};
    return IntegerAttr::get(IntegerType::get(func.getContext(), 64), int64_t(*typeToDtype(dtype)));
  };
  for (auto [i, type] : llvm::enumerate(func.getArgumentTypes()))
    if (Attribute dtype = recorded(type))
      func.setArgAttr(i, dtypeAttr, dtype);
  for (auto [i, type] : llvm::enumerate(func.getResultTypes()))
    if (Attribute dtype = recorded(type))
      func.setResultAttr(i, dtypeAttr, dtype);
}

static LogicalResult convert(ModuleOp module) {
  MLIRContext *context = module.getContext();
  LoweredTypes types;
  ConversionTarget target(*context);
  RewritePatternSet patterns(context);
  auto isLowered = [&](Operation *op) { return types.isLegal(op); };
  target.addLegalDialect<foreign::ForeignDialect, linalg::LinalgDialect, math::MathDialect,
                         tensor::TensorDialect>();
  target.addLegalOp<GuardOp>();
  target.addDynamicallyLegalDialect<arith::ArithDialect>(isLowered);
  target.addDynamicallyLegalOp<func::ReturnOp, func::CallOp>(isLowered);
  target.addDynamicallyLegalOp<func::FuncOp>(
      [&](func::FuncOp op) { return types.isSignatureLegal(op.getFunctionType()); });
  populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns, types);
  populateReturnOpTypeConversionPattern(patterns, types);
  populateCallOpTypeConversionPattern(patterns, types);
  scf::populateSCFStructuralTypeConversionsAndLegality(types, patterns, target);
  populateFrameLowering(types, patterns);
  populateEmptyLowering(types, patterns);
  populatePointwiseLowering(types, patterns);
  populateReductionLowering(types, patterns);
  populateMatmulLowering(types, patterns);
  populateConvLowering(types, patterns);
  populatePoolLowering(types, patterns);
  populateViewLowering(types, patterns);
  populateAffineReadLowering(types, patterns);
  populateIndexLowering(types, patterns);
  populateBoxesLowering(types, patterns);
  populateBoxPoolLowering(types, patterns);
  populateCreationLowering(types, patterns);
  populateRandomLowering(types, patterns);
  populateScalarLowering(types, patterns);
  populateComplexLowering(types, patterns);
  populateCustomLowering(types, patterns);
  // What has no lowering stays, so that checkLowered can say so in our words.
  return applyPartialConversion(module, target, std::move(patterns));
}

/// Lists, strings and None were operands of operators that are gone; each weight is an argument
/// that names its slot.
static void eraseDead(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (isa<SlotOp, AliasOp>(op))
      rewriter.eraseOp(&op);
  module.walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (isOpTriviallyDead(op))
      rewriter.eraseOp(op);
  });
}

LogicalResult verifyLowered(ModuleOp module) {
  auto isBuiltin = [](Type type) {
    return isa<RankedTensorType, IndexType>(type) || type.isIntOrFloat();
  };
  auto defines = [&](Operation *op) { return definesOnly(op, isBuiltin); };
  ConversionTarget target(*module.getContext());
  target.addLegalOp<GuardOp, bufferization::AllocTensorOp, func::FuncOp, func::ReturnOp>();
  target.addDynamicallyLegalDialect<arith::ArithDialect, foreign::ForeignDialect,
                                    linalg::LinalgDialect, math::MathDialect, scf::SCFDialect,
                                    tensor::TensorDialect>(defines);
  return verifyContract(module, target,
                        "linalg, tensor, scf, arith, math and foreign on builtin types after "
                        "Lower");
}

namespace {

struct LowerPass : impl::LowerPassBase<LowerPass> {
  using LowerPassBase::LowerPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(turnSlotsIntoArguments(module)) || failed(decompose(module)) ||
        failed(resolveGuardMessages(module)))
      return signalPassFailure();
    SmallVector<func::FuncOp> withSizesOfData;
    for (func::FuncOp func : module.getOps<func::FuncOp>()) {
      bool anySizes = func->hasAttr(symbolicAttr);
      openSizesOfData(func);
      if (!anySizes && func->hasAttr(symbolicAttr))
        withSizesOfData.push_back(func);
      if (failed(checkSignature(func)) || failed(checkKnown(func)))
        return signalPassFailure();
      if (anySizes || !carriesSizes)
        guardCarriedSizes(func, anySizes);
      recordDtypes(func);
    }
    recordInsideAccesses(module);
    if (failed(convert(module)))
      return signalPassFailure();
    llvm::for_each(withSizesOfData, guardBroadcastsOfData);
    if (carriesSizes)
      llvm::for_each(withSizesOfData, copyCarriedSizes);
    eraseDead(module);
    if (failed(checkLowered(module)))
      signalPassFailure();
  }
};

} // namespace

} // namespace jit

//===- ConvertToNVVM.cpp - kernels in terms of NVIDIA's machines ----------===//
#include "Kernels/Launch.h"
#include "Kernels/TensorMaps.h"
#include "NVVM/TensorCoresToNVVM.h"
#include "jit/Codegen/NVVM/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/DialectConversion.h"

namespace jit::codegen {
#define GEN_PASS_DEF_CONVERTTONVVM
#include "jit/Codegen/NVVM/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

/// Elements and numbers below this leave room for a stride of the whole grid in 32 bits.
static constexpr int64_t narrowLimit = int64_t(1) << 30;

static bool isWide(Type type) {
  auto buffer = dyn_cast<MemRefType>(type);
  // What a block shares is small.
  return buffer && !buffer.getMemorySpace() &&
         (!buffer.hasStaticShape() || buffer.getNumElements() >= narrowLimit);
}

/// How many threads a kernel is started with, as far as that is known.
static int64_t threadsOf(gpu::GPUFuncOp kernel) {
  int64_t threads = 1;
  for (auto sizes : {kernel.getKnownGridSize(), kernel.getKnownBlockSize()})
    for (int32_t size : sizes.value_or(ArrayRef<int32_t>()))
      threads *= size;
  return threads;
}

/// True if 32 bits do not hold every index of the kernels.
static bool needsWideIndices(gpu::GPUModuleOp module) {
  for (auto kernel : module.getOps<gpu::GPUFuncOp>())
    if (threadsOf(kernel) >= narrowLimit)
      return true;
  return module
      .walk([](Operation *op) {
        bool isWideHere = llvm::any_of(op->getOperandTypes(), isWide);
        if (auto constant = dyn_cast<arith::ConstantIndexOp>(op))
          isWideHere |= std::abs(constant.value()) >= narrowLimit;
        return isWideHere ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
/// A load through the read-only cache is one of memory that does not change.
template <typename OpT> struct NcLoadLowering : ConvertOpToLLVMPattern<OpT> {
  using ConvertOpToLLVMPattern<OpT>::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op->hasAttr(jit::codegen::ncAttrName))
      return rewriter.notifyMatchFailure(op, "expected a load through the read-only cache");
    Value buffer = adaptor.getOperands().front();
    Value address = this->getStridedElementPtr(
        rewriter, op.getLoc(), op.getMemRefType(), buffer, adaptor.getIndices(),
        LLVM::GEPNoWrapFlags::inbounds | LLVM::GEPNoWrapFlags::nuw);
    Type type = this->typeConverter->convertType(op->getResultTypes().front());
    rewriter.replaceOpWithNewOp<LLVM::LoadOp>(op, type, address, op.getAlignment().value_or(0),
                                              /*isVolatile=*/false, /*isNonTemporal=*/false,
                                              /*isInvariant=*/true);
    return success();
  }
};

/// Blocks of a grid tell each other that they have come, on this device; fences around say what is
/// known then. To add nothing is to look, which others can do at the same time.
struct ArrivalLowering : ConvertOpToLLVMPattern<memref::AtomicRMWOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(memref::AtomicRMWOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getKind() != arith::AtomicRMWKind::addi || !op.getType().isInteger(32))
      return rewriter.notifyMatchFailure(op, "expected a sum of 32 bits");
    Value address =
        this->getStridedElementPtr(rewriter, op.getLoc(), op.getMemRefType(), adaptor.getMemref(),
                                   adaptor.getIndices(), LLVM::GEPNoWrapFlags::inbounds);
    constexpr StringLiteral device = "device";
    if (isConstantIntValue(op.getValue(), 0))
      rewriter.replaceOpWithNewOp<LLVM::LoadOp>(op, op.getType(), address, /*alignment=*/4,
                                                /*isVolatile=*/false, /*isNonTemporal=*/false,
                                                /*isInvariant=*/false, /*isInvariantGroup=*/false,
                                                LLVM::AtomicOrdering::monotonic, device);
    else
      rewriter.replaceOpWithNewOp<LLVM::AtomicRMWOp>(op, LLVM::AtomicBinOp::add, address,
                                                     adaptor.getValue(),
                                                     LLVM::AtomicOrdering::monotonic, device);
    return success();
  }
};

/// The machine's own power of two, where the program allows that: of two ulp, and zero for results
/// below the normal numbers.
struct ApproximateExp2Lowering : ConvertOpToLLVMPattern<math::Exp2Op> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(math::Exp2Op op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    bool isAllowed = arith::bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn);
    if (!isAllowed || !op.getType().isF32())
      return rewriter.notifyMatchFailure(op, "expected an f32 that may be approximated");
    rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(
        op, op.getType(), rewriter.getStringAttr("llvm.nvvm.ex2.approx.ftz"),
        ValueRange{adaptor.getOperand()});
    return success();
  }
};

/// What the machine has an instruction for, or the backend a few: no call of libdevice.
template <typename From, typename To> struct InstructionLowering : ConvertOpToLLVMPattern<From> {
  using ConvertOpToLLVMPattern<From>::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!type.isF32() && !type.isF64())
      return rewriter.notifyMatchFailure(op, "expected a scalar of type f32 or f64");
    rewriter.replaceOpWithNewOp<To>(op, TypeRange(type), adaptor.getOperands());
    return success();
  }
};

struct ConvertToNVVM : jit::codegen::impl::ConvertToNVVMBase<ConvertToNVVM> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    LowerToLLVMOptions options(context);
    options.useBarePtrCallConv = true;
    options.overrideIndexBitwidth(needsWideIndices(getOperation()) ? 64 : 32);
    LLVMTypeConverter converter(context, options);
    configureGpuToNVVMTypeConverter(converter);
    LLVMConversionTarget target(*context);
    configureGpuToNVVMConversionLegality(target);
    target.addLegalOp<gpu::GPUModuleOp>();
    RewritePatternSet patterns(context);
    patterns.add<NcLoadLowering<memref::LoadOp>, NcLoadLowering<vector::LoadOp>>(converter,
                                                                                 /*benefit=*/2);
    addInstructions<
        std::pair<math::AbsFOp, LLVM::FAbsOp>, std::pair<math::CeilOp, LLVM::FCeilOp>,
        std::pair<math::CopySignOp, LLVM::CopySignOp>, std::pair<math::FloorOp, LLVM::FFloorOp>,
        std::pair<math::FmaOp, LLVM::FMAOp>, std::pair<math::RoundEvenOp, LLVM::RoundEvenOp>,
        std::pair<math::SqrtOp, LLVM::SqrtOp>, std::pair<math::TruncOp, LLVM::FTruncOp>>(
        converter, patterns, target);
    patterns.add<ApproximateExp2Lowering, ArrivalLowering>(converter, /*benefit=*/3);
    SymbolTableCollection symbols;
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    index::populateIndexToLLVMConversionPatterns(converter, patterns);
    populateMathToLLVMConversionPatterns(converter, patterns, /*approximateLog1p=*/false);
    populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns, &symbols);
    ub::populateUBToLLVMConversionPatterns(converter, patterns);
    populateVectorToLLVMConversionPatterns(converter, patterns);
    // What the backend has no instructions for is a call of libdevice.
    jit::codegen::populateTensorCorePatterns(converter, patterns);
    populateGpuToNVVMConversionPatterns(converter, patterns, /*benefit=*/2);
    if (failed(applyFullConversion(getOperation(), target, std::move(patterns))))
      return signalPassFailure();
    for (auto kernel : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      passMapsByValue(kernel);
      limitRegisters(kernel);
    }
    for (auto memory : getOperation().getOps<LLVM::GlobalOp>())
      leaveOpen(memory);
  }

private:
  /// A map is all of its bytes, which nobody changes.
  static void passMapsByValue(LLVM::LLVMFuncOp kernel) {
    auto maps = kernel->getAttrOfType<DenseI32ArrayAttr>(jit::codegen::tensorMapsAttrName);
    if (!maps)
      return;
    Builder b(kernel.getContext());
    constexpr int64_t bytes = 128, alignment = 64;
    auto type = TypeAttr::get(LLVM::LLVMArrayType::get(b.getI8Type(), bytes));
    for (int32_t number : maps.asArrayRef()) {
      auto i = static_cast<unsigned>(number);
      kernel.setArgAttr(i, LLVM::LLVMDialect::getByValAttrName(), type);
      kernel.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(), b.getI64IntegerAttr(alignment));
      kernel.setArgAttr(i, NVVM::NVVMDialect::getGridConstantAttrName(), b.getUnitAttr());
    }
    kernel->removeAttr(jit::codegen::tensorMapsAttrName);
  }

  /// Memory whose size a launch says is declared elsewhere.
  static void leaveOpen(LLVM::GlobalOp memory) {
    auto type = dyn_cast<LLVM::LLVMArrayType>(memory.getType());
    if (type && type.getNumElements() == 0)
      memory.setLinkage(LLVM::Linkage::External);
  }

  /// Warps give registers to others only where the assembler knows how many all have at first.
  static void limitRegisters(LLVM::LLVMFuncOp kernel) {
    if (auto most = kernel->getAttrOfType<IntegerAttr>(jit::codegen::registersAttrName)) {
      kernel->setAttr(NVVM::NVVMDialect::getMaxnregAttrName(),
                      Builder(kernel.getContext()).getI32IntegerAttr(int32_t(most.getInt())));
      kernel->removeAttr(jit::codegen::registersAttrName);
    }
    if (kernel.walk([](NVVM::SetMaxRegisterOp) { return WalkResult::interrupt(); })
            .wasInterrupted())
      kernel->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                      Builder(kernel.getContext()).getI32IntegerAttr(1));
  }

  template <typename... Pairs>
  static void addInstructions(LLVMTypeConverter &converter, RewritePatternSet &patterns,
                              ConversionTarget &target) {
    (patterns.add<InstructionLowering<typename Pairs::first_type, typename Pairs::second_type>>(
         converter, /*benefit=*/3),
     ...);
    (target.addLegalOp<typename Pairs::second_type>(), ...);
  }
};
} // namespace

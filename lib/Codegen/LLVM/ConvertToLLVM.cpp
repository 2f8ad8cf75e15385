//===- ConvertToLLVM.cpp - the last conversion ----------------------------===//
#include "Loops/EntryPointers.h"
#include "jit/Codegen/LLVM/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Transforms/DialectConversion.h"

namespace jit::codegen {
#define GEN_PASS_DEF_CONVERTTOLLVM
#include "jit/Codegen/LLVM/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

/// Copies the alias scopes of a memory access to the instruction that it becomes.
template <typename OpT> static void copyScopes(Operation *from, OpT to) {
  if (auto scope = from->getAttrOfType<ArrayAttr>("jit.scope"))
    to.setAliasScopesAttr(scope);
  if (auto scopes = from->getAttrOfType<ArrayAttr>("jit.noalias"))
    to.setNoaliasScopesAttr(scopes);
}

/// What LLVM may assume of addresses inside a buffer.
static constexpr LLVM::GEPNoWrapFlags inBounds =
    LLVM::GEPNoWrapFlags::inbounds | LLVM::GEPNoWrapFlags::nuw;

/// The type in which memory gives and takes elements of `type`. LLVM keeps a bf16 that passes from
/// block to block as an f32, and calls a function to copy it, where the machine has none.
static Type memoryType(Type type) {
  return type.isBF16() ? IntegerType::get(type.getContext(), 16) : type;
}

static Value inType(OpBuilder &builder, Location loc, Type type, Value value) {
  return value.getType() == type ? value
                                 : LLVM::BitcastOp::create(builder, loc, type, value).getResult();
}

namespace {
struct LoadLowering : ConvertOpToLLVMPattern<memref::LoadOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(memref::LoadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value address = getStridedElementPtr(rewriter, op.getLoc(), op.getMemRefType(),
                                         adaptor.getMemref(), adaptor.getIndices(), inBounds);
    Type type = typeConverter->convertType(op.getType());
    auto load = LLVM::LoadOp::create(rewriter, op.getLoc(), memoryType(type), address);
    copyScopes(op, load);
    rewriter.replaceOp(op, inType(rewriter, op.getLoc(), type, load));
    return success();
  }
};

struct StoreLowering : ConvertOpToLLVMPattern<memref::StoreOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(memref::StoreOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value address = getStridedElementPtr(rewriter, op.getLoc(), op.getMemRefType(),
                                         adaptor.getMemref(), adaptor.getIndices(), inBounds);
    Type type = memoryType(adaptor.getValue().getType());
    Value bits = inType(rewriter, op.getLoc(), type, adaptor.getValue());
    auto store = rewriter.replaceOpWithNewOp<LLVM::StoreOp>(op, bits, address);
    copyScopes(op, store);
    return success();
  }
};

/// The memref of a base pointer.
struct RootLowering : OpConversionPattern<UnrealizedConversionCastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(UnrealizedConversionCastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!jit::codegen::isRoot(op))
      return rewriter.notifyMatchFailure(op, "expected a cast of a base pointer");
    auto converter = getTypeConverter<LLVMTypeConverter>();
    Value descriptor = MemRefDescriptor::fromStaticShape(rewriter, op.getLoc(), *converter,
                                                         cast<MemRefType>(op.getType(0)),
                                                         adaptor.getInputs().front());
    rewriter.replaceOp(op, descriptor);
    return success();
  }
};

struct ConvertToLLVM : jit::codegen::impl::ConvertToLLVMBase<ConvertToLLVM> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    LLVMTypeConverter converter(context);
    RewritePatternSet patterns(context);
    // Ours come first: they keep what the others drop.
    patterns.add<LoadLowering, StoreLowering>(converter, /*benefit=*/2);
    patterns.add<RootLowering>(converter, context);
    SymbolTableCollection symbols;
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    // Only what LLVM lacks: a maximum in terms of compare and select would be no reduction to it.
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    populateFuncToLLVMConversionPatterns(converter, patterns, &symbols);
    index::populateIndexToLLVMConversionPatterns(converter, patterns);
    // An intrinsic where LLVM has one (it may be a single instruction), else the C library.
    populateMathToLLVMConversionPatterns(converter, patterns, /*approximateLog1p=*/false,
                                         /*benefit=*/2);
    populateMathToLibmConversionPatterns(patterns);
    populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns, &symbols);
    ub::populateUBToLLVMConversionPatterns(converter, patterns);
    populateVectorToLLVMConversionPatterns(converter, patterns);
    LLVMConversionTarget target(*context);
    target.addLegalOp<ModuleOp>();
    // Casts of earlier passes between memrefs and descriptors meet their inverses below.
    target.addDynamicallyLegalOp<UnrealizedConversionCastOp>(
        [](UnrealizedConversionCastOp cast) { return !jit::codegen::isRoot(cast); });
    if (failed(applyFullConversion(getOperation(), target, std::move(patterns))))
      return signalPassFailure();
    SmallVector<UnrealizedConversionCastOp> casts, left;
    getOperation().walk([&](UnrealizedConversionCastOp cast) { casts.push_back(cast); });
    reconcileUnrealizedCasts(casts, &left);
    for (UnrealizedConversionCastOp cast : left) {
      cast.emitOpError() << "expected types that LLVM has, got " << cast.getOperandTypes() << " to "
                         << cast.getResultTypes();
      signalPassFailure();
    }
  }
};
} // namespace

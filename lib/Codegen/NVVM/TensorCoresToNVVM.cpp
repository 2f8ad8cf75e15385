//===- TensorCoresToNVVM.cpp - copies and products of warps ---------------===//
#include "NVVM/TensorCoresToNVVM.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"

using namespace mlir;

namespace {
/// Upstream's pattern takes indices of 64 bits only.
struct AsyncCopyLowering : ConvertOpToLLVMPattern<nvgpu::DeviceAsyncCopyOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(nvgpu::DeviceAsyncCopyOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    auto toType = cast<MemRefType>(op.getDst().getType());
    auto fromType = cast<MemRefType>(op.getSrc().getType());
    int64_t elementBytes = toType.getElementTypeBitWidth() / 8;
    int64_t bytes = op.getDstElements().getZExtValue() * elementBytes;
    if (bytes != 16)
      return b.notifyMatchFailure(op, "expected a copy of 16 bytes");
    Value to = getStridedElementPtr(b, loc, toType, adaptor.getDst(), adaptor.getDstIndices());
    Value from = getStridedElementPtr(b, loc, fromType, adaptor.getSrc(), adaptor.getSrcIndices());
    auto global = LLVM::LLVMPointerType::get(b.getContext(),
                                             static_cast<unsigned>(NVVM::NVVMMemorySpace::Global));
    if (from.getType() != global)
      from = LLVM::AddrSpaceCastOp::create(b, loc, global, from);
    Value read = adaptor.getSrcElements();
    if (read) {
      if (!read.getType().isInteger(32))
        read = LLVM::TruncOp::create(b, loc, b.getI32Type(), read);
      Value size = LLVM::ConstantOp::create(b, loc, b.getI32IntegerAttr(int32_t(elementBytes)));
      read = LLVM::MulOp::create(b, loc, read, size);
    }
    NVVM::CpAsyncOp::create(b, loc, to, from, static_cast<uint32_t>(bytes),
                            NVVM::LoadCacheModifierKind::CG, read);
    // Tokens say which group a copy belongs to; the machine goes by order.
    b.replaceOpWithNewOp<LLVM::ConstantOp>(op, b.getI32IntegerAttr(0));
    return success();
  }
};

struct MultiplyLowering : ConvertOpToLLVMPattern<nvgpu::MmaSyncOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(nvgpu::MmaSyncOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    Type type = op.getMatrixA().getType().getElementType(), sum = b.getF32Type();
    if ((!type.isF16() && !type.isBF16() && !type.isF32()) ||
        op.getMatrixC().getType().getElementType() != sum)
      return b.notifyMatchFailure(op, "expected f16, bf16 or tf32 that add up in f32");
    auto kind = type.isF16()    ? NVVM::MMATypes::f16
                : type.isBF16() ? NVVM::MMATypes::bf16
                                : NVVM::MMATypes::tf32;
    SmallVector<Value> first = factors(b, loc, adaptor.getMatrixA(), type);
    SmallVector<Value> second = factors(b, loc, adaptor.getMatrixB(), type), sums;
    for (Value pair : rows(b, loc, adaptor.getMatrixC()))
      for (int32_t i = 0; i < 2; ++i)
        sums.push_back(LLVM::ExtractElementOp::create(b, loc, pair, number(b, loc, i)));
    auto four = LLVM::LLVMStructType::getLiteral(b.getContext(), {sum, sum, sum, sum});
    std::array<NVVM::MMATypes, 2> kinds = {kind, kind};
    std::array<NVVM::MMALayout, 2> layouts = {NVVM::MMALayout::row, NVVM::MMALayout::col};
    Value result = NVVM::MmaOp::create(b, loc, four, first, second, sums, op.getMmaShapeAsArray(),
                                       std::nullopt, std::nullopt, kinds, layouts);
    b.replaceOp(op, square(b, loc, result, typeConverter->convertType(op.getType())));
    return success();
  }

private:
  static Value number(OpBuilder &b, Location loc, int32_t value) {
    return LLVM::ConstantOp::create(b, loc, b.getI32IntegerAttr(value));
  }

  static SmallVector<Value> rows(OpBuilder &b, Location loc, Value vector) {
    SmallVector<Value> result;
    auto count = cast<LLVM::LLVMArrayType>(vector.getType()).getNumElements();
    for (unsigned i = 0; i < count; ++i)
      result.push_back(LLVM::ExtractValueOp::create(b, loc, vector, static_cast<int64_t>(i)));
    return result;
  }

  /// The registers that `vector` is made of: pairs of halves, or the bits of a pair of bf16 or of a
  /// float.
  static SmallVector<Value> factors(OpBuilder &b, Location loc, Value vector, Type element) {
    SmallVector<Value> registers = rows(b, loc, vector);
    for (Value &one : registers) {
      if (element.isF32())
        one = LLVM::ExtractElementOp::create(b, loc, one, number(b, loc, 0));
      if (!element.isF16())
        one = LLVM::BitcastOp::create(b, loc, b.getI32Type(), one);
    }
    return registers;
  }

  /// Four numbers as a vector of 2 by 2.
  static Value square(OpBuilder &b, Location loc, Value four, Type type) {
    auto rowType = cast<LLVM::LLVMArrayType>(type).getElementType();
    Value result = LLVM::PoisonOp::create(b, loc, type);
    for (int32_t i = 0; i < 2; ++i) {
      Value row = LLVM::PoisonOp::create(b, loc, rowType);
      for (int32_t j = 0; j < 2; ++j) {
        Value element = LLVM::ExtractValueOp::create(b, loc, four, int64_t(i * 2 + j));
        row = LLVM::InsertElementOp::create(b, loc, row, element, number(b, loc, j));
      }
      result = LLVM::InsertValueOp::create(b, loc, result, row, int64_t(i));
    }
    return result;
  }
};
} // namespace

void jit::codegen::populateTensorCorePatterns(LLVMTypeConverter &converter,
                                              RewritePatternSet &patterns) {
  converter.addConversion([](nvgpu::DeviceAsyncTokenType type) -> Type {
    return IntegerType::get(type.getContext(), 32);
  });
  populateNVGPUToNVVMConversionPatterns(converter, patterns);
  // Sums are squares of numbers.
  vector::populateVectorFromElementsUnrollPatterns(patterns);
  patterns.add<AsyncCopyLowering, MultiplyLowering>(converter, /*benefit=*/2);
}

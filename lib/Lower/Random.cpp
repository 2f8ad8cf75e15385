//===- Random.cpp - lowering of random numbers ----------------------------===//
//
// Counter based: an element is a function of its place and of the number of the draw, so that any
// loop can make any part. Philox 4x32 with ten rounds (Salmon and others, "Parallel random numbers:
// as easy as 1, 2, 3", 2011), with a key of zeros.
//
//===----------------------------------------------------------------------===//

#include "jit/Dialect/Aten/Random.h"
#include "Lower.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace jit {

namespace {
/// Builds on numbers of 32 bits that are held in i64.
struct Words {
  OpBuilder &b;
  Location loc;

  Value number(uint64_t value) {
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(int64_t(value)));
  }
  Value low(Value x) { return arith::AndIOp::create(b, loc, x, number(0xFFFFFFFF)); }
  Value high(Value x) { return arith::ShRUIOp::create(b, loc, x, number(32)); }
  Value times(Value x, uint64_t factor) { return arith::MulIOp::create(b, loc, x, number(factor)); }
  Value mixed(Value x, Value y) { return arith::XOrIOp::create(b, loc, x, y); }
};
} // namespace

/// Two of the four numbers of 32 bits that belong to a place in a draw.
static std::pair<Value, Value> philox(Words words, Value place, Value draw) {
  Value c0 = words.low(place), c1 = words.high(place);
  Value c2 = words.low(draw), c3 = words.high(draw);
  uint32_t k0 = 0, k1 = 0;
  for (int round = 0; round < 10; ++round) {
    Value first = words.times(c0, 0xD2511F53), second = words.times(c2, 0xCD9E8D57);
    c0 = words.mixed(words.mixed(words.high(second), c1), words.number(k0));
    c2 = words.mixed(words.mixed(words.high(first), c3), words.number(k1));
    c1 = words.low(second);
    c3 = words.low(first);
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return {c0, c1};
}

/// As many leading bits as a float of this type has digits, as a number of [0, 1).
static Value fractionOf(Words words, std::pair<Value, Value> bits, FloatType type) {
  unsigned digits = type.getFPMantissaWidth();
  OpBuilder &b = words.b;
  Value upper = arith::ShLIOp::create(b, words.loc, bits.first, words.number(32));
  Value all = arith::OrIOp::create(b, words.loc, upper, bits.second);
  Value kept = arith::ShRUIOp::create(b, words.loc, all, words.number(64 - digits));
  Type computed = type.getWidth() < 32 ? Type(b.getF32Type()) : Type(type);
  Value number = arith::SIToFPOp::create(b, words.loc, computed, kept);
  double unit = 1.0 / double(uint64_t(1) << digits);
  Value scale = arith::ConstantOp::create(b, words.loc, b.getFloatAttr(computed, unit));
  Value fraction = arith::MulFOp::create(b, words.loc, number, scale);
  return convertScalar(b, words.loc, fraction, computed, type);
}

namespace {

struct LowerRand : OpConversionPattern<aten::RandGeneratorOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::RandGeneratorOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = loweredType(op.getResult());
    auto element = dyn_cast<FloatType>(type.getElementType());
    if (!element || !type.hasStaticShape() || !adaptor.getGenerator().getType().isF64())
      return rewriter.notifyMatchFailure(op, "expected floats, static sizes and a draw");
    auto body = [&](OpBuilder &b, Location loc, ValueRange) -> Value {
      Words words{b, loc};
      Value draw = arith::FPToSIOp::create(b, loc, b.getI64Type(), adaptor.getGenerator());
      return fractionOf(words, philox(words, placeOf(words, type.getShape()), draw), element);
    };
    rewriter.replaceOp(op, elementwise(rewriter, op.getLoc(), type, ValueRange(), body));
    return success();
  }

private:
  /// The number of the present element, row by row.
  static Value placeOf(Words words, ArrayRef<int64_t> sizes) {
    Value place = words.number(0);
    for (auto [dim, size] : llvm::enumerate(sizes)) {
      Value index = linalg::IndexOp::create(words.b, words.loc, dim);
      index = arith::IndexCastOp::create(words.b, words.loc, words.b.getI64Type(), index);
      place = arith::AddIOp::create(words.b, words.loc, words.times(place, size), index);
    }
    return place;
  }
};

} // namespace

void populateRandomLowering(const LoweredTypes &types, RewritePatternSet &patterns) {
  patterns.add<LowerRand>(types, patterns.getContext());
}

} // namespace jit

//===- WinogradOp.cpp - convolutions by Winograd's tiles ------------------===//

#include "jit/Codegen/Products/WinogradOp.h"

using namespace mlir;
using namespace mlir::bufferization;

#include "jit/Codegen/Products/WinogradDialect.cpp.inc"

#define GET_OP_CLASSES
#include "jit/Codegen/Products/WinogradOp.cpp.inc"

namespace jit::winograd {

void WinogradDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "jit/Codegen/Products/WinogradOp.cpp.inc"
      >();
}

LogicalResult ConvOp::verify() {
  auto image = cast<ShapedType>(getImage().getType()),
       weights = cast<ShapedType>(getWeights().getType()),
       out = cast<ShapedType>(getOut().getType());
  for (ShapedType type : {image, weights, out})
    if (!type.hasStaticShape())
      return emitOpError("expected known sizes, got ") << type;
  if ((getTile() != 2 && getTile() != 4) || getTaps() != 3)
    return emitOpError("expected tiles of 2 or 4 and 3 taps, got ")
           << getTile() << " and " << getTaps();
  auto expect = [&](const char *what, int64_t wanted, int64_t got) -> LogicalResult {
    return wanted == got ? success()
                         : emitOpError("expected ") << what << " " << wanted << ", got " << got;
  };
  int64_t side = int64_t(getTile()) + int64_t(getTaps()) - 1;
  if (failed(expect("a batch of", image.getDimSize(0), out.getDimSize(0))) ||
      failed(
          expect("a height of", image.getDimSize(1) - int64_t(getTaps()) + 1, out.getDimSize(1))) ||
      failed(
          expect("a width of", image.getDimSize(2) - int64_t(getTaps()) + 1, out.getDimSize(2))) ||
      failed(expect("weights at points", side * side, weights.getDimSize(1))) ||
      failed(expect("weights of channels", image.getDimSize(3), weights.getDimSize(2))))
    return failure();
  int64_t features = weights.getDimSize(0) * weights.getDimSize(3);
  if (features < out.getDimSize(3) || features - out.getDimSize(3) >= weights.getDimSize(3))
    return emitOpError("expected weights of ")
           << out.getDimSize(3) << " features in whole blocks, got " << weights;
  return success();
}

void ConvOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  for (OpOperand &operand : getOperation()->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
    if (isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}

//===----------------------------------------------------------------------===//
// Bufferization
//===----------------------------------------------------------------------===//

bool ConvOp::bufferizesToMemoryRead(OpOperand &, const AnalysisState &) { return true; }

bool ConvOp::bufferizesToMemoryWrite(OpOperand &operand, const AnalysisState &) {
  return isDpsInit(&operand);
}

AliasingValueList ConvOp::getAliasingValues(OpOperand &operand, const AnalysisState &) {
  if (isDpsInit(&operand))
    return {{getTiedOpResult(&operand), BufferRelation::Equivalent}};
  return {};
}

LogicalResult ConvOp::bufferize(RewriterBase &rewriter, const BufferizationOptions &options,
                                BufferizationState &state) {
  SmallVector<Value> buffers;
  for (Value operand : getOperands()) {
    FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
    if (failed(buffer))
      return failure();
    buffers.push_back(*buffer);
  }
  ConvOp::create(rewriter, getLoc(), TypeRange(), buffers[0], buffers[1], buffers[2], getTile(),
                 getTaps());
  replaceOpWithBufferizedValues(rewriter, getOperation(), buffers[2]);
  return success();
}

} // namespace jit::winograd

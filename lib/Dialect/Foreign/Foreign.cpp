//===- Foreign.cpp - calls of functions that are not ours -----------------===//

#include "jit/Dialect/Foreign/Foreign.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::bufferization;

#include "jit/Dialect/Foreign/ForeignDialect.cpp.inc"

#define GET_OP_CLASSES
#include "jit/Dialect/Foreign/ForeignOps.cpp.inc"

namespace jit::foreign {

void ForeignDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "jit/Dialect/Foreign/ForeignOps.cpp.inc"
      >();
}

/// The types in a layout, in order.
static void collectTypes(ArrayAttr layout, SmallVectorImpl<Type> &types) {
  for (Attribute argument : layout)
    if (auto list = dyn_cast<ArrayAttr>(argument))
      collectTypes(list, types);
    else if (auto type = dyn_cast<TypeAttr>(argument))
      types.push_back(type.getValue());
}

/// Whether memory of known sizes, or a number, of this type holds what the layout says.
static bool fits(Type actual, Type said) {
  auto shaped = dyn_cast<ShapedType>(actual);
  if (shaped && !shaped.hasStaticShape())
    return false;
  Type element = shaped ? shaped.getElementType() : actual;
  bool isByte = element.isInteger(8) && said.isIntOrFloat() && said.getIntOrFloatBitWidth() <= 8;
  return element == said || (shaped && isByte);
}

LogicalResult CallOp::verify() {
  SmallVector<Type> types;
  collectTypes(getLayout(), types);
  if (types.size() != getInputs().size())
    return emitOpError("expected a layout of ")
           << getInputs().size() << " inputs, got one of " << types.size();
  if (getDtypes().size() != getOuts().size())
    return emitOpError("expected element types of ")
           << getOuts().size() << " results, got " << getDtypes().size();
  llvm::append_range(types, getDtypes().getAsValueRange<TypeAttr>());
  for (auto [operand, said] : llvm::zip(getOperands(), types))
    if (!fits(operand.getType(), said))
      return emitOpError("expected an operand of ") << said << ", got " << operand.getType();
  for (Type type : getOperandTypes())
    if (auto buffer = dyn_cast<MemRefType>(type); buffer && !buffer.getLayout().isIdentity())
      return emitOpError("expected a row-major buffer, got ") << type;
  return success();
}

void CallOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  for (OpOperand &operand : getOperation()->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    if (isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
    else
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
  }
}

//===----------------------------------------------------------------------===//
// Bufferization
//===----------------------------------------------------------------------===//

bool CallOp::bufferizesToMemoryRead(OpOperand &operand, const AnalysisState &) {
  return !isDpsInit(&operand);
}

bool CallOp::bufferizesToMemoryWrite(OpOperand &operand, const AnalysisState &) {
  return isDpsInit(&operand);
}

AliasingValueList CallOp::getAliasingValues(OpOperand &operand, const AnalysisState &) {
  if (isDpsInit(&operand))
    return {{getTiedOpResult(&operand), BufferRelation::Equivalent}};
  return {};
}

/// Memory of its own for what a C function cannot see as it lies.
static Value allocateRows(OpBuilder &b, Location loc, MemRefType type) {
  return memref::AllocOp::create(b, loc, MemRefType::get(type.getShape(), type.getElementType()),
                                 b.getI64IntegerAttr(64));
}

static bool isRows(Value buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  return !type || type.getLayout().isIdentity();
}

LogicalResult CallOp::bufferize(RewriterBase &rewriter, const BufferizationOptions &options,
                                BufferizationState &state) {
  SmallVector<Value> inputs, outs, buffers;
  for (OpOperand &operand : getOperation()->getOpOperands()) {
    Value value = operand.get();
    if (isa<RankedTensorType>(value.getType())) {
      FailureOr<Value> buffer = getBuffer(rewriter, value, options, state);
      if (failed(buffer))
        return failure();
      value = *buffer;
    }
    if (isDpsInit(&operand))
      buffers.push_back(value);
    Value rows = value;
    if (!isRows(value)) {
      rows = allocateRows(rewriter, getLoc(), cast<MemRefType>(value.getType()));
      if (!isDpsInit(&operand))
        memref::CopyOp::create(rewriter, getLoc(), value, rows);
    }
    (isDpsInit(&operand) ? outs : inputs).push_back(rows);
  }
  CallOp::create(rewriter, getLoc(), TypeRange(), getSymbol(), getSchema(), getLayout(), inputs,
                 outs, getDtypes());
  for (auto [rows, buffer] : llvm::zip(outs, buffers))
    if (rows != buffer)
      memref::CopyOp::create(rewriter, getLoc(), rows, buffer);
  replaceOpWithBufferizedValues(rewriter, getOperation(), buffers);
  return success();
}

} // namespace jit::foreign

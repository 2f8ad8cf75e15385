//===- CarryResized.cpp - what loops carry in another size each trip ------===//
//
// One-shot bufferization has each trip of a loop write what it hands on into the buffer that it was
// given, which has one size. A tensor that Lower copies where it is handed on, for its size may be
// another one, is carried as a buffer instead: a trip copies it into memory for its size.
//
//===----------------------------------------------------------------------===//
#include "Buffers/Carried.h"
#include "Buffers/OpenBuffers.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/Utils/Utils.h"

using namespace mlir;
using namespace jit::codegen;

bool jit::codegen::isResized(Value handedOn) {
  auto copy = handedOn.getDefiningOp<bufferization::AllocTensorOp>();
  return copy && copy.getCopy() && !copy.getType().hasStaticShape();
}

static MemRefType bufferType(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return MemRefType::get(type.getShape(), type.getElementType());
}

/// Has `operand`, a tensor, stored in `buffer` and hands that on.
static void storeIn(OpBuilder &b, OpOperand &operand, Value buffer) {
  bufferization::MaterializeInDestinationOp::create(b, buffer.getLoc(), Type(), operand.get(),
                                                    buffer, /*restrict=*/true, /*writable=*/true);
  operand.set(buffer);
}

/// Gives what was a tensor the type of its buffer; its uses read the tensor there.
static void readFromBuffer(OpBuilder &b, Value value) {
  Type tensor = value.getType();
  value.setType(bufferType(value));
  auto read = bufferization::ToTensorOp::create(b, value.getLoc(), tensor, value,
                                                /*restrict=*/true, /*writable=*/false);
  value.replaceAllUsesExcept(read, read);
}

namespace {

class Carrier {
public:
  explicit Carrier(func::FuncOp func) : b(func) {}

  void carry(scf::ForOp loop);
  void carry(scf::WhileOp loop);

private:
  SmallVector<unsigned> copyResized(MutableArrayRef<OpOperand> handedOn);
  void store(OpOperand &init, OpOperand &handedOn);

  OpBuilder b;
  int64_t buffers = 0;
};

} // namespace

/// All copies of a trip are made before the first of them is stored, as memory is used again, and
/// before the loop's other variables are written, which they may be copies of: where Lower made
/// them.
SmallVector<unsigned> Carrier::copyResized(MutableArrayRef<OpOperand> handedOn) {
  SmallVector<unsigned> resized;
  for (OpOperand &operand : handedOn) {
    if (!isResized(operand.get()))
      continue;
    auto copy = operand.get().getDefiningOp<bufferization::AllocTensorOp>();
    b.setInsertionPoint(copy);
    operand.set(copyOf(b, copy.getLoc(), copy.getCopy()));
    resized.push_back(&operand - handedOn.data());
  }
  return resized;
}

void Carrier::store(OpOperand &init, OpOperand &handedOn) {
  Location loc = handedOn.getOwner()->getLoc();
  b.setInsertionPoint(handedOn.getOwner());
  storeIn(b, handedOn,
          createOpenBuffer(b, loc, bufferType(handedOn.get()),
                           tensor::createDynamicDimValues(b, loc, handedOn.get()), openCarriedAttr,
                           buffers++));
  b.setInsertionPoint(init.getOwner());
  if (isResized(init.get()))
    init.set(init.get().getDefiningOp<bufferization::AllocTensorOp>().getCopy());
  storeIn(b, init,
          memref::AllocOp::create(b, loc, bufferType(init.get()),
                                  tensor::createDynamicDimValues(b, loc, init.get())));
}

void Carrier::carry(scf::ForOp loop) {
  MutableArrayRef<OpOperand> yields = loop.getBody()->getTerminator()->getOpOperands();
  for (unsigned number : copyResized(yields)) {
    store(loop.getInitArgsMutable()[number], yields[number]);
    b.setInsertionPointToStart(loop.getBody());
    readFromBuffer(b, loop.getRegionIterArg(number));
    b.setInsertionPointAfter(loop);
    readFromBuffer(b, loop.getResult(number));
  }
}

void Carrier::carry(scf::WhileOp loop) {
  scf::ConditionOp condition = loop.getConditionOp();
  MutableArrayRef<OpOperand> yields = loop.getYieldOp()->getOpOperands();
  for (unsigned number : copyResized(yields)) {
    BlockArgument carried = loop.getBeforeArguments()[number];
    SmallVector<unsigned> forwarded;
    for (auto [place, value] : llvm::enumerate(condition.getArgs()))
      if (value == carried)
        forwarded.push_back(place);
    store(loop.getInitsMutable()[number], yields[number]);
    b.setInsertionPointToStart(loop.getBeforeBody());
    readFromBuffer(b, carried);
    for (unsigned place : forwarded) {
      condition.getArgsMutable()[place].set(carried);
      b.setInsertionPointToStart(loop.getAfterBody());
      readFromBuffer(b, loop.getAfterArguments()[place]);
      b.setInsertionPointAfter(loop);
      readFromBuffer(b, loop.getResult(place));
    }
  }
}

void jit::codegen::carryResized(func::FuncOp func) {
  Carrier carrier(func);
  func.walk([&](scf::ForOp loop) { carrier.carry(loop); });
  func.walk([&](scf::WhileOp loop) { carrier.carry(loop); });
}

//===- EmulateTensorCores.cpp - what warps do together, on the host -------===//
#include "Emulation/EmulateOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace {
/// Replaces one op. Registers go to the runtime through memory of the function's own.
class TensorEmulator {
public:
  TensorEmulator(Operation *op, Value thread)
      : b(op), loc(op->getLoc()), thread(thread), function(op->getParentOfType<func::FuncOp>()),
        pointer(LLVM::LLVMPointerType::get(op->getContext())) {}

  void emulate(nvgpu::DeviceAsyncCopyOp op);
  void emulate(nvgpu::LdMatrixOp op);
  void emulate(nvgpu::MmaSyncOp op);
  void call(StringRef name, ValueRange operands) {
    jit::codegen::callEmulation(b, loc, name, thread, operands);
  }

  Value number(int64_t value) {
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  }

private:
  /// Where an element is.
  Value addressOf(Value buffer, ValueRange indices);
  Value allocate(VectorType type);
  void spill(Value vector, Value memory);
  Value reload(VectorType type, Value memory);

  OpBuilder b;
  Location loc;
  Value thread;
  func::FuncOp function;
  Type pointer;
};
} // namespace

void jit::codegen::callEmulation(OpBuilder &b, Location loc, StringRef name, Value thread,
                                 ValueRange operands) {
  SmallVector<Value> all = {thread};
  llvm::append_range(all, operands);
  auto module = b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    auto type = b.getFunctionType(ValueRange(all).getTypes(), {});
    func::FuncOp::create(b, module.getLoc(), name, type).setPrivate();
  }
  func::CallOp::create(b, loc, name, TypeRange(), all);
}

Value TensorEmulator::addressOf(Value buffer, ValueRange indices) {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  [[maybe_unused]] LogicalResult known = type.getStridesAndOffset(strides, offset);
  assert(succeeded(known) && !ShapedType::isDynamic(offset) && "the emitter takes no others");
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  Value place = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, buffer);
  place =
      arith::AddIOp::create(b, loc, place, arith::ConstantIndexOp::create(b, loc, offset * bytes));
  for (auto [index, stride] : llvm::zip(indices, strides)) {
    Value step = arith::ConstantIndexOp::create(b, loc, stride * bytes);
    place = arith::AddIOp::create(b, loc, place, arith::MulIOp::create(b, loc, index, step));
  }
  place = arith::IndexCastOp::create(b, loc, b.getI64Type(), place);
  return LLVM::IntToPtrOp::create(b, loc, pointer, place);
}

Value TensorEmulator::allocate(VectorType type) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&function.front());
  return memref::AllocaOp::create(b, loc, MemRefType::get(type.getShape(), type.getElementType()));
}

void TensorEmulator::spill(Value vector, Value memory) {
  auto type = cast<VectorType>(vector.getType());
  auto index = [&](int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); };
  // A vector of vectors that is made of numbers has no form on the host.
  if (auto numbers = vector.getDefiningOp<vector::FromElementsOp>()) {
    for (auto [i, number] : llvm::enumerate(numbers.getElements())) {
      int64_t at = static_cast<int64_t>(i), width = type.getDimSize(1);
      memref::StoreOp::create(b, loc, number, memory,
                              ValueRange{index(at / width), index(at % width)});
    }
    return;
  }
  for (int64_t i = 0; i < type.getDimSize(0); ++i) {
    Value row = vector::ExtractOp::create(b, loc, vector, i);
    vector::StoreOp::create(b, loc, row, memory, ValueRange{index(i), index(0)});
  }
}

Value TensorEmulator::reload(VectorType type, Value memory) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value result = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  auto rowType = VectorType::get(type.getShape().drop_front(), type.getElementType());
  for (int64_t i = 0; i < type.getDimSize(0); ++i) {
    Value at = arith::ConstantIndexOp::create(b, loc, i);
    Value row = vector::LoadOp::create(b, loc, rowType, memory, ValueRange{at, zero});
    result = vector::InsertOp::create(b, loc, row, result, i);
  }
  return result;
}

void TensorEmulator::emulate(nvgpu::DeviceAsyncCopyOp op) {
  int64_t bytes = cast<MemRefType>(op.getDst().getType()).getElementTypeBitWidth() / 8;
  auto count = static_cast<int64_t>(op.getDstElements().getZExtValue());
  Value read = number(count * bytes);
  if (Value elements = op.getSrcElements()) {
    elements = arith::IndexCastOp::create(b, loc, b.getI64Type(), elements);
    read = arith::MulIOp::create(b, loc, elements, number(bytes));
  }
  call("jit_rt_async_copy",
       {addressOf(op.getDst(), op.getDstIndices()), addressOf(op.getSrc(), op.getSrcIndices()),
        number(count * bytes), read});
}

void TensorEmulator::emulate(nvgpu::LdMatrixOp op) {
  auto type = cast<VectorType>(op.getRes().getType());
  Value memory = allocate(type), zero = arith::ConstantIndexOp::create(b, loc, 0);
  call("jit_rt_load_matrices",
       {addressOf(op.getSrcMemref(), op.getIndices()), number(op.getNumTiles()),
        number(op.getTranspose() ? 1 : 0), addressOf(memory, {zero, zero})});
  op.getRes().replaceAllUsesWith(reload(type, memory));
}

void jit::codegen::emulateRounding(NVVM::ConvertFloatToTF32Op op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Value value = op.getSrc();
  auto number = [&](int32_t bits) -> Value {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(bits));
  };
  constexpr int32_t dropped = (1 << 13) - 1, half = 1 << 12, nan = 0x7fffffff;
  Value bits = arith::BitcastOp::create(b, loc, b.getI32Type(), value);
  Value above = arith::AddIOp::create(b, loc, bits, number(half));
  Value rounded = arith::AndIOp::create(b, loc, above, number(~dropped));
  Value isNan = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, value, value);
  rounded = arith::SelectOp::create(b, loc, isNan, number(nan), rounded);
  op.getRes().replaceAllUsesWith(rounded);
  op.erase();
}

void TensorEmulator::emulate(nvgpu::MmaSyncOp op) {
  SmallVector<Value> addresses;
  Value zero = arith::ConstantIndexOp::create(b, loc, 0), sums;
  for (Value matrix : {op.getMatrixA(), op.getMatrixB(), op.getMatrixC()}) {
    sums = allocate(cast<VectorType>(matrix.getType()));
    spill(matrix, sums);
    addresses.push_back(addressOf(sums, {zero, zero}));
  }
  Type type = op.getMatrixA().getType().getElementType();
  call(type.isF32()    ? "jit_rt_multiply_tf32"
       : type.isBF16() ? "jit_rt_multiply_bf16"
                       : "jit_rt_multiply_f16",
       addresses);
  op.getRes().replaceAllUsesWith(reload(op.getRes().getType(), sums));
}

bool jit::codegen::emulateTensorOp(Operation *op, Value thread) {
  TensorEmulator emulator(op, thread);
  if (auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op)) {
    emulator.emulate(copy);
  } else if (isa<nvgpu::DeviceAsyncCreateGroupOp>(op)) {
    emulator.call("jit_rt_async_group", {});
  } else if (auto wait = dyn_cast<nvgpu::DeviceAsyncWaitOp>(op)) {
    emulator.call("jit_rt_async_wait", emulator.number(wait.getNumGroups().value_or(0)));
  } else if (auto load = dyn_cast<nvgpu::LdMatrixOp>(op)) {
    emulator.emulate(load);
  } else if (auto product = dyn_cast<nvgpu::MmaSyncOp>(op)) {
    emulator.emulate(product);
  } else {
    return false;
  }
  llvm::SetVector<Operation *> sources;
  for (Value operand : op->getOperands())
    if (Operation *source = operand ? operand.getDefiningOp<vector::FromElementsOp>() : nullptr)
      sources.insert(source);
  // Tokens have no value here: groups go by order.
  op->dropAllUses();
  op->erase();
  for (Operation *source : sources)
    if (isOpTriviallyDead(source))
      source->erase();
  return true;
}

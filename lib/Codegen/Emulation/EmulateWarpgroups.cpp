//===- EmulateWarpgroups.cpp - copies and products of warpgroups, on the host ===//
#include "Emulation/EmulateOps.h"
#include "Kernels/GroupProduct.h"
#include "jit/Runtime/Emulation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace {
/// Replaces one op.
class WarpgroupEmulator {
public:
  WarpgroupEmulator(Operation *op, Value thread)
      : b(op), loc(op->getLoc()), thread(thread), function(op->getParentOfType<func::FuncOp>()),
        pointer(LLVM::LLVMPointerType::get(op->getContext())) {}

  void emulate(NVVM::MBarrierInitOp op);
  void emulate(NVVM::MBarrierArriveOp op);
  void emulate(NVVM::MBarrierArriveExpectTxOp op);
  void emulate(NVVM::MBarrierTryWaitParityOp op);
  void emulate(NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp op);
  void emulate(NVVM::WgmmaMmaAsyncOp op);
  void emulate(LLVM::InlineAsmOp op);
  void emulate(NVVM::WgmmaGroupSyncAlignedOp) { call("jit_rt_warpgroup_commit", {}); }
  void emulate(NVVM::WgmmaWaitGroupSyncOp op) {
    call("jit_rt_warpgroup_wait", number(static_cast<int64_t>(op.getGroup())));
  }
  // A host has one order of accesses, and all its registers.
  void emulate(NVVM::FenceMbarrierInitOp) {}
  void emulate(NVVM::FenceProxyOp) {}
  void emulate(NVVM::WgmmaFenceAlignedOp) {}
  void emulate(NVVM::SetMaxRegisterOp) {}

private:
  void call(StringRef name, ValueRange operands) {
    jit::codegen::callEmulation(b, loc, name, thread, operands);
  }
  Value number(int64_t value) {
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  }
  Value allocate(Type type) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&function.front());
    return LLVM::AllocaOp::create(b, loc, pointer, type, number(1));
  }
  /// Memory with these numbers one behind the other.
  Value spill(ValueRange numbers);
  /// All memory of the host is of one kind.
  Value plain(Value address) {
    return address.getType() == pointer
               ? address
               : LLVM::AddrSpaceCastOp::create(b, loc, pointer, address).getResult();
  }

  OpBuilder b;
  Location loc;
  Value thread;
  func::FuncOp function;
  Type pointer;
};
} // namespace

void WarpgroupEmulator::emulate(NVVM::MBarrierInitOp op) {
  call("jit_rt_mbarrier_init", {plain(op.getAddr()), op.getCount()});
}

void WarpgroupEmulator::emulate(NVVM::MBarrierArriveOp op) {
  Value none = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
  call("jit_rt_mbarrier_arrive", {plain(op.getAddr()), none});
}

void WarpgroupEmulator::emulate(NVVM::MBarrierArriveExpectTxOp op) {
  call("jit_rt_mbarrier_arrive", {plain(op.getAddr()), op.getTxcount()});
}

void WarpgroupEmulator::emulate(NVVM::MBarrierTryWaitParityOp op) {
  call("jit_rt_mbarrier_wait", {plain(op.getAddr()), op.getPhase()});
}

void WarpgroupEmulator::emulate(NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp op) {
  SmallVector<Value> operands = {plain(op.getDstMem()), op.getTmaDescriptor()};
  llvm::append_range(operands, op.getCoordinates());
  operands.push_back(plain(op.getMbar()));
  call("jit_rt_tensor_copy", operands);
}

void WarpgroupEmulator::emulate(NVVM::WgmmaMmaAsyncOp op) {
  Type type = op.getResults().getType();
  Value memory = allocate(type);
  bool isFirst = op.getScaleD() == NVVM::WGMMAScaleOut::zero;
  Value before = isFirst ? LLVM::ZeroOp::create(b, loc, type).getResult() : op.getInouts();
  LLVM::StoreOp::create(b, loc, before, memory);
  int64_t flags = (op.getTypeA() == NVVM::WGMMATypes::bf16 ? JIT_BRAIN : 0) |
                  (op.getTypeA() == NVVM::WGMMATypes::tf32 ? JIT_TF32 : 0) |
                  (op.getLayoutA() == NVVM::MMALayout::col ? JIT_LEFT_BY_ROWS : 0) |
                  (op.getLayoutB() == NVVM::MMALayout::row ? JIT_RIGHT_BY_COLUMNS : 0);
  call("jit_rt_warpgroup_multiply", {op.getDescriptorA(), op.getDescriptorB(),
                                     number(op.getShape().getN()), number(flags), memory});
  op.getResults().replaceAllUsesWith(LLVM::LoadOp::create(b, loc, type, memory).getResult());
}

Value WarpgroupEmulator::spill(ValueRange numbers) {
  Value memory = allocate(LLVM::LLVMArrayType::get(numbers.front().getType(), numbers.size()));
  for (auto [i, value] : llvm::enumerate(numbers)) {
    Value address = LLVM::GEPOp::create(b, loc, pointer, value.getType(), memory,
                                        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
    LLVM::StoreOp::create(b, loc, value, address);
  }
  return memory;
}

void WarpgroupEmulator::emulate(LLVM::InlineAsmOp op) {
  auto product = jit::codegen::GroupProduct::of(
      op->getAttrOfType<DenseI64ArrayAttr>(jit::codegen::groupProductAttrName));
  ValueRange operands = op.getOperands();
  Type type = op.getRes().getType();
  auto sums = operands.take_front(product.addsUp ? size_t(product.columns / 2) : 0);
  auto left = operands.slice(sums.size(), product.leftOperands());
  auto right = operands.take_back(size_t(product.steps));
  Value memory = sums.empty() ? allocate(type) : spill(sums);
  if (sums.empty())
    LLVM::StoreOp::create(b, loc, LLVM::ZeroOp::create(b, loc, type), memory);
  int64_t flags =
      (product.isBrain ? JIT_BRAIN : 0) | (product.isRightByColumns ? JIT_RIGHT_BY_COLUMNS : 0);
  for (size_t step = 0; step < right.size(); ++step) {
    SmallVector<Value> last = {right[step], number(product.columns), number(flags), memory};
    if (product.isLeftInRegisters) {
      SmallVector<Value> all = {spill(left.slice(step * 4, 4))};
      llvm::append_range(all, last);
      call("jit_rt_warpgroup_multiply_registers", all);
      continue;
    }
    SmallVector<Value> all = {left[step]};
    llvm::append_range(all, last);
    call("jit_rt_warpgroup_multiply", all);
  }
  call("jit_rt_warpgroup_commit", {});
  call("jit_rt_warpgroup_wait", number(0));
  op.getRes().replaceAllUsesWith(LLVM::LoadOp::create(b, loc, type, memory).getResult());
}

bool jit::codegen::emulateWarpgroupOp(Operation *op, Value thread) {
  WarpgroupEmulator emulator(op, thread);
  if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op);
      assembly && assembly->hasAttr(groupProductAttrName)) {
    emulator.emulate(assembly);
    op->erase();
    return true;
  }
  bool isKnown =
      llvm::TypeSwitch<Operation *, bool>(op)
          .Case<NVVM::MBarrierInitOp, NVVM::MBarrierArriveOp, NVVM::MBarrierArriveExpectTxOp,
                NVVM::MBarrierTryWaitParityOp, NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp,
                NVVM::WgmmaMmaAsyncOp, NVVM::WgmmaGroupSyncAlignedOp, NVVM::WgmmaWaitGroupSyncOp,
                NVVM::FenceMbarrierInitOp, NVVM::FenceProxyOp, NVVM::WgmmaFenceAlignedOp,
                NVVM::SetMaxRegisterOp>([&](auto known) {
            emulator.emulate(known);
            return true;
          })
          .Default([](Operation *) { return false; });
  if (isKnown)
    op->erase();
  return isKnown;
}

//===- EmulateKernels.cpp - kernels as functions of the host --------------===//
#include "Emulation/EmulateOps.h"
#include "Kernels/Launch.h"
#include "Loops/EntryPointers.h"
#include "jit/Codegen/Emulation/Passes.h"
#include "jit/Runtime/Emulation.h"

#include <cstddef>

namespace jit::codegen {
#define GEN_PASS_DEF_EMULATEKERNELS
#include "jit/Codegen/Emulation/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

namespace {
/// Makes a function of one kernel.
class Emulator {
public:
  Emulator(gpu::GPUFuncOp kernel, ModuleOp module)
      : kernel(kernel), module(module), b(module.getContext()), loc(kernel.getLoc()),
        pointers(module.getContext()), pointer(LLVM::LLVMPointerType::get(module.getContext())) {}

  LogicalResult emulate();

private:
  /// Loads a value of `type` that stands `bytes` behind `base`.
  Value field(Value base, int64_t bytes, Type type);
  Value index(Value base, int64_t bytes);
  void takeArguments();
  void takeShared();
  LogicalResult takeDynamicShared();
  void replaceView(memref::ViewOp view, Value start);
  LogicalResult replaceOps();
  /// A call of the runtime about this thread.
  func::CallOp call(StringRef name, ValueRange operands, TypeRange results);

  gpu::GPUFuncOp kernel;
  ModuleOp module;
  OpBuilder b;
  Location loc;
  jit::codegen::PointerToMemref pointers;
  Type pointer;
  func::FuncOp function;
  Value thread, arguments;
  bool waits = false;
  /// Where the shared memory begins that a launch adds.
  int64_t dynamicOffset = 0;
};
} // namespace

Value Emulator::field(Value base, int64_t bytes, Type type) {
  Value address = LLVM::GEPOp::create(b, loc, pointer, b.getI8Type(), base,
                                      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(bytes)});
  return LLVM::LoadOp::create(b, loc, type, address);
}

Value Emulator::index(Value base, int64_t bytes) {
  Value number = field(base, bytes, b.getI64Type());
  return arith::IndexCastOp::create(b, loc, b.getIndexType(), number);
}

void Emulator::takeArguments() {
  for (unsigned i = 0; i < kernel.getFunctionType().getNumInputs(); ++i) {
    BlockArgument argument = function.front().getArgument(i);
    Type type = argument.getType();
    int64_t at = int64_t(i) * int64_t(sizeof(uint64_t));
    Value value;
    if (auto buffer = dyn_cast<MemRefType>(type))
      value = pointers.create(b, loc, buffer, field(arguments, at, pointer));
    else if (type.isIndex())
      value = index(arguments, at);
    else if (type.isInteger(1))
      value = arith::TruncIOp::create(b, loc, type, field(arguments, at, b.getI8Type()));
    else
      value = field(arguments, at, type);
    argument.replaceAllUsesWith(value);
  }
}

/// Other shapes of a buffer are in the same memory as it.
static void followMemorySpace(Value buffer) {
  for (Operation *user : buffer.getUsers())
    if (auto view = dyn_cast<memref::ReinterpretCastOp>(user)) {
      auto type = cast<MemRefType>(view.getType());
      view.getResult().setType(
          MemRefType::get(type.getShape(), type.getElementType(), type.getLayout()));
    }
}

/// Gives each buffer that a block shares a place in the block's memory.
void Emulator::takeShared() {
  int64_t offset = 0;
  unsigned first = kernel.getFunctionType().getNumInputs();
  for (unsigned i = 0; i < kernel.getNumWorkgroupAttributions(); ++i) {
    BlockArgument memory = function.front().getArgument(first + i);
    auto type = cast<MemRefType>(memory.getType());
    auto plain = MemRefType::get(type.getShape(), type.getElementType(), type.getLayout());
    Value start = field(thread, offsetof(jit_thread, shared), pointer);
    Value address = LLVM::GEPOp::create(b, loc, pointer, b.getI8Type(), start,
                                        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
    Value buffer = pointers.create(b, loc, plain, address);
    memory.replaceAllUsesWith(buffer);
    followMemorySpace(buffer);
    int64_t bytes = type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
    offset = int64_t(llvm::alignTo(offset + bytes, 64));
  }
  dynamicOffset = offset;
  if (auto bytes = function->getAttrOfType<IntegerAttr>(jit::codegen::dynamicSharedAttrName))
    offset += bytes.getInt();
  function->setAttr("jit.shared_bytes", b.getI64IntegerAttr(offset));
}

/// A buffer in the memory that begins at the number `start`.
void Emulator::replaceView(memref::ViewOp view, Value start) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(view);
  Value place = arith::AddIOp::create(b, loc, start, view.getByteShift());
  Value number = arith::IndexCastUIOp::create(b, loc, b.getI64Type(), place);
  Value address = LLVM::IntToPtrOp::create(b, loc, pointer, number);
  auto type = view.getType();
  auto plain = MemRefType::get(type.getShape(), type.getElementType(), type.getLayout());
  Value buffer = pointers.create(b, loc, plain, address);
  view.getResult().replaceAllUsesWith(buffer);
  followMemorySpace(buffer);
}

/// Kernels ask where it is, and go on with numbers or buffers in it.
LogicalResult Emulator::takeDynamicShared() {
  SmallVector<gpu::DynamicSharedMemoryOp> memories;
  function.walk([&](gpu::DynamicSharedMemoryOp memory) { memories.push_back(memory); });
  for (gpu::DynamicSharedMemoryOp memory : memories) {
    b.setInsertionPoint(memory);
    Value start = index(thread, offsetof(jit_thread, shared));
    Value address =
        arith::AddIOp::create(b, loc, start, arith::ConstantIndexOp::create(b, loc, dynamicOffset));
    for (Operation *user : llvm::make_early_inc_range(memory->getUsers())) {
      if (auto asked = dyn_cast<memref::ExtractAlignedPointerAsIndexOp>(user))
        asked.replaceAllUsesWith(address);
      else if (auto view = dyn_cast<memref::ViewOp>(user))
        replaceView(view, address);
      else
        return memory.emitOpError("expected nothing but its address and views of it to be used");
      user->erase();
    }
    memory.erase();
  }
  return success();
}

func::CallOp Emulator::call(StringRef name, ValueRange operands, TypeRange results) {
  waits = true;
  SmallVector<Value> all = {thread};
  llvm::append_range(all, operands);
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    auto type = b.getFunctionType(ValueRange(all).getTypes(), results);
    func::FuncOp::create(b, module.getLoc(), name, type).setPrivate();
  }
  return func::CallOp::create(b, loc, name, results, all);
}

LogicalResult Emulator::replaceOps() {
  auto dimension = [](gpu::Dimension d) { return int64_t(d) * int64_t(sizeof(int64_t)); };
  WalkResult walk = function.walk([&](Operation *op) {
    if (jit::codegen::emulateTensorOp(op, thread) || jit::codegen::emulateWarpgroupOp(op, thread)) {
      waits = true;
      return WalkResult::skip();
    }
    b.setInsertionPoint(op);
    if (auto id = dyn_cast<gpu::ThreadIdOp>(op)) {
      id.replaceAllUsesWith(
          index(thread, int64_t(offsetof(jit_thread, thread)) + dimension(id.getDimension())));
    } else if (auto id = dyn_cast<gpu::BlockIdOp>(op)) {
      id.replaceAllUsesWith(
          index(thread, int64_t(offsetof(jit_thread, block)) + dimension(id.getDimension())));
    } else if (auto size = dyn_cast<gpu::GridDimOp>(op)) {
      // Only kernels ask whose blocks run side by side: there is one of them.
      size.replaceAllUsesWith(arith::ConstantIndexOp::create(b, loc, 1).getResult());
    } else if (isa<gpu::BarrierOp>(op)) {
      call("jit_rt_barrier", {}, {});
    } else if (auto shuffle = dyn_cast<gpu::ShuffleOp>(op);
               shuffle && shuffle.getMode() == gpu::ShuffleMode::XOR &&
               shuffle.getValue().getType().isInteger(32)) {
      auto result =
          call("jit_rt_shuffle", {shuffle.getValue(), shuffle.getOffset()}, b.getI32Type());
      shuffle.getShuffleResult().replaceAllUsesWith(result.getResult(0));
      shuffle.getValid().replaceAllUsesWith(
          arith::ConstantOp::create(b, loc, b.getBoolAttr(true)).getResult());
    } else if (isa<gpu::ReturnOp>(op)) {
      func::ReturnOp::create(b, loc);
    } else if (isa<gpu::GPUDialect, NVVM::NVVMDialect>(op->getDialect())) {
      return WalkResult(op->emitOpError("expected an op of one thread, a barrier or an xor "
                                        "shuffle of 32 bits"));
    } else {
      return WalkResult::advance();
    }
    op->erase();
    return WalkResult::skip();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult Emulator::emulate() {
  b.setInsertionPointToEnd(module.getBody());
  function =
      func::FuncOp::create(b, loc, kernel.getName(), b.getFunctionType({pointer, pointer}, {}));
  if (Attribute bytes = kernel->getAttr(jit::codegen::dynamicSharedAttrName))
    function->setAttr(jit::codegen::dynamicSharedAttrName, bytes);
  function.getBody().takeBody(kernel.getBody());
  Block &body = function.front();
  unsigned old = body.getNumArguments();
  body.addArguments({pointer, pointer}, {loc, loc});
  thread = body.getArgument(old);
  arguments = body.getArgument(old + 1);
  b.setInsertionPointToStart(&body);
  takeArguments();
  takeShared();
  body.eraseArguments(0, old);
  function.walk([](NVVM::ConvertFloatToTF32Op op) { jit::codegen::emulateRounding(op); });
  if (failed(takeDynamicShared()) || failed(replaceOps()))
    return failure();
  if (waits)
    function->setAttr("jit.waits", b.getUnitAttr());
  return success();
}

namespace {
struct EmulateKernels : jit::codegen::impl::EmulateKernelsBase<EmulateKernels> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    // The host's functions refer to the kernels.
    for (auto func : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      func.erase();
    for (auto kernels : llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>())) {
      for (auto kernel : llvm::make_early_inc_range(kernels.getOps<gpu::GPUFuncOp>()))
        if (failed(Emulator(kernel, module).emulate()))
          return signalPassFailure();
      // Constants of the program are in the outer module as well.
      kernels.erase();
    }
    module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
  }
};
} // namespace

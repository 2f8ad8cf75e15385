//===- EmitEntry.cpp - the C signature of compiled functions --------------===//
#include "Buffers/EntryLayout.h"
#include "Buffers/OpenBuffers.h"
#include "Loops/EntryPointers.h"
#include "jit/Codegen/Loops/Passes.h"
#include "jit/Dialect/Jit/Jit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

namespace jit::codegen {
#define GEN_PASS_DEF_EMITENTRY
#include "jit/Codegen/Loops/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

static FailureOr<Value> loadScalar(OpBuilder &b, Location loc, Type type, Value pointer) {
  if (type.isInteger(1)) {
    Value byte = LLVM::LoadOp::create(b, loc, b.getI8Type(), pointer);
    Value zero = arith::ConstantOp::create(b, loc, b.getI8IntegerAttr(0));
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, byte, zero).getResult();
  }
  if (type.isInteger(64) || type.isF64())
    return LLVM::LoadOp::create(b, loc, type, pointer).getResult();
  emitError(loc) << "expected an argument of type memref, i64, f64 or i1, got " << type;
  return failure();
}

//===----------------------------------------------------------------------===//
// Sizes that a call tells
//===----------------------------------------------------------------------===//

/// A buffer of `type` with these open sizes behind a pointer.
static Value openBuffer(OpBuilder &b, Location loc, const jit::codegen::PointerToMemref &toMemref,
                        MemRefType type, Value pointer, ValueRange open) {
  // The base pointer alone is what other functions can be handed.
  Value root = toMemref.create(b, loc, MemRefType::get({1}, type.getElementType()), pointer);
  return jit::codegen::shapeOpenBuffer(b, loc, type, root, open);
}

/// The open sizes of one argument; `next` counts those read so far.
static SmallVector<Value> loadSizes(OpBuilder &b, Location loc, Value sizes, MemRefType type,
                                    int32_t &next) {
  SmallVector<Value> open;
  for (size_t i = 0; i < type.getNumDynamicDims(); ++i) {
    Value address = LLVM::GEPOp::create(b, loc, sizes.getType(), b.getI64Type(), sizes,
                                        ArrayRef<LLVM::GEPArg>{next++});
    Value size = LLVM::LoadOp::create(b, loc, b.getI64Type(), address);
    open.push_back(arith::IndexCastOp::create(b, loc, b.getIndexType(), size));
  }
  return open;
}

/// Bytes of a buffer with these open sizes; negative, which the runtime refuses, where they are too
/// many. Taken as unsigned, so that a size below zero is too many as well.
static Value byteSize(OpBuilder &b, Location loc, MemRefType type, ValueRange open) {
  uint64_t known = std::max<uint64_t>(1, type.getElementTypeBitWidth() / 8);
  for (int64_t size : type.getShape())
    if (!ShapedType::isDynamic(size))
      known = llvm::SaturatingMultiply(known, uint64_t(size));
  Type word = b.getI64Type();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  };
  Value zero = constant(0), tooMany = constant(-1), bytes = constant(int64_t(known));
  for (Value size : open) {
    Value factor = arith::IndexCastOp::create(b, loc, word, size);
    auto product = arith::MulUIExtendedOp::create(b, loc, bytes, factor);
    Value fits = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, product.getHigh(), zero);
    // Too many times none is none still.
    bytes = arith::SelectOp::create(b, loc, fits, product.getLow(), tooMany);
  }
  return bytes;
}

/// Asks the runtime for the memory of an open buffer: `number` says which result or piece it is.
static void emitOpenBuffer(UnrealizedConversionCastOp op, Value call,
                           const jit::codegen::PointerToMemref &toMemref) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto type = cast<MemRefType>(op.getType(0));
  ValueRange open = op.getInputs();
  bool isResult = op->hasAttr(jit::codegen::openResultAttr);
  auto number = op->getAttrOfType<IntegerAttr>(isResult ? jit::codegen::openResultAttr
                                                        : jit::codegen::openScratchAttr);
  Value index = arith::ConstantOp::create(b, loc, number);
  SmallVector<Value> operands = {call, index};
  if (isResult) {
    OpBuilder start(op->getParentOfType<func::FuncOp>().getBody());
    Value count = LLVM::ConstantOp::create(start, loc, b.getI64Type(), int64_t(open.size()));
    Value sizes = LLVM::AllocaOp::create(start, loc, call.getType(), b.getI64Type(), count, 8);
    for (auto [i, size] : llvm::enumerate(open)) {
      Value address = LLVM::GEPOp::create(b, loc, call.getType(), b.getI64Type(), sizes,
                                          ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
      LLVM::StoreOp::create(b, loc, arith::IndexCastOp::create(b, loc, b.getI64Type(), size),
                            address);
    }
    operands.push_back(sizes);
  } else {
    operands.push_back(byteSize(b, loc, type, open));
  }
  Value memory = func::CallOp::create(b, loc, isResult ? "jit_rt_result" : "jit_rt_scratch",
                                      call.getType(), operands)
                     .getResult(0);
  Value none = LLVM::ZeroOp::create(b, loc, call.getType());
  Value isThere = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne, memory, none);
  jit::GuardOp::create(b, loc, isThere, "builtins.MemoryError", "out of memory", ValueRange());
  op.getResult(0).replaceAllUsesWith(openBuffer(b, loc, toMemref, type, memory, open));
  op.erase();
}

//===----------------------------------------------------------------------===//
// The entry
//===----------------------------------------------------------------------===//

/// Loads the arguments that are used from the pointers in `args`.
static LogicalResult emitArguments(Block &body, unsigned count, Value args,
                                   const jit::codegen::EntryLayout &layout,
                                   const jit::codegen::PointerToMemref &toMemref) {
  OpBuilder b = OpBuilder::atBlockBegin(&body);
  Type pointer = args.getType();
  Location loc = args.getLoc();
  auto load = [&](int64_t place) -> Value {
    Value address = LLVM::GEPOp::create(b, loc, pointer, pointer, args,
                                        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(place)});
    return LLVM::LoadOp::create(b, loc, pointer, address);
  };
  Value sizes;
  int32_t nextSize = 0;
  for (unsigned i = 0; i < count; ++i) {
    BlockArgument arg = body.getArgument(i);
    auto type = dyn_cast<MemRefType>(arg.getType());
    if (arg.use_empty()) {
      nextSize += type ? type.getNumDynamicDims() : 0;
      continue;
    }
    Value data = load(layout.places[i]);
    FailureOr<Value> value = Value();
    if (type && !type.hasStaticShape()) {
      if (!sizes)
        sizes = load(layout.sizesPlace);
      SmallVector<Value> open = loadSizes(b, loc, sizes, type, nextSize);
      value = openBuffer(b, loc, toMemref, type, data, open);
    } else if (type) {
      value = toMemref.create(b, loc, type, data);
    } else {
      value = loadScalar(b, loc, arg.getType(), data);
    }
    if (failed(value))
      return failure();
    arg.replaceAllUsesWith(*value);
  }
  return success();
}

static LogicalResult emitEntry(func::FuncOp func) {
  OpBuilder b(func);
  jit::codegen::EntryLayout layout = jit::codegen::layoutOf(func);
  func->setAttr("jit.packed_bytes", b.getDenseI64ArrayAttr(layout.packedBytes));
  func->setAttr("jit.arena_bytes", b.getI64IntegerAttr(layout.arenaBytes));
  Block &body = func.front();
  Type pointer = LLVM::LLVMPointerType::get(func.getContext());
  Location loc = func.getLoc();
  unsigned old = body.getNumArguments();
  body.addArguments({pointer, pointer}, {loc, loc});
  SmallVector<int64_t> read;
  for (unsigned i = 0; i < old; ++i)
    if (!body.getArgument(i).use_empty())
      read.push_back(layout.places[i]);
  func->setAttr("jit.read_places", b.getDenseI64ArrayAttr(read));
  jit::codegen::PointerToMemref toMemref(func.getContext());
  if (failed(emitArguments(body, old, body.getArgument(old + 1), layout, toMemref)))
    return failure();
  SmallVector<UnrealizedConversionCastOp> open;
  func.walk([&](UnrealizedConversionCastOp op) {
    if (jit::codegen::isOpenBuffer(op, jit::codegen::openResultAttr) ||
        jit::codegen::isOpenBuffer(op, jit::codegen::openScratchAttr))
      open.push_back(op);
  });
  for (UnrealizedConversionCastOp op : open)
    emitOpenBuffer(op, body.getArgument(old), toMemref);
  body.eraseArguments(0, old);
  func.removeArgAttrsAttr();
  func.setType(b.getFunctionType({pointer, pointer}, {b.getI32Type()}));
  auto returnOp = cast<func::ReturnOp>(body.getTerminator());
  b.setInsertionPoint(returnOp);
  Value zero = arith::ConstantOp::create(b, returnOp.getLoc(), b.getI32IntegerAttr(0));
  returnOp->setOperands(zero);
  return success();
}

/// Declares a function of the runtime where it is called.
static void declare(ModuleOp module, StringRef name, FunctionType type) {
  bool isCalled =
      module
          .walk([&](func::CallOp call) {
            return call.getCallee() == name ? WalkResult::interrupt() : WalkResult::advance();
          })
          .wasInterrupted();
  if (!isCalled || module.lookupSymbol(name))
    return;
  OpBuilder b(module.getBodyRegion());
  func::FuncOp::create(b, module.getLoc(), name, type).setPrivate();
}

namespace {
struct EmitEntry : jit::codegen::impl::EmitEntryBase<EmitEntry> {
  void runOnOperation() override {
    for (func::FuncOp func : getOperation().getOps<func::FuncOp>())
      if (!func.isDeclaration() && func.isPublic() && failed(emitEntry(func)))
        return signalPassFailure();
    Builder b(&getContext());
    Type pointer = LLVM::LLVMPointerType::get(&getContext());
    declare(getOperation(), "jit_rt_result",
            b.getFunctionType({pointer, b.getI64Type(), pointer}, pointer));
    declare(getOperation(), "jit_rt_scratch",
            b.getFunctionType({pointer, b.getI64Type(), b.getI64Type()}, pointer));
  }
};
} // namespace

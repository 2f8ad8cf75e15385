//===- LowerForeignCalls.cpp - calls of a user's own operators ------------===//
#include "Analysis/SourcePlace.h"
#include "jit-c/Values.h"
#include "jit/Codegen/LLVM/Passes.h"
#include "jit/Dialect/Foreign/Foreign.h"
#include "jit/Dialect/Jit/Jit.h"
#include "LLVM/ConstantText.h"

namespace jit::codegen {
#define GEN_PASS_DEF_LOWERFOREIGNCALLS
#include "jit/Codegen/LLVM/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;
using jit::foreign::CallOp;

namespace {
/// Writes the arguments of one call as C has them, into memory on the stack.
class CallWriter {
public:
  CallWriter(CallOp op, ModuleOp module)
      : op(op), module(module), b(op), loc(op.getLoc()),
        pointer(LLVM::LLVMPointerType::get(op.getContext())) {}

  void lower();

private:
  /// Memory that lives as long as the function's frame.
  Value allocate(size_t bytes);
  Value at(Value base, size_t offset);
  void store(Value value, Value base, size_t offset) {
    LLVM::StoreOp::create(b, loc, value, at(base, offset));
  }
  Value word(int64_t value) { return LLVM::ConstantOp::create(b, loc, b.getI64IntegerAttr(value)); }
  Value half(int64_t value) {
    return LLVM::ConstantOp::create(b, loc, b.getI32IntegerAttr(int32_t(value)));
  }
  Value addressOf(Value buffer);
  Value function();
  void storeTensor(Value buffer, Type dtype, Value tensor);
  void storeArgument(Attribute layout, Value value);
  void storeInput(Value input, Type type, Value value);
  Value storeArguments(ArrayAttr layout);
  void declareRuntime();

  CallOp op;
  ModuleOp module;
  OpBuilder b;
  Location loc;
  Type pointer;
  unsigned nextInput = 0;
};
} // namespace

Value CallWriter::allocate(size_t bytes) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&op->getParentOfType<func::FuncOp>().front());
  return LLVM::AllocaOp::create(b, loc, pointer, b.getI8Type(), word(int64_t(bytes)),
                                /*alignment=*/8);
}

Value CallWriter::at(Value base, size_t offset) {
  return offset ? LLVM::GEPOp::create(b, loc, pointer, b.getI8Type(), base,
                                      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)})
                      .getResult()
                : base;
}

Value CallWriter::addressOf(Value buffer) {
  Value index = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, buffer);
  Value integer = arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
  return LLVM::IntToPtrOp::create(b, loc, pointer, integer);
}

void CallWriter::storeTensor(Value buffer, Type dtype, Value tensor) {
  auto type = cast<MemRefType>(buffer.getType());
  Value sizes = LLVM::ZeroOp::create(b, loc, pointer);
  if (type.getRank() != 0)
    sizes = allocate(size_t(type.getRank()) * sizeof(int64_t));
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    store(word(size), sizes, dim * sizeof(int64_t));
  store(addressOf(buffer), tensor, offsetof(jit_tensor, data));
  store(sizes, tensor, offsetof(jit_tensor, sizes));
  store(LLVM::ZeroOp::create(b, loc, pointer), tensor, offsetof(jit_tensor, strides));
  store(half(type.getRank()), tensor, offsetof(jit_tensor, rank));
  store(half(int64_t(*jit::typeToDtype(dtype))), tensor, offsetof(jit_tensor, dtype));
}

void CallWriter::storeInput(Value input, Type type, Value value) {
  jit_kind kind = JIT_KIND_INT;
  if (isa<MemRefType>(input.getType())) {
    storeTensor(input, type, at(value, offsetof(jit_value, as)));
    kind = JIT_KIND_TENSOR;
  } else if (type.isInteger(1)) {
    Value wide = arith::ExtUIOp::create(b, loc, b.getI64Type(), input);
    store(wide, value, offsetof(jit_value, as));
    kind = JIT_KIND_BOOL;
  } else {
    store(input, value, offsetof(jit_value, as));
    kind = type.isF64() ? JIT_KIND_FLOAT : JIT_KIND_INT;
  }
  store(half(kind), value, offsetof(jit_value, kind));
}

void CallWriter::storeArgument(Attribute layout, Value value) {
  store(half(0), value, offsetof(jit_value, flags));
  if (auto type = dyn_cast<TypeAttr>(layout)) {
    Value input = op.getInputs()[nextInput++];
    return storeInput(input, type.getValue(), value);
  }
  jit_kind kind = JIT_KIND_NONE;
  if (auto list = dyn_cast<ArrayAttr>(layout)) {
    kind = JIT_KIND_LIST;
    store(storeArguments(list), value, offsetof(jit_value, as.list.items));
    store(word(int64_t(list.size())), value, offsetof(jit_value, as.list.count));
  } else if (auto text = dyn_cast<StringAttr>(layout)) {
    kind = JIT_KIND_STRING;
    store(jit::codegen::constantText(b, loc, module, text), value, offsetof(jit_value, as.string));
  }
  store(half(kind), value, offsetof(jit_value, kind));
}

Value CallWriter::storeArguments(ArrayAttr layout) {
  Value values = allocate(std::max<size_t>(1, layout.size()) * sizeof(jit_value));
  for (auto [number, argument] : llvm::enumerate(layout))
    storeArgument(argument, at(values, number * sizeof(jit_value)));
  return values;
}

/// The address of the operator's function, which the linker finds.
Value CallWriter::function() {
  auto declared = module.lookupSymbol<LLVM::LLVMFuncOp>(op.getSymbol());
  if (!declared) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    auto type = LLVM::LLVMFunctionType::get(b.getI32Type(), {pointer, pointer, pointer});
    declared = LLVM::LLVMFuncOp::create(b, module.getLoc(), op.getSymbol(), type);
  }
  return LLVM::AddressOfOp::create(b, loc, declared);
}

void CallWriter::declareRuntime() {
  if (module.lookupSymbol("jit_rt_operator"))
    return;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(module.getBody());
  auto type = b.getFunctionType(SmallVector<Type>(6, pointer), b.getI32Type());
  func::FuncOp::create(b, module.getLoc(), "jit_rt_operator", type).setPrivate();
}

void CallWriter::lower() {
  declareRuntime();
  Value call = op->getParentOfType<func::FuncOp>().getArgument(0);
  Value arguments = storeArguments(op.getLayout());
  Value results = allocate(op.getOuts().size() * sizeof(jit_tensor));
  auto dtypes = op.getDtypes().getAsValueRange<TypeAttr>();
  for (auto [number, out, dtype] : llvm::enumerate(op.getOuts(), dtypes))
    storeTensor(out, dtype, at(results, number * sizeof(jit_tensor)));
  Value schema = jit::codegen::constantText(b, loc, module, op.getSchema());
  Value place = jit::codegen::constantText(b, loc, module, jit::codegen::sourcePlace(loc));
  Value status =
      func::CallOp::create(b, loc, "jit_rt_operator", b.getI32Type(),
                           ValueRange{call, function(), schema, place, arguments, results})
          .getResult(0);
  Value zero = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
  Value isDone = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, status, zero);
  // The runtime has said by then why it failed: the first failure is what counts.
  jit::GuardOp::create(b, loc, isDone, "builtins.RuntimeError", op.getSchema(), ValueRange());
  op.erase();
}

namespace {
struct LowerForeignCalls : jit::codegen::impl::LowerForeignCallsBase<LowerForeignCalls> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<CallOp> calls;
    module.walk([&](CallOp call) { calls.push_back(call); });
    for (CallOp call : calls) {
      Operation *other = module.lookupSymbol(call.getSymbol());
      if (other && !isa<LLVM::LLVMFuncOp>(other)) {
        call.emitError(call.getSchema())
            << ": expected a function whose name nothing else in the program has, got '"
            << call.getSymbol() << "'";
        return signalPassFailure();
      }
      CallWriter(call, module).lower();
    }
  }
};
} // namespace

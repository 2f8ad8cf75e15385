//===- WidenBool.cpp - one byte for each boolean in memory ----------------===//
#include "jit/Codegen/Buffers/Passes.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace jit::codegen {
#define GEN_PASS_DEF_WIDENBOOL
#include "jit/Codegen/Buffers/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

/// memref<..xi1> as memref<..xi8>; any other type as it is.
static Type widened(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || !memref.getElementType().isInteger(1))
    return type;
  return MemRefType::get(memref.getShape(), IntegerType::get(type.getContext(), 8),
                         memref.getLayout(), memref.getMemorySpace());
}

static bool isBoolBuffer(Value value) { return value.getType() != widened(value.getType()); }

/// The type with bytes for the booleans of `type`, a boolean or a vector of them.
static Type bytesFor(Type type) {
  Type byte = IntegerType::get(type.getContext(), 8);
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.clone(byte) : byte;
}

static void widenLoad(Operation *load, Value buffer, OpBuilder &b) {
  if (!isBoolBuffer(buffer))
    return;
  b.setInsertionPointAfter(load);
  Value result = load->getResult(0);
  Type narrow = result.getType();
  result.setType(bytesFor(narrow));
  auto truncated = arith::TruncIOp::create(b, load->getLoc(), narrow, result);
  result.replaceAllUsesExcept(truncated, truncated);
}

static void widenStore(OpOperand &value, Value buffer, OpBuilder &b) {
  if (!isBoolBuffer(buffer))
    return;
  Operation *store = value.getOwner();
  b.setInsertionPoint(store);
  value.set(
      arith::ExtUIOp::create(b, store->getLoc(), bytesFor(value.get().getType()), value.get()));
}

static void widenAccesses(func::FuncOp func) {
  OpBuilder b(func);
  func.walk([&](Operation *op) {
    if (auto load = dyn_cast<memref::LoadOp>(op))
      widenLoad(op, load.getMemref(), b);
    else if (auto load = dyn_cast<vector::LoadOp>(op))
      widenLoad(op, load.getBase(), b);
    else if (auto store = dyn_cast<memref::StoreOp>(op))
      widenStore(store.getValueMutable(), store.getMemref(), b);
    else if (auto store = dyn_cast<vector::StoreOp>(op))
      widenStore(store.getValueToStoreMutable(), store.getBase(), b);
  });
}

/// The initial value of a global of booleans, byte by byte.
static Attribute widenedInitial(Attribute initial) {
  auto elements = dyn_cast_or_null<DenseIntElementsAttr>(initial);
  if (!elements)
    return initial;
  Type byte = IntegerType::get(initial.getContext(), 8);
  return elements.mapValues(byte, [](const APInt &value) { return value.zext(8); });
}

static void widenGlobals(func::FuncOp func) {
  auto module = func->getParentOfType<ModuleOp>();
  func.walk([&](memref::GetGlobalOp get) {
    auto global = module.lookupSymbol<memref::GlobalOp>(get.getName());
    if (!global || widened(global.getType()) == global.getType())
      return;
    if (auto initial = global.getInitialValueAttr())
      global.setInitialValueAttr(widenedInitial(initial));
    global.setType(cast<MemRefType>(widened(global.getType())));
  });
}

namespace {
struct WidenBool : jit::codegen::impl::WidenBoolBase<WidenBool> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      widenAccesses(func);
      widenGlobals(func);
      func.walk([](Operation *op) {
        for (Value result : op->getResults())
          result.setType(widened(result.getType()));
        for (Region &region : op->getRegions())
          for (Block &block : region)
            for (BlockArgument arg : block.getArguments())
              arg.setType(widened(arg.getType()));
      });
      SmallVector<Type> inputs;
      for (Type type : func.getArgumentTypes())
        inputs.push_back(widened(type));
      func.setType(FunctionType::get(func.getContext(), inputs, func.getResultTypes()));
    }
  }
};
} // namespace

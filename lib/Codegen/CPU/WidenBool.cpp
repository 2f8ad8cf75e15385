//===- WidenBool.cpp - one byte for each boolean in memory ----------------===//
#include "jit/Codegen/Passes.h"

namespace jit {
#define GEN_PASS_DEF_WIDENBOOL
#include "jit/Codegen/Passes.h.inc"
} // namespace jit

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

static void widenAccesses(func::FuncOp func) {
  func.walk([](Operation *op) {
    OpBuilder b(op);
    Type byte = b.getI8Type();
    if (auto load = dyn_cast<memref::LoadOp>(op); load && isBoolBuffer(load.getMemref())) {
      b.setInsertionPointAfter(load);
      load.getResult().setType(byte);
      auto narrow = arith::TruncIOp::create(b, load.getLoc(), b.getI1Type(), load);
      load.getResult().replaceAllUsesExcept(narrow, narrow);
    } else if (auto store = dyn_cast<memref::StoreOp>(op);
               store && isBoolBuffer(store.getMemref())) {
      store.getValueMutable().set(
          arith::ExtUIOp::create(b, store.getLoc(), byte, store.getValue()));
    }
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
struct WidenBool : jit::impl::WidenBoolBase<WidenBool> {
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

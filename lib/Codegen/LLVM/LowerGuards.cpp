//===- LowerGuards.cpp - guards become branches to a reporting exit -------===//
#include "Analysis/SourcePlace.h"
#include "jit/Codegen/LLVM/Passes.h"
#include "jit/Dialect/Jit/Jit.h"
#include "LLVM/ConstantText.h"

namespace jit::codegen {
#define GEN_PASS_DEF_LOWERGUARDS
#include "jit/Codegen/LLVM/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

namespace {
/// Lowers the guards of one function.
class GuardLowering {
public:
  explicit GuardLowering(func::FuncOp func)
      : func(func), module(func->getParentOfType<ModuleOp>()), b(func.getContext()),
        pointer(LLVM::LLVMPointerType::get(func.getContext())) {}

  LogicalResult lower(jit::GuardOp guard);

private:
  Value text(Location loc, StringRef value) {
    return jit::codegen::constantText(b, loc, module, value);
  }
  /// The address of an array of jit_arg that holds `values`.
  FailureOr<Value> arguments(jit::GuardOp guard);
  void declareFail();

  func::FuncOp func;
  ModuleOp module;
  OpBuilder b;
  Type pointer;
};
} // namespace

void GuardLowering::declareFail() {
  if (module.lookupSymbol("jit_rt_fail"))
    return;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(module.getBody());
  auto type = b.getFunctionType({pointer, pointer, pointer, pointer, b.getI64Type(), pointer}, {});
  func::FuncOp::create(b, module.getLoc(), "jit_rt_fail", type).setPrivate();
}

FailureOr<Value> GuardLowering::arguments(jit::GuardOp guard) {
  Location loc = guard.getLoc();
  OperandRange values = guard.getArgs();
  if (values.empty())
    return LLVM::ZeroOp::create(b, loc, pointer).getResult();
  // Two words each: the kind, the value.
  Value array;
  {
    OpBuilder::InsertionGuard insertion(b);
    b.setInsertionPointToStart(&func.front());
    Value words =
        LLVM::ConstantOp::create(b, loc, b.getI64Type(), b.getI64IntegerAttr(2 * values.size()));
    array = LLVM::AllocaOp::create(b, loc, pointer, b.getI64Type(), words, /*alignment=*/8);
  }
  for (auto [i, value] : llvm::enumerate(values)) {
    int64_t kind = 0;
    Value word = value;
    if (value.getType().isF64()) {
      kind = 1;
    } else if (isa<FloatType>(value.getType())) {
      kind = 1;
      word = arith::ExtFOp::create(b, loc, b.getF64Type(), value);
    } else if (value.getType().isInteger(1)) {
      kind = 2;
      word = arith::ExtUIOp::create(b, loc, b.getI64Type(), value);
    } else if (value.getType().isIndex()) {
      word = arith::IndexCastOp::create(b, loc, b.getI64Type(), value);
    } else if (!value.getType().isInteger(64)) {
      return guard.emitOpError() << "expected values of type i64, f64 or i1, got "
                                 << value.getType();
    }
    auto slot = [&](int32_t number) -> Value {
      return LLVM::GEPOp::create(b, loc, pointer, b.getI64Type(), array,
                                 ArrayRef<LLVM::GEPArg>{number});
    };
    Value kindWord = LLVM::ConstantOp::create(b, loc, b.getI64Type(), b.getI64IntegerAttr(kind));
    int32_t number = static_cast<int32_t>(2 * i);
    LLVM::StoreOp::create(b, loc, kindWord, slot(number));
    LLVM::StoreOp::create(b, loc, word, slot(number + 1));
  }
  return array;
}

LogicalResult GuardLowering::lower(jit::GuardOp guard) {
  declareFail();
  Location loc = guard.getLoc();
  Block *here = guard->getBlock();
  Block *rest = here->splitBlock(guard->getNextNode());
  Block *exit = b.createBlock(&func.getBody(), func.getBody().end());
  Value call = func.getArgument(0);
  Value pythonClass = text(loc, guard.getPythonClass()), message = text(loc, guard.getMessage());
  Value place = text(loc, jit::codegen::sourcePlace(loc));
  FailureOr<Value> values = arguments(guard);
  if (failed(values))
    return failure();
  Value count =
      LLVM::ConstantOp::create(b, loc, b.getI64Type(), b.getI64IntegerAttr(guard.getArgs().size()));
  func::CallOp::create(b, loc, "jit_rt_fail", TypeRange(),
                       ValueRange{call, pythonClass, message, place, count, *values});
  Value one = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(1));
  func::ReturnOp::create(b, loc, one);

  b.setInsertionPointToEnd(here);
  cf::CondBranchOp::create(b, loc, guard.getCondition(), rest, exit);
  guard.erase();
  return success();
}

namespace {
/// A guard changes nothing but its own module-level texts, yet those belong to the module: so this
/// runs on the module, function by function.
struct LowerGuards : jit::codegen::impl::LowerGuardsBase<LowerGuards> {
  void runOnOperation() override {
    for (auto func : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      SmallVector<jit::GuardOp> guards;
      func.walk([&](jit::GuardOp guard) { guards.push_back(guard); });
      GuardLowering lowering(func);
      for (jit::GuardOp guard : guards)
        if (failed(lowering.lower(guard)))
          return signalPassFailure();
    }
  }
};
} // namespace

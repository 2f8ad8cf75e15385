//===- EmitEntry.cpp - the C signature of compiled functions --------------===//
#include "EntryLayout.h"
#include "EntryPointers.h"
#include "jit/Codegen/Passes.h"

namespace jit {
#define GEN_PASS_DEF_EMITENTRY
#include "jit/Codegen/Passes.h.inc"
} // namespace jit

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

static LogicalResult emitEntry(func::FuncOp func) {
  OpBuilder b(func);
  jit::EntryLayout layout = jit::layoutOf(func);
  func->setAttr("jit.packed_bytes", b.getDenseI64ArrayAttr(layout.packedBytes));
  func->setAttr("jit.arena_bytes", b.getI64IntegerAttr(layout.arenaBytes));
  Block &body = func.front();
  Type pointer = LLVM::LLVMPointerType::get(func.getContext());
  Location loc = func.getLoc();
  unsigned old = body.getNumArguments();
  body.addArguments({pointer, pointer}, {loc, loc});
  Value args = body.getArgument(old + 1);
  b.setInsertionPointToStart(&body);
  jit::PointerToMemref toMemref(func.getContext());
  for (unsigned i = 0; i < old; ++i) {
    BlockArgument arg = body.getArgument(i);
    if (arg.use_empty())
      continue;
    Value address =
        LLVM::GEPOp::create(b, loc, pointer, pointer, args,
                            ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(layout.places[i])});
    Value data = LLVM::LoadOp::create(b, loc, pointer, address);
    FailureOr<Value> value = Value();
    if (auto type = dyn_cast<MemRefType>(arg.getType()))
      value = toMemref.create(b, loc, type, data);
    else
      value = loadScalar(b, loc, arg.getType(), data);
    if (failed(value))
      return failure();
    arg.replaceAllUsesWith(*value);
  }
  body.eraseArguments(0, old);
  func.removeArgAttrsAttr();
  func.setType(b.getFunctionType({pointer, pointer}, {b.getI32Type()}));
  auto returnOp = cast<func::ReturnOp>(body.getTerminator());
  b.setInsertionPoint(returnOp);
  Value zero = arith::ConstantOp::create(b, returnOp.getLoc(), b.getI32IntegerAttr(0));
  returnOp->setOperands(zero);
  return success();
}

namespace {
struct EmitEntry : jit::impl::EmitEntryBase<EmitEntry> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isDeclaration() || !func.isPublic())
      return;
    if (failed(emitEntry(func)))
      signalPassFailure();
  }
};
} // namespace

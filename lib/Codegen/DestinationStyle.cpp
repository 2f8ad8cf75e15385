//===- DestinationStyle.cpp - a buffer for every result -------------------===//
#include "jit/Codegen/Passes.h"

#include "mlir/IR/PatternMatch.h"

namespace jit {
#define GEN_PASS_DEF_DESTINATIONSTYLE
#include "jit/Codegen/Passes.h.inc"
} // namespace jit

using namespace mlir;

/// The memref of a static tensor, or of rank 0 for a scalar; null with a diagnostic otherwise.
static MemRefType bufferType(Location loc, Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    if (tensor.hasStaticShape())
      return MemRefType::get(tensor.getShape(), tensor.getElementType());
    emitError(loc) << "expected a tensor of static shape, got " << type;
    return nullptr;
  }
  if (type.isIntOrFloat())
    return MemRefType::get({}, type);
  emitError(loc) << "expected a tensor or a number, got " << type;
  return nullptr;
}

static LogicalResult convertArguments(func::FuncOp func, OpBuilder &b) {
  b.setInsertionPointToStart(&func.front());
  for (BlockArgument arg : func.getArguments()) {
    if (!isa<TensorType>(arg.getType()))
      continue;
    MemRefType type = bufferType(arg.getLoc(), arg.getType());
    if (!type)
      return failure();
    Type tensorType = arg.getType();
    arg.setType(type);
    auto tensor = bufferization::ToTensorOp::create(b, arg.getLoc(), tensorType, arg,
                                                    /*restrict=*/true, /*writable=*/false);
    arg.replaceAllUsesExcept(tensor, tensor);
  }
  return success();
}

static LogicalResult convertResults(func::FuncOp func, OpBuilder &b) {
  if (!func.getBody().hasOneBlock())
    return func.emitOpError("expected a body of one block");
  auto returnOp = cast<func::ReturnOp>(func.front().getTerminator());
  b.setInsertionPoint(returnOp);
  for (auto [index, value] : llvm::enumerate(returnOp.getOperands())) {
    MemRefType type = bufferType(returnOp.getLoc(), value.getType());
    if (!type)
      return failure();
    BlockArgument out = func.front().addArgument(type, returnOp.getLoc());
    if (isa<TensorType>(value.getType())) {
      auto store =
          bufferization::MaterializeInDestinationOp::create(b, returnOp.getLoc(), value, out);
      store.setRestrict(true);
      store.setWritable(true);
    } else {
      memref::StoreOp::create(b, returnOp.getLoc(), value, out, ValueRange());
    }
  }
  unsigned results = returnOp.getNumOperands();
  returnOp.getOperandsMutable().clear();
  ArrayAttr argAttrs = func.getAllArgAttrs();
  func.setType(b.getFunctionType(func.front().getArgumentTypes(), {}));
  func.removeResAttrsAttr();
  // The attribute list has to grow with the signature.
  SmallVector<DictionaryAttr> attrs;
  for (unsigned i = 0; i < func.getNumArguments() - results; ++i)
    attrs.push_back(argAttrs ? cast<DictionaryAttr>(argAttrs[i]) : b.getDictionaryAttr({}));
  for (unsigned i = 0; i < results; ++i)
    attrs.push_back(b.getDictionaryAttr(b.getNamedAttr("jit.result", b.getI64IntegerAttr(i))));
  func.setAllArgAttrs(attrs);
  return success();
}

namespace {
struct DestinationStyle : jit::impl::DestinationStyleBase<DestinationStyle> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isDeclaration())
      return;
    OpBuilder b(func);
    if (failed(convertArguments(func, b)) || failed(convertResults(func, b)))
      signalPassFailure();
  }
};
} // namespace

//===- DestinationStyle.cpp - a buffer for every result and carried tensor ===//
#include "WhileForm.h"
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

/// The value that `value` is a view of, as far as tensor ops show it.
static Value viewedTensor(Value value) {
  while (Operation *def = value.getDefiningOp()) {
    if (!isa<tensor::ExtractSliceOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp,
             tensor::ReshapeOp>(def))
      break;
    value = def->getOperand(0);
  }
  return value;
}

static Value copyOf(OpBuilder &b, Location loc, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Value empty = tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
  return linalg::CopyOp::create(b, loc, tensor, empty).getResult(0);
}

/// Makes each tensor that `terminator` hands on (from operand `first` on) materialize in the buffer
/// of the region argument of the same number. A handed-on view of another region argument is
/// copied first: that buffer may be overwritten by then.
static void materializeCarried(OpBuilder &b, Operation *terminator, unsigned first,
                               ArrayRef<BlockArgument> carried) {
  b.setInsertionPoint(terminator);
  MutableArrayRef<OpOperand> operands = terminator->getOpOperands().drop_front(first);
  auto needsWork = [&](OpOperand &operand, BlockArgument dest) {
    return isa<TensorType>(operand.get().getType()) && operand.get() != dest;
  };
  for (auto [operand, dest] : llvm::zip(operands, carried))
    if (needsWork(operand, dest) && llvm::is_contained(carried, viewedTensor(operand.get())))
      operand.set(copyOf(b, terminator->getLoc(), operand.get()));
  for (auto [operand, dest] : llvm::zip(operands, carried))
    if (needsWork(operand, dest))
      operand.set(bufferization::MaterializeInDestinationOp::create(
                      b, terminator->getLoc(), dest.getType(), operand.get(), dest,
                      /*restrict=*/false, /*writable=*/false)
                      .getResult());
}

static void convertWhile(scf::WhileOp loop, OpBuilder &b) {
  loop = jit::forwardInPlace(loop, b);
  Block::BlockArgListType before = loop.getBeforeArguments(), after = loop.getAfterArguments();
  materializeCarried(b, loop.getConditionOp(), 1,
                     SmallVector<BlockArgument>(before.begin(), before.end()));
  materializeCarried(b, loop.getYieldOp(), 0,
                     SmallVector<BlockArgument>(after.begin(), after.end()));
}

namespace {
struct DestinationStyle : jit::impl::DestinationStyleBase<DestinationStyle> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isDeclaration())
      return;
    OpBuilder b(func);
    func.walk([&](scf::ForOp loop) {
      auto args = loop.getRegionIterArgs();
      materializeCarried(b, loop.getBody()->getTerminator(), 0,
                         SmallVector<BlockArgument>(args.begin(), args.end()));
    });
    SmallVector<scf::WhileOp> loops;
    func.walk([&](scf::WhileOp loop) { loops.push_back(loop); });
    for (scf::WhileOp loop : loops)
      convertWhile(loop, b);
    if (failed(convertArguments(func, b)) || failed(convertResults(func, b)))
      signalPassFailure();
  }
};
} // namespace

//===- DestinationStyle.cpp - a buffer for every result -------------------===//
#include "Buffers/InPlace.h"
#include "Buffers/OpenBuffers.h"
#include "jit/Codegen/Buffers/Passes.h"
#include "jit/Dialect/Jit/EntryAttributes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace jit::codegen {
#define GEN_PASS_DEF_DESTINATIONSTYLE
#include "jit/Codegen/Buffers/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

/// The memref of a ranked tensor, or of rank 0 for a scalar; null with a diagnostic otherwise.
static MemRefType bufferType(Location loc, Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return MemRefType::get(tensor.getShape(), tensor.getElementType());
  if (type.isIntOrFloat())
    return MemRefType::get({}, type);
  emitError(loc) << "expected a tensor or a number, got " << type;
  return nullptr;
}

/// The argument in whose memory a result is computed; none where it has memory of its own.
static std::optional<unsigned> placeOf(func::FuncOp func, unsigned result) {
  auto number = func.getResultAttrOfType<IntegerAttr>(result, jit::inPlaceAttr);
  return number ? std::optional<unsigned>(number.getInt()) : std::nullopt;
}

static LogicalResult convertArguments(func::FuncOp func, OpBuilder &b) {
  llvm::SmallDenseSet<unsigned, 4> written;
  for (unsigned result = 0; result < func.getNumResults(); ++result)
    if (std::optional<unsigned> place = placeOf(func, result))
      written.insert(*place);
  b.setInsertionPointToStart(&func.front());
  for (BlockArgument arg : func.getArguments()) {
    if (!isa<TensorType>(arg.getType()))
      continue;
    MemRefType type = bufferType(arg.getLoc(), arg.getType());
    if (!type)
      return failure();
    Type tensorType = arg.getType();
    arg.setType(type);
    bool isWritten = written.contains(arg.getArgNumber());
    auto tensor = bufferization::ToTensorOp::create(b, arg.getLoc(), tensorType, arg,
                                                    /*restrict=*/true, /*writable=*/isWritten);
    arg.replaceAllUsesExcept(tensor, tensor);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Results whose sizes a call tells
//===----------------------------------------------------------------------===//

/// The open sizes of the results, by the sizes of the arguments as far as they follow from them.
static LogicalResult addOpenSizes(func::ReturnOp returnOp,
                                  SmallVectorImpl<SmallVector<Value>> &sizes) {
  OpBuilder b(returnOp);
  bool isOpen = false;
  for (Value value : returnOp.getOperands()) {
    sizes.emplace_back();
    auto type = dyn_cast<RankedTensorType>(value.getType());
    for (int64_t dim = 0; type && dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim)) {
        sizes.back().push_back(tensor::DimOp::create(b, value.getLoc(), value, dim));
        isOpen = true;
      }
  }
  if (!isOpen)
    return success();
  // Patterns replace these operations: the return holds on to the values meanwhile.
  SmallVector<Value> held(returnOp.getOperands());
  size_t results = held.size();
  for (ArrayRef<Value> open : sizes)
    llvm::append_range(held, open);
  returnOp->setOperands(held);
  MLIRContext *context = returnOp.getContext();
  RewritePatternSet patterns(context);
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  memref::populateResolveShapedTypeResultDimsPatterns(patterns);
  tensor::DimOp::getCanonicalizationPatterns(patterns, context);
  scf::ForOp::getCanonicalizationPatterns(patterns, context);
  if (failed(applyPatternsGreedily(returnOp->getParentOfType<func::FuncOp>(), std::move(patterns))))
    return failure();
  size_t next = results;
  for (SmallVector<Value> &open : sizes)
    for (Value &size : open)
      size = returnOp->getOperand(next++);
  returnOp->setOperands(returnOp->getOperands().take_front(results));
  return success();
}

/// Moves what computes a size behind `last`, which it then is; false where it needs more than the
/// arguments.
static bool hoist(Value value, Operation *&last) {
  Operation *def = value.getDefiningOp();
  if (!def)
    return cast<BlockArgument>(value).getOwner() == last->getBlock();
  if (def == last || (def->getBlock() == last->getBlock() && def->isBeforeInBlock(last)))
    return true;
  if (!isPure(def) || def->getNumRegions() != 0 || isa<linalg::LinalgOp>(def) ||
      !llvm::all_of(def->getOperands(), [&](Value operand) { return hoist(operand, last); }))
    return false;
  def->moveAfter(last);
  last = def;
  return true;
}

/// A buffer for an open result: behind `last`, where the arguments are known, so that the result is
/// computed in it, if its sizes follow from theirs.
static Value openResult(OpBuilder &b, MemRefType type, ArrayRef<Value> sizes, int64_t index,
                        Operation *&last) {
  OpBuilder::InsertionGuard guard(b);
  bool isEarly = last && llvm::all_of(sizes, [&](Value size) { return hoist(size, last); });
  if (isEarly)
    b.setInsertionPointAfter(last);
  Location loc = sizes.front().getLoc();
  Value buffer =
      jit::codegen::createOpenBuffer(b, loc, type, sizes, jit::codegen::openResultAttr, index);
  if (isEarly)
    last = buffer.getDefiningOp();
  return buffer;
}

/// What no element is stored to would be dropped, and its sizes with it: a result without elements,
/// which nothing has to say before the call. Prefetching touches nothing.
static void keep(OpBuilder &b, Location loc, Value buffer) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  SmallVector<Value> first(cast<MemRefType>(buffer.getType()).getRank(), zero);
  memref::PrefetchOp::create(b, loc, buffer, first, /*isWrite=*/false, /*localityHint=*/0,
                             /*isDataCache=*/true);
}

/// Has what makes `value` anew do so in the argument whose new value it is. The bufferization sees
/// whether the old one is still needed.
static void computeIn(BlockArgument argument, Value value) {
  if (!jit::codegen::mayComputeInArgument(value))
    return;
  for (Operation *user : argument.getUsers())
    if (auto tensor = dyn_cast<bufferization::ToTensorOp>(user))
      value.getDefiningOp<linalg::LinalgOp>()
          .getDpsInitOperand(cast<OpResult>(value).getResultNumber())
          ->set(tensor);
}

using ArgumentResult = std::pair<Value, BlockArgument>;

/// Has nothing but a copy at the end write the arguments that keep their values or get others' old
/// ones, as may turn out (a 0 was added): a loop that begins with one is not to run in its memory.
static void protectFromWrites(ArrayRef<ArgumentResult> results) {
  for (auto [value, argument] : results)
    if (value.getDefiningOp<bufferization::ToTensorOp>())
      for (Operation *user : argument.getUsers())
        if (auto tensor = dyn_cast<bufferization::ToTensorOp>(user))
          tensor.setWritable(false);
}

/// Copies results to the arguments whose new values they are, behind all that reads the old ones:
/// the bufferization does not know these copies. Nor does it see that one reads another argument as
/// it was, as upstream's patterns make a use of that argument of it, so that there is a tensor
/// between them where the other one is written.
static void copyToArguments(func::FuncOp func, OpBuilder &b, SmallVector<ArgumentResult> results) {
  protectFromWrites(results);
  llvm::erase_if(results, [](const ArgumentResult &result) {
    auto old = result.first.getDefiningOp<bufferization::ToTensorOp>();
    return old && old.getBuffer() == result.second;
  });
  for (auto &[value, argument] : results) {
    computeIn(argument, value);
    auto old = value.getDefiningOp<bufferization::ToTensorOp>();
    if (old && old.getWritable())
      value = bufferization::AllocTensorOp::create(
          b, value.getLoc(), cast<RankedTensorType>(value.getType()), ValueRange(), value);
  }
  for (auto [value, argument] : results) {
    Value buffer = bufferization::ToBufferOp::create(b, value.getLoc(), argument.getType(), value,
                                                     /*read_only=*/true);
    memref::CopyOp::create(b, value.getLoc(), buffer, argument);
    func.setArgAttr(argument.getArgNumber(), "jit.written", b.getUnitAttr());
  }
}

/// Gives the function the types of its block, and the new arguments for results their numbers.
static void updateSignature(func::FuncOp func, OpBuilder &b, ArrayRef<int64_t> results) {
  ArrayAttr argAttrs = func.getAllArgAttrs();
  func.setType(b.getFunctionType(func.front().getArgumentTypes(), {}));
  func.removeResAttrsAttr();
  // The attribute list has to grow with the signature.
  SmallVector<DictionaryAttr> attrs;
  for (unsigned i = 0; i < func.getNumArguments() - results.size(); ++i)
    attrs.push_back(argAttrs ? cast<DictionaryAttr>(argAttrs[i]) : b.getDictionaryAttr({}));
  for (int64_t index : results)
    attrs.push_back(b.getDictionaryAttr(b.getNamedAttr("jit.result", b.getI64IntegerAttr(index))));
  func.setAllArgAttrs(attrs);
}

static LogicalResult convertResults(func::FuncOp func, OpBuilder &b) {
  if (!func.getBody().hasOneBlock())
    return func.emitOpError("expected a body of one block");
  auto returnOp = cast<func::ReturnOp>(func.front().getTerminator());
  SmallVector<SmallVector<Value>> sizes;
  if (failed(addOpenSizes(returnOp, sizes)))
    return failure();
  b.setInsertionPoint(returnOp);
  SmallVector<int64_t> arguments;
  SmallVector<ArgumentResult> inPlace;
  Operation *last = nullptr;
  for (auto argument : func.front().getOps<bufferization::ToTensorOp>())
    last = argument;
  for (auto [index, value] : llvm::enumerate(returnOp.getOperands())) {
    MemRefType type = bufferType(returnOp.getLoc(), value.getType());
    if (!type)
      return failure();
    Value out;
    if (type.hasStaticShape()) {
      out = func.front().addArgument(type, returnOp.getLoc());
      arguments.push_back(index);
    } else if (!placeOf(func, index)) {
      out = openResult(b, type, sizes[index], index, last);
      keep(b, returnOp.getLoc(), out);
    }
    if (std::optional<unsigned> place = placeOf(func, index)) {
      inPlace.push_back({value, func.getArgument(*place)});
    } else if (isa<TensorType>(value.getType())) {
      auto store =
          bufferization::MaterializeInDestinationOp::create(b, returnOp.getLoc(), value, out);
      store.setRestrict(true);
      store.setWritable(true);
    } else {
      memref::StoreOp::create(b, returnOp.getLoc(), value, out, ValueRange());
    }
  }
  copyToArguments(func, b, inPlace);
  returnOp.getOperandsMutable().clear();
  updateSignature(func, b, arguments);
  return success();
}

namespace {
struct DestinationStyle : jit::codegen::impl::DestinationStyleBase<DestinationStyle> {
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

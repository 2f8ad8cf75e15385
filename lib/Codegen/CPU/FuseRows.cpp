//===- FuseRows.cpp - ops that share their outer loops run row by row -----===//
#include "LoopOrder.h"
#include "Products/Memory.h"
#include "RowGroups.h"
#include "jit/Codegen/Passes.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace jit {
#define GEN_PASS_DEF_FUSEROWS
#include "jit/Codegen/Passes.h.inc"
} // namespace jit

using namespace mlir;
using jit::RowGroup;
using jit::RowMember;

/// What all local buffers of a group may take of the first-level cache and of a thread's stack.
static constexpr int64_t localBytes = 16 * 1024;
/// Scalar operations from which a group surely becomes a function with a frame of its own.
static constexpr int64_t leastLocalWork = 65536;

namespace {
/// Writes the loop of one group.
class RowEmitter {
public:
  RowEmitter(const RowGroup &group, IRRewriter &b) : group(group), b(b) {}

  void emit();

private:
  void findLocals();
  int64_t work() const;
  Value slice(const RowMember &member, OpOperand &operand);
  void emitMember(const RowMember &member);

  const RowGroup &group;
  IRRewriter &b;
  SmallVector<Value> rows;
  /// Buffers of which only one row exists at a time, and that row.
  llvm::SmallDenseMap<Value, Value> locals;
};
} // namespace

/// The ops that use a buffer through views of its own order, or nothing where others do.
static std::optional<SmallVector<Operation *>> usersOf(Value buffer) {
  SmallVector<Operation *> users;
  for (Operation *user : buffer.getUsers()) {
    if (!isa<memref::ExpandShapeOp, memref::CollapseShapeOp>(user)) {
      users.push_back(user);
      continue;
    }
    auto behind = usersOf(user->getResult(0));
    if (!behind)
      return std::nullopt;
    llvm::append_range(users, *behind);
  }
  return users;
}

int64_t RowEmitter::work() const {
  int64_t total = 0;
  for (const RowMember &member : group.members) {
    linalg::LinalgOp op = member.op;
    int64_t each = std::max<int64_t>(1, op.getBlock()->getOperations().size());
    for (int64_t size : op.getStaticLoopRanges())
      each *= size;
    total += each;
  }
  return total;
}

/// Decides which buffers nobody sees but the group.
void RowEmitter::findLocals() {
  if (work() < leastLocalWork)
    return;
  llvm::SmallPtrSet<Operation *, 8> members;
  llvm::SetVector<Value> roots;
  for (const RowMember &member : group.members) {
    linalg::LinalgOp op = member.op;
    members.insert(op);
    for (Value operand : op->getOperands())
      if (isa<MemRefType>(operand.getType()))
        roots.insert(jit::rootOf(operand));
  }
  int64_t left = localBytes;
  for (Value root : roots) {
    auto alloc = root.getDefiningOp<memref::AllocOp>();
    auto users = alloc ? usersOf(root) : std::nullopt;
    if (!users || !alloc.getType().getLayout().isIdentity() ||
        !alloc.getType().getElementType().isIntOrFloat() ||
        alloc.getType().getElementType().isInteger(1) ||
        llvm::any_of(*users, [&](Operation *user) { return !members.contains(user); }))
      continue;
    int64_t elements = alloc.getType().getNumElements() / group.rows();
    int64_t bytes = elements * alloc.getType().getElementTypeBitWidth() / 8;
    if (alloc.getType().getNumElements() % group.rows() != 0 || bytes > left)
      continue;
    left -= bytes;
    auto type = MemRefType::get({elements}, alloc.getType().getElementType());
    locals[root] =
        memref::AllocaOp::create(b, alloc.getLoc(), type, b.getI64IntegerAttr(/*alignment=*/64));
  }
}

/// The row of one operand: a view of it, or of the local buffer that stands for it.
Value RowEmitter::slice(const RowMember &member, OpOperand &operand) {
  linalg::LinalgOp op = member.op;
  Location loc = op.getLoc();
  auto type = cast<MemRefType>(operand.get().getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0)),
      sizes = getAsIndexOpFoldResult(b.getContext(), type.getShape()),
      steps(type.getRank(), b.getIndexAttr(1));
  SmallVector<int64_t> kept;
  for (auto [dim, expr] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    const auto *shared = loop ? llvm::find(member.loops, loop.getPosition()) : member.loops.end();
    if (shared == member.loops.end()) {
      kept.push_back(type.getDimSize(dim));
      continue;
    }
    offsets[dim] = rows[shared - member.loops.begin()];
    sizes[dim] = b.getIndexAttr(1);
  }
  if (Value local = locals.lookup(jit::rootOf(operand.get()))) {
    auto rowType = MemRefType::get(kept, type.getElementType());
    auto [strides, offset] = rowType.getStridesAndOffset();
    return memref::ReinterpretCastOp::create(b, loc, rowType, local, offset, kept, strides);
  }
  if (kept.size() == type.getShape().size())
    return operand.get();
  auto rowType = memref::SubViewOp::inferRankReducedResultType(kept, type, offsets, sizes, steps);
  return memref::SubViewOp::create(b, loc, cast<MemRefType>(rowType), operand.get(), offsets, sizes,
                                   steps);
}

/// The op on one row: without the loops that it shares.
void RowEmitter::emitMember(const RowMember &member) {
  linalg::LinalgOp op = member.op;
  SmallVector<AffineExpr> dims(op.getNumLoops());
  SmallVector<utils::IteratorType> iterators;
  SmallVector<Value> places(op.getNumLoops());
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (llvm::is_contained(member.loops, loop))
      continue;
    dims[loop] = b.getAffineDimExpr(iterators.size());
    iterators.push_back(kind);
  }
  SmallVector<AffineMap> maps;
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    SmallVector<AffineExpr> exprs;
    for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop)
        exprs.push_back(expr);
      else if (dims[loop.getPosition()])
        exprs.push_back(dims[loop.getPosition()]);
    }
    maps.push_back(AffineMap::get(iterators.size(), 0, exprs, b.getContext()));
    bool isBuffer = isa<MemRefType>(operand.get().getType());
    operands.push_back(isBuffer ? slice(member, operand) : operand.get());
  }
  auto inputs = ArrayRef(operands).take_front(op.getNumDpsInputs());
  auto outputs = ArrayRef(operands).drop_front(op.getNumDpsInputs());
  auto row = linalg::GenericOp::create(b, op.getLoc(), inputs, outputs, maps, iterators);
  row.getRegion().takeBody(op->getRegion(0));
  SmallVector<linalg::IndexOp> indices(row.getBody()->getOps<linalg::IndexOp>());
  for (linalg::IndexOp index : indices) {
    const auto *shared = llvm::find(member.loops, index.getDim());
    b.setInsertionPoint(index);
    if (shared != member.loops.end())
      b.replaceOp(index, rows[shared - member.loops.begin()]);
    else
      index.setDim(cast<AffineDimExpr>(dims[index.getDim()]).getPosition());
  }
  b.setInsertionPointAfter(row);
}

void RowEmitter::emit() {
  linalg::LinalgOp last = group.members.back().op;
  Location loc = last.getLoc();
  b.setInsertionPoint(last);
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  SmallVector<Value> lower(group.trips.size(), index(0)), step(group.trips.size(), index(1)), upper;
  for (int64_t count : group.trips)
    upper.push_back(index(count));
  int64_t flops = work();
  auto loop = scf::ParallelOp::create(b, loc, lower, upper, step);
  loop->setAttr("jit.flops", b.getI64IntegerAttr(flops));
  rows.assign(loop.getInductionVars().begin(), loop.getInductionVars().end());
  b.setInsertionPointToStart(loop.getBody());
  findLocals();
  for (const RowMember &member : group.members)
    emitMember(member);
  for (const RowMember &member : group.members)
    b.eraseOp(member.op);
}

namespace {
struct FuseRows : jit::impl::FuseRowsBase<FuseRows> {
  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation().walk([&](Block *block) {
      if (!isa<linalg::LinalgOp>(block->getParentOp()))
        blocks.push_back(block);
    });
    IRRewriter rewriter(&getContext());
    for (Block *block : blocks)
      for (const RowGroup &group : jit::findRowGroups(*block))
        RowEmitter(group, rewriter).emit();
  }
};
} // namespace

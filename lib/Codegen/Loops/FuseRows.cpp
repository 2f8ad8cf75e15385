//===- FuseRows.cpp - ops that share their outer loops run row by row -----===//
#include "Analysis/LoopOrder.h"
#include "Analysis/Memory.h"
#include "Analysis/ProductNest.h"
#include "Analysis/RowGroups.h"
#include "jit/Codegen/Loops/Passes.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace jit::codegen {
#define GEN_PASS_DEF_FUSEROWS
#include "jit/Codegen/Loops/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;
using jit::codegen::RowGroup;
using jit::codegen::RowMember;

/// What all local buffers of a group may take of the first-level cache and of a thread's stack.
static constexpr int64_t localBytes = 16 * 1024;
/// The same of a chain of products, whose tiles reuse what they read.
static constexpr int64_t chainBytes = 48 * 1024;
/// Rows that a tile of products has at most, and at least where it could have more.
static constexpr int64_t mostTile = 64, leastTile = 4;
/// Scalar operations from which a group surely becomes a function with a frame of its own.
static constexpr int64_t leastLocalWork = 65536;

namespace {
/// Writes the loop of one group.
class RowEmitter {
public:
  RowEmitter(const RowGroup &group, IRRewriter &b) : group(group), b(b) {}

  /// Makes each iteration several rows, which a product's other operand is read once for. False
  /// where what the first product leaves has to be kept for all rows.
  bool tileProducts();
  void emit();

private:
  /// A buffer that nobody sees but the group, and its bytes in a row.
  struct Local {
    memref::AllocOp alloc;
    int64_t bytes;
  };
  SmallVector<Local> findLocals() const;
  void createLocals();
  int64_t work() const;
  Value slice(const RowMember &member, OpOperand &operand);
  void emitMember(const RowMember &member);

  const RowGroup &group;
  IRRewriter &b;
  /// The shared loop of which an iteration does `tile` rows, and what locals may take.
  std::optional<unsigned> tiled;
  int64_t tile = 1, budget = localBytes;
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

SmallVector<RowEmitter::Local> RowEmitter::findLocals() const {
  llvm::SmallPtrSet<Operation *, 8> members;
  llvm::SetVector<Value> roots;
  for (const RowMember &member : group.members) {
    linalg::LinalgOp op = member.op;
    members.insert(op);
    for (Value operand : op->getOperands())
      if (isa<MemRefType>(operand.getType()))
        roots.insert(jit::codegen::rootOf(operand));
  }
  SmallVector<Local> locals;
  for (Value root : roots) {
    auto alloc = root.getDefiningOp<memref::AllocOp>();
    auto users = alloc ? usersOf(root) : std::nullopt;
    if (!users || llvm::any_of(*users, [&](Operation *user) { return !members.contains(user); }))
      continue;
    MemRefType type = alloc.getType();
    Type element = type.getElementType();
    if (!type.getLayout().isIdentity() || !element.isIntOrFloat() || element.isInteger(1) ||
        type.getNumElements() % group.rows() != 0)
      continue;
    locals.push_back(
        {alloc, type.getNumElements() / group.rows() * element.getIntOrFloatBitWidth() / 8});
  }
  return locals;
}

bool RowEmitter::tileProducts() {
  const auto *first = llvm::find_if(
      group.members, [](const RowMember &member) { return jit::codegen::isProduct(member.op); });
  linalg::LinalgOp product = first->op;
  for (auto [i, loop] : llvm::enumerate(first->loops))
    if (jit::codegen::strideAlong(product, product->getOpOperand(0), loop) == 0 ||
        jit::codegen::strideAlong(product, product->getOpOperand(1), loop) == 0)
      tiled = i;
  int64_t bytes = 0;
  bool isLocal = false;
  for (Local local : findLocals()) {
    bytes += local.bytes;
    isLocal |= local.alloc.getResult() == jit::codegen::rootOf(product.getDpsInits()[0]);
  }
  budget = chainBytes;
  if (!tiled)
    return isLocal && bytes <= budget;
  int64_t trips = group.trips[*tiled];
  for (int64_t rows = 1; rows <= std::min(mostTile, trips); ++rows)
    if (trips % rows == 0 && rows * bytes <= budget)
      tile = rows;
  return isLocal && bytes <= budget && tile >= std::min(trips, leastTile);
}

/// Gives one row, or one tile of rows, to buffers that need no more at a time.
void RowEmitter::createLocals() {
  if (work() < leastLocalWork)
    return;
  for (const Local &local : findLocals()) {
    memref::AllocOp alloc = local.alloc;
    int64_t bytes = local.bytes * tile;
    if (bytes > budget)
      continue;
    budget -= bytes;
    Type element = alloc.getType().getElementType();
    auto type = MemRefType::get({bytes * 8 / element.getIntOrFloatBitWidth()}, element);
    locals[alloc] =
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
  bool isCut = false;
  for (auto [dim, expr] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    const auto *shared = loop ? llvm::find(member.loops, loop.getPosition()) : member.loops.end();
    if (shared == member.loops.end()) {
      kept.push_back(type.getDimSize(dim));
      continue;
    }
    unsigned i = shared - member.loops.begin();
    isCut = true;
    offsets[dim] = rows[i];
    sizes[dim] = b.getIndexAttr(tiled == i ? tile : 1);
    if (tiled == i)
      kept.push_back(tile);
  }
  if (Value local = locals.lookup(jit::codegen::rootOf(operand.get()))) {
    auto rowType = MemRefType::get(kept, type.getElementType());
    auto [strides, offset] = rowType.getStridesAndOffset();
    return memref::ReinterpretCastOp::create(b, loc, rowType, local, offset, kept, strides);
  }
  if (!isCut)
    return operand.get();
  auto rowType = memref::SubViewOp::inferRankReducedResultType(kept, type, offsets, sizes, steps);
  return memref::SubViewOp::create(b, loc, cast<MemRefType>(rowType), operand.get(), offsets, sizes,
                                   steps);
}

/// The op on one row: without the loops that it shares, but for that over the rows of a tile.
void RowEmitter::emitMember(const RowMember &member) {
  linalg::LinalgOp op = member.op;
  SmallVector<AffineExpr> dims;
  SmallVector<utils::IteratorType> iterators;
  auto numberOf = [&](unsigned loop) -> std::optional<unsigned> {
    const auto *shared = llvm::find(member.loops, loop);
    return shared == member.loops.end() ? std::nullopt
                                        : std::optional<unsigned>(shared - member.loops.begin());
  };
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    std::optional<unsigned> shared = numberOf(loop);
    bool isGone = shared && shared != tiled;
    dims.push_back(isGone ? AffineExpr() : b.getAffineDimExpr(iterators.size()));
    if (!isGone)
      iterators.push_back(kind);
  }
  SmallVector<AffineMap> maps;
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    SmallVector<AffineExpr> exprs;
    for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop || dims[loop.getPosition()])
        exprs.push_back(expr.replaceDims(dims));
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
    std::optional<unsigned> shared = numberOf(index.getDim());
    b.setInsertionPointAfter(index);
    if (AffineExpr dim = dims[index.getDim()])
      index.setDim(cast<AffineDimExpr>(dim).getPosition());
    if (shared == tiled && shared) {
      auto place = arith::AddIOp::create(b, index.getLoc(), index, rows[*shared]);
      index.getResult().replaceAllUsesExcept(place, place);
    } else if (shared) {
      b.replaceOp(index, rows[*shared]);
    }
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
  SmallVector<Value> lower(group.trips.size(), index(0)), step, upper;
  for (auto [i, count] : llvm::enumerate(group.trips)) {
    upper.push_back(index(count));
    step.push_back(index(tiled == i ? tile : 1));
  }
  int64_t flops = work();
  auto loop = scf::ParallelOp::create(b, loc, lower, upper, step);
  loop->setAttr("jit.flops", b.getI64IntegerAttr(flops));
  rows = loop.getInductionVars();
  b.setInsertionPointToStart(loop.getBody());
  createLocals();
  for (const RowMember &member : group.members)
    emitMember(member);
  for (const RowMember &member : group.members)
    b.eraseOp(member.op);
}

namespace {
struct FuseRows : jit::codegen::impl::FuseRowsBase<FuseRows> {
  using FuseRowsBase::FuseRowsBase;

  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation().walk([&](Block *block) {
      if (!isa<linalg::LinalgOp>(block->getParentOp()))
        blocks.push_back(block);
    });
    IRRewriter rewriter(&getContext());
    for (Block *block : blocks)
      for (const RowGroup &group :
           chains ? jit::codegen::findProductChains(*block) : jit::codegen::findRowGroups(*block)) {
        RowEmitter emitter(group, rewriter);
        if (!chains || emitter.tileProducts())
          emitter.emit();
      }
  }
};
} // namespace

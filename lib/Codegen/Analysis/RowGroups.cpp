//===- RowGroups.cpp - ops that can share their outer loops ---------------===//
#include "Analysis/RowGroups.h"
#include "Analysis/LoopOrder.h"
#include "Analysis/Memory.h"
#include "Analysis/ProductNest.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using jit::codegen::RowGroup;
using jit::codegen::RowMember;

/// Fewer rows keep too few threads busy, and fewer elements of a row too few lanes.
static constexpr int64_t leastRows = 8, leastInRow = 64;

int64_t RowGroup::rows() const {
  int64_t product = 1;
  for (int64_t count : trips)
    product *= count;
  return product;
}

//===----------------------------------------------------------------------===//
// One op
//===----------------------------------------------------------------------===//

static bool isBuffer(Value value) { return isa<MemRefType>(value.getType()); }

/// The constant layout of a buffer.
static bool hasKnownPlaces(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  if (!type.hasStaticShape() || type.getLayout().isIdentity())
    return type.hasStaticShape();
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(type.getStridesAndOffset(strides, offset)) && !ShapedType::isDynamic(offset) &&
         llvm::none_of(strides, ShapedType::isDynamic);
}

/// True if the op walks the operand dimension by dimension.
static bool isPlain(linalg::LinalgOp op, OpOperand &operand) {
  return op.getMatchingIndexingMap(&operand).isProjectedPermutation(/*allowZeroInResults=*/true);
}

/// True for loops over buffers that can be cut into rows by taking subviews. Products read packed
/// operands in blocks.
static bool isEligible(linalg::LinalgOp op, bool withProducts) {
  if (!op.hasPureBufferSemantics() || op.getNumDpsInits() == 0 ||
      op.getBlock()->getNumArguments() != op->getNumOperands())
    return false;
  for (int64_t size : op.getStaticLoopRanges())
    if (ShapedType::isDynamic(size) || size == 0)
      return false;
  bool isCutProduct = withProducts && jit::codegen::isProduct(op);
  for (OpOperand &operand : op->getOpOperands()) {
    bool isReadable = !isBuffer(operand.get()) ||
                      (hasKnownPlaces(operand.get()) && (isCutProduct || isPlain(op, operand)));
    if (!isReadable)
      return false;
  }
  return llvm::all_of(*op.getBlock(),
                      [](Operation &nested) { return isMemoryEffectFree(&nested); });
}

/// The loops of `op` that others may share: parallel ones that write something else in each
/// iteration.
static SmallVector<unsigned> sharableLoops(linalg::LinalgOp op) {
  auto isCut = [&](unsigned loop) {
    return llvm::any_of(op.getIndexingMapsArray(), [&](AffineMap map) {
      return llvm::any_of(map.getResults(), [&](AffineExpr expr) {
        return !isa<AffineDimExpr>(expr) && expr.isFunctionOfDim(loop);
      });
    });
  };
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  SmallVector<unsigned> loops;
  for (auto [loop, size] : llvm::enumerate(op.getStaticLoopRanges())) {
    bool writes = llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
      return jit::codegen::strideAlong(op, init, loop) != 0;
    });
    if (size > 1 && iterators[loop] == utils::IteratorType::parallel && writes && !isCut(loop))
      loops.push_back(loop);
  }
  return loops;
}

/// True if `loop` is one digit of the addresses behind `operand`: with step s and n iterations,
/// address / s mod n is its iteration, whatever the other loops do.
static bool isDigit(linalg::LinalgOp op, OpOperand &operand, unsigned loop) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t step = jit::codegen::strideAlong(op, operand, loop), offset;
  SmallVector<int64_t> strides;
  (void)cast<MemRefType>(operand.get().getType()).getStridesAndOffset(strides, offset);
  if (!isPlain(op, operand) || step <= 0 || (offset / step) % sizes[loop] != 0)
    return false;
  int64_t below = offset % step;
  for (auto [other, size] : llvm::enumerate(sizes)) {
    int64_t stride = jit::codegen::strideAlong(op, operand, other);
    if (other == loop || size == 1 || stride == 0)
      continue;
    if (stride < step)
      below += stride * (size - 1);
    else if (stride % (step * sizes[loop]) != 0)
      return false;
  }
  return below < step;
}

/// The loop of `op` that walks `operand` as `loop` of the member walks `shared`.
static std::optional<unsigned> sameLoop(linalg::LinalgOp op, OpOperand &operand,
                                        linalg::LinalgOp member, OpOperand &shared, unsigned loop) {
  if (!isDigit(member, shared, loop))
    return std::nullopt;
  int64_t step = jit::codegen::strideAlong(member, shared, loop),
          trips = member.getStaticLoopRanges()[loop];
  for (unsigned own : sharableLoops(op))
    if (op.getStaticLoopRanges()[own] == trips &&
        jit::codegen::strideAlong(op, operand, own) == step && isDigit(op, operand, own))
      return own;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Which loops a group shares in the end
//===----------------------------------------------------------------------===//

/// How often the loops run that a member does not share.
static int64_t elementsInRow(const RowMember &member) {
  linalg::LinalgOp op = member.op;
  int64_t count = 1;
  for (auto [loop, size] : llvm::enumerate(op.getStaticLoopRanges()))
    if (!llvm::is_contained(member.loops, loop))
      count *= size;
  return count;
}

static void drop(RowGroup &group, unsigned shared) {
  group.trips.erase(group.trips.begin() + shared);
  for (RowMember &member : group.members)
    member.loops.erase(member.loops.begin() + shared);
}

/// The shared loop that vectors would run along in this member.
static std::optional<unsigned> sharedInnermost(const RowMember &member) {
  std::optional<unsigned> innermost = jit::codegen::chooseLoopOrder(member.op).innermost;
  const auto *found = innermost ? llvm::find(member.loops, *innermost) : member.loops.end();
  return found == member.loops.end() ? std::nullopt
                                     : std::optional<unsigned>(found - member.loops.begin());
}

/// Drops a loop that vectors have to run along in an op that has something left to do in a row.
static bool dropInnermost(RowGroup &group) {
  for (const RowMember &member : group.members)
    if (elementsInRow(member) > 1)
      if (std::optional<unsigned> shared = sharedInnermost(member)) {
        drop(group, *shared);
        return true;
      }
  return false;
}

/// One loop less leaves more to do in other members.
static void keepVectors(RowGroup &group) {
  while (dropInnermost(group)) {
  }
}

/// Rows are not cut finer than vectors are long.
static void widenRows(RowGroup &group) {
  auto isShort = [](const RowMember &member) {
    int64_t elements = elementsInRow(member);
    return elements > 1 && elements < leastInRow;
  };
  auto isNumber = [](const RowMember &member) { return elementsInRow(member) == 1; };
  if (group.trips.size() > 1 && llvm::all_of(group.members, isNumber)) {
    std::optional<unsigned> shared = sharedInnermost(group.members.front());
    drop(group, shared.value_or(group.trips.size() - 1));
  }
  while (group.trips.size() > 1 && llvm::any_of(group.members, isShort))
    drop(group, group.trips.size() - 1);
  keepVectors(group);
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

namespace {
/// Walks a block and collects ops into one group at a time.
class Grouper {
public:
  explicit Grouper(bool ofProducts) : ofProducts(ofProducts) {}

  void add(Operation &op);
  void close();
  SmallVector<RowGroup> take() { return std::move(groups); }

private:
  bool isIndependent(Operation *op) const;
  std::optional<SmallVector<std::optional<unsigned>>> match(linalg::LinalgOp op) const;
  bool join(linalg::LinalgOp op);
  bool mayLoseLoops(linalg::LinalgOp op) const;
  void addInit();
  void joinWaiting();
  void start(linalg::LinalgOp op);

  /// Whether groups begin with a product, and others may be in them.
  bool ofProducts;
  RowGroup group;
  /// Ops among the group's that touch nothing of it, and stay before it.
  SmallVector<Operation *> waiting;
  SmallVector<RowGroup> groups;
};
} // namespace

/// True if what the body of `a` loads or stores beside its operands may be what `b` writes, or the
/// other way round.
static bool isTouchedInside(linalg::LinalgOp a, linalg::LinalgOp b) {
  return a.getBlock()
      ->walk([&](Operation *nested) {
        bool onlyReads = isa<memref::LoadOp, memref::DimOp>(nested);
        for (Value buffer : llvm::make_filter_range(nested->getOperands(), isBuffer))
          for (OpOperand &y : b->getOpOperands())
            if (isBuffer(y.get()) && (!onlyReads || b.isDpsInit(&y)) &&
                jit::codegen::mayAlias(buffer, y.get()))
              return WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}

/// True if the order of the two does not matter.
static bool commute(linalg::LinalgOp a, linalg::LinalgOp b) {
  if (isTouchedInside(a, b) || isTouchedInside(b, a))
    return false;
  for (OpOperand &x : a->getOpOperands())
    for (OpOperand &y : b->getOpOperands())
      if (isBuffer(x.get()) && isBuffer(y.get()) && (a.isDpsInit(&x) || b.isDpsInit(&y)) &&
          jit::codegen::mayAlias(x.get(), y.get()))
        return false;
  return true;
}

static bool commute(Operation *op, linalg::LinalgOp other) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (structured && structured.hasPureBufferSemantics())
    return commute(structured, other);
  return llvm::none_of(other->getOperands(), [&](Value operand) {
    return isBuffer(operand) && jit::codegen::mayTouch(op, operand);
  });
}

bool Grouper::isIndependent(Operation *op) const {
  return llvm::all_of(group.members,
                      [&](const RowMember &member) { return commute(op, member.op); });
}

/// For each shared loop the one of `op` that it is, if there is one; nullopt where the op can't be
/// in the group at all.
std::optional<SmallVector<std::optional<unsigned>>> Grouper::match(linalg::LinalgOp op) const {
  SmallVector<std::optional<unsigned>> found(group.trips.size());
  llvm::SmallDenseSet<unsigned> lost;
  for (const RowMember &member : group.members) {
    linalg::LinalgOp other = member.op;
    for (OpOperand &shared : other->getOpOperands())
      for (OpOperand &operand : op->getOpOperands()) {
        if (!isBuffer(shared.get()) || !isBuffer(operand.get()) ||
            !jit::codegen::mayAlias(shared.get(), operand.get()))
          continue;
        bool ordered = other.isDpsInit(&shared) || op.isDpsInit(&operand);
        bool same = jit::codegen::rootOf(shared.get()) == jit::codegen::rootOf(operand.get());
        if (ordered && !same)
          return std::nullopt;
        for (auto [i, loop] : llvm::enumerate(member.loops)) {
          std::optional<unsigned> own;
          if (same)
            own = sameLoop(op, operand, other, shared, loop);
          if (own && !found[i])
            found[i] = own;
          else if (ordered && (!own || own != found[i]))
            lost.insert(i);
        }
      }
  }
  for (unsigned i : lost)
    found[i].reset();
  return found;
}

static bool isProductMember(const RowMember &member) { return jit::codegen::isProduct(member.op); }

/// A product of fewer loops would read its other operand again in each of their iterations.
bool Grouper::mayLoseLoops(linalg::LinalgOp op) const {
  return !ofProducts ||
         (!jit::codegen::isProduct(op) && llvm::count_if(group.members, isProductMember) < 2);
}

bool Grouper::join(linalg::LinalgOp op) {
  auto found = match(op);
  if (!found)
    return false;
  RowGroup next;
  next.members = group.members;
  RowMember self{op, {}};
  for (RowMember &member : next.members)
    member.loops.clear();
  for (auto [i, own] : llvm::enumerate(*found)) {
    // Two loops of the group cannot be one of the op's.
    if (!own || llvm::is_contained(self.loops, *own))
      continue;
    self.loops.push_back(*own);
    next.trips.push_back(group.trips[i]);
    for (auto [member, before] : llvm::zip(next.members, group.members))
      member.loops.push_back(before.loops[i]);
  }
  if (next.trips.size() < group.trips.size() && !mayLoseLoops(op))
    return false;
  next.members.push_back(self);
  keepVectors(next);
  if (next.trips.empty() || next.rows() < leastRows)
    return false;
  group = std::move(next);
  return true;
}

/// What waits may have been waiting for the op that has just joined.
void Grouper::joinWaiting() {
  linalg::LinalgOp joined = group.members.back().op;
  for (unsigned i = waiting.size(); i-- > 0;) {
    auto op = dyn_cast<linalg::LinalgOp>(waiting[i]);
    bool isNeeded = op && isEligible(op, ofProducts) && !commute(op, joined);
    // It goes past those that wait behind it.
    auto behind = ArrayRef(waiting).drop_front(i + 1);
    if (isNeeded && llvm::all_of(behind, [&](Operation *other) { return commute(other, op); }) &&
        join(op))
      waiting.erase(waiting.begin() + i);
  }
  llvm::sort(group.members, [](const RowMember &a, const RowMember &b) {
    return linalg::LinalgOp(a.op)->isBeforeInBlock(linalg::LinalgOp(b.op));
  });
}

void Grouper::start(linalg::LinalgOp op) {
  SmallVector<unsigned> loops = sharableLoops(op);
  if (loops.empty() || (ofProducts && !jit::codegen::isProduct(op)))
    return;
  for (unsigned loop : loops)
    group.trips.push_back(op.getStaticLoopRanges()[loop]);
  group.members.push_back({op, loops});
  keepVectors(group);
  if (group.trips.empty())
    group = RowGroup();
}

/// What sets the first product's results before it adds to them.
void Grouper::addInit() {
  linalg::LinalgOp product = group.members.front().op;
  Value out = product.getDpsInits()[0];
  for (Operation *op = product->getPrevNode(); op; op = op->getPrevNode()) {
    auto init = dyn_cast<linalg::LinalgOp>(op);
    if (init && init.getNumDpsInits() == 1 && init.getDpsInits()[0] == out) {
      // Anything else would have to read now what it read then.
      if (isa<linalg::FillOp>(op) && join(init))
        std::rotate(group.members.begin(), group.members.end() - 1, group.members.end());
      return;
    }
    if (jit::codegen::mayTouch(op, out))
      return;
  }
}

void Grouper::close() {
  bool isWanted =
      ofProducts ? llvm::count_if(group.members, isProductMember) > 1 : group.members.size() > 1;
  if (isWanted && ofProducts)
    addInit();
  else if (isWanted)
    widenRows(group);
  if (isWanted && group.rows() >= leastRows)
    groups.push_back(std::move(group));
  group = RowGroup();
  waiting.clear();
}

void Grouper::add(Operation &op) {
  if (!isa<linalg::LinalgOp>(op) && jit::codegen::isHarmless(&op))
    return;
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  bool eligible = structured && isEligible(structured, ofProducts);
  if (eligible && !group.members.empty() && join(structured))
    return joinWaiting();
  if (!group.members.empty() && isIndependent(&op)) {
    waiting.push_back(&op);
    return;
  }
  close();
  if (eligible)
    start(structured);
}

static SmallVector<RowGroup> findGroups(Block &block, bool ofProducts) {
  Grouper grouper(ofProducts);
  for (Operation &op : block)
    grouper.add(op);
  grouper.close();
  return grouper.take();
}

SmallVector<RowGroup> jit::codegen::findRowGroups(Block &block) {
  return findGroups(block, /*ofProducts=*/false);
}

SmallVector<RowGroup> jit::codegen::findProductChains(Block &block) {
  return findGroups(block, /*ofProducts=*/true);
}

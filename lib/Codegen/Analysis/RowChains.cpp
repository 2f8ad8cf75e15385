//===- RowChains.cpp - ops that work on the same rows ---------------------===//
#include "Analysis/RowChains.h"
#include "Analysis/BufferRoots.h"
#include "Analysis/Combiners.h"
#include "Analysis/Memory.h"
#include "Analysis/ProductShape.h"

using namespace mlir;
using jit::codegen::Extent;
using jit::codegen::Reach;
using jit::codegen::RowSpace;

/// How many ops that do not belong to a group may stand between those that do.
static constexpr size_t maxSkipped = 64;
/// What assemblers do to long kernels takes more than twice as long for twice as many; and 4096
/// bytes are all that a kernel has for its parameters.
static constexpr size_t maxBuffers = 64;

Extent RowSpace::canonical(const Extent &size) const {
  Extent result{size.known, {}};
  for (unsigned name : size.open) {
    const auto *found = llvm::find_if(learned, [&](auto &known) { return known.first == name; });
    result.multiply(found == learned.end() ? Extent{1, {name}} : canonical(found->second));
  }
  return result;
}

std::optional<SmallVector<Extent>> RowSpace::loopsOf(linalg::LinalgOp op) const {
  std::optional<ArrayRef<Extent>> sizes = extents->of(op);
  if (!sizes)
    return std::nullopt;
  return SmallVector<Extent>(
      llvm::map_range(*sizes, [&](const Extent &size) { return canonical(size); }));
}

/// A name is a number, or else the name that came first.
void RowSpace::learn(const Extent &size, const Extent &other) {
  Extent first = canonical(size), second = canonical(other);
  if (second.isName() && (!first.isName() || first.open < second.open))
    std::swap(first, second);
  bool isOfUse = second.isName() || (second.isKnown() && !second.isOne());
  if (first.isName() && isOfUse && !(first == second))
    learned.emplace_back(first.open.front(), second);
}

void RowSpace::learnFrom(linalg::LinalgOp op) {
  for (auto [size, others] : llvm::zip(*extents->of(op), extents->othersOf(op)))
    for (const Extent &other : others)
      learn(size, other);
  rows = canonical(rows);
  columns = canonical(columns);
}

static Extent productOf(ArrayRef<Extent> sizes) {
  Extent product;
  for (const Extent &size : sizes)
    product.multiply(size);
  return product;
}

std::optional<unsigned> jit::codegen::rowDims(linalg::LinalgOp op, const RowSpace &space) {
  std::optional<SmallVector<Extent>> sizes = space.loopsOf(op);
  if (!sizes)
    return std::nullopt;
  Extent rows;
  unsigned count = 0;
  while (count < sizes->size() && !(rows == space.rows))
    rows.multiply((*sizes)[count++]);
  Extent rest = productOf(ArrayRef(*sizes).drop_front(count));
  if (!(rows == space.rows) || (!rest.isOne() && !(rest == space.columns)))
    return std::nullopt;
  return count;
}

bool jit::codegen::isRowLevel(linalg::LinalgOp op, const RowSpace &space) {
  std::optional<SmallVector<Extent>> sizes = space.loopsOf(op);
  return sizes && productOf(*sizes) == space.rows;
}

bool jit::codegen::isAcrossRows(linalg::LinalgOp op, const RowSpace &space) {
  std::optional<unsigned> rows = rowDims(op, space);
  if (!rows || !space.rows.isKnown() || space.rows.isOne() || !space.columns.isKnown() ||
      isRowLevel(op, space))
    return false;
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  SmallVector<utils::IteratorType> ofColumns;
  for (auto [dim, size] : llvm::enumerate(op.getStaticLoopRanges())) {
    if (dim >= *rows)
      ofColumns.push_back(kinds[dim]);
    else if (size != 1 && kinds[dim] != utils::IteratorType::reduction)
      return false;
  }
  return llvm::all_equal(ofColumns) && jit::codegen::combinersOf(op);
}

Reach jit::codegen::reachOf(linalg::LinalgOp op, OpOperand &operand, const RowSpace &space) {
  std::optional<unsigned> rows = rowDims(op, space);
  if (rows && jit::codegen::walksInOrder(op, operand, 0, *rows))
    return Reach::Row;
  if (rows && !isRowLevel(op, space) &&
      jit::codegen::walksInOrder(op, operand, 0, op.getNumLoops()))
    return Reach::Element;
  return Reach::Other;
}

/// Makes `space` the rows of a reduction along its last dimensions; false for other ops.
static bool addRows(linalg::LinalgOp op, RowSpace &space) {
  std::optional<SmallVector<Extent>> sizes = space.loopsOf(op);
  if (!sizes || op.getNumReductionLoops() == 0)
    return false;
  space.rows = space.columns = {};
  for (auto [size, kind] : llvm::zip(*sizes, op.getIteratorTypesArray())) {
    if (size.known == 0)
      return false;
    if (kind == utils::IteratorType::reduction)
      space.columns.multiply(size);
    else if (!size.isOne() && !space.columns.isOne())
      return false;
    else
      space.rows.multiply(size);
  }
  return !space.columns.isOne();
}

/// True if the op by itself could be part of a group over `space`.
static bool fits(linalg::LinalgOp op, const RowSpace &space) {
  if (!jit::codegen::hasKnownMemory(op) || jit::codegen::isOpenProduct(op) ||
      !jit::codegen::rowDims(op, space))
    return false;
  if (op.getNumReductionLoops() == 0 || jit::codegen::isAcrossRows(op, space))
    return true;
  RowSpace own = space;
  return addRows(op, own) && own.rows == space.rows && own.columns == space.columns &&
         jit::codegen::combinersOf(op);
}

namespace {
/// Follows what happens to buffers from op to op of a group.
class Flow {
public:
  /// `isWhole`: what reductions go on from has to be known, as it is once the group has all ops
  /// before them.
  Flow(const RowSpace &space, bool isWhole) : space(space), isWhole(isWhole) {}

  /// False where the op cannot follow those before it.
  bool add(linalg::LinalgOp op);

private:
  bool read(linalg::LinalgOp op, OpOperand &operand);
  bool write(linalg::LinalgOp op, OpOperand &init);

  const RowSpace &space;
  bool isWhole;
  llvm::DenseMap<Value, Reach> written;
  llvm::DenseMap<Value, SmallVector<Reach>> readBefore;
  /// What all rows are reduced to, which is not there before the last of them.
  llvm::DenseSet<Value> ofAllRows;
};
} // namespace

bool Flow::read(linalg::LinalgOp op, OpOperand &operand) {
  Value root = jit::codegen::viewedBuffer(operand.get());
  if (ofAllRows.contains(root))
    return false;
  bool isReshaped = jit::codegen::reshapeSource(operand.get()) == root;
  Reach reach = isReshaped ? jit::codegen::reachOf(op, operand, space) : Reach::Other;
  if (auto found = written.find(root); found != written.end())
    return reach == found->second;
  readBefore[root].push_back(reach);
  return true;
}

bool Flow::write(linalg::LinalgOp op, OpOperand &init) {
  Value root = jit::codegen::viewedBuffer(init.get());
  if (ofAllRows.contains(root))
    return false;
  if (jit::codegen::isAcrossRows(op, space))
    return !written.contains(root) && !readBefore.contains(root) && ofAllRows.insert(root).second;
  bool isPerRow = jit::codegen::isRowLevel(op, space) || op.getNumReductionLoops() > 0;
  Reach reach = isPerRow ? Reach::Row : Reach::Element;
  if (jit::codegen::reshapeSource(init.get()) != root ||
      jit::codegen::reachOf(op, init, space) != reach)
    return false;
  if (auto found = written.find(root); found != written.end())
    return reach == found->second;
  // One thread writes what all threads of the row would have to have read before.
  if (isPerRow && (readBefore.contains(root) || (isWhole && op.payloadUsesValueFromOperand(&init))))
    return false;
  written[root] = reach;
  return llvm::all_of(readBefore.lookup(root), [&](Reach read) { return read == reach; });
}

bool Flow::add(linalg::LinalgOp op) {
  for (OpOperand *input : op.getDpsInputOperands())
    if (isa<MemRefType>(input->get().getType()) && op.payloadUsesValueFromOperand(input) &&
        !read(op, *input))
      return false;
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) { return write(op, init); });
}

namespace {
/// Grows a group around one reduction.
class Grower {
public:
  /// `takesAcross`: whether ops may reduce all rows.
  Grower(linalg::LinalgOp seed, const RowSpace &space, const llvm::DenseSet<Operation *> &taken,
         bool takesAcross)
      : group{{seed}, space}, taken(taken), takesAcross(takesAcross) {
    group.space.learnFrom(seed);
  }

  jit::codegen::RowChain grow();

private:
  void growBackwards();
  void growForwards();
  /// Takes the op in, before or behind those that are there, if that can be.
  bool takes(Operation *op, bool before);
  bool isFree(Operation *op);

  jit::codegen::RowChain group;
  const llvm::DenseSet<Operation *> &taken;
  bool takesAcross;
};
} // namespace

static bool flows(ArrayRef<linalg::LinalgOp> ops, const RowSpace &space, bool isWhole) {
  Flow flow(space, isWhole);
  return llvm::all_of(ops, [&](linalg::LinalgOp op) { return flow.add(op); });
}

static size_t countBuffers(ArrayRef<linalg::LinalgOp> ops) {
  llvm::SmallDenseSet<Value, 16> roots;
  for (linalg::LinalgOp op : ops)
    for (Value buffer : op->getOperands())
      if (isa<MemRefType>(buffer.getType()))
        roots.insert(jit::codegen::rootOf(buffer));
  return roots.size();
}

bool Grower::isFree(Operation *op) {
  return jit::codegen::hasKnownMemory(op) && !taken.contains(op);
}

bool Grower::takes(Operation *op, bool before) {
  auto candidate = dyn_cast<linalg::LinalgOp>(op);
  if (!candidate || !fits(candidate, group.space) ||
      (!takesAcross && jit::codegen::isAcrossRows(candidate, group.space)))
    return false;
  bool startsRows = isa<linalg::FillOp>(op) && jit::codegen::isRowLevel(candidate, group.space);
  if (!startsRows && llvm::none_of(group.ops, [&](Operation *member) {
        return jit::codegen::shareBuffer(op, member);
      }))
    return false;
  SmallVector<linalg::LinalgOp> ops = group.ops;
  ops.insert(before ? ops.begin() : ops.end(), candidate);
  if (countBuffers(ops) > maxBuffers || !flows(ops, group.space, /*isWhole=*/!before))
    return false;
  group.ops = std::move(ops);
  group.space.learnFrom(candidate);
  return true;
}

void Grower::growBackwards() {
  SmallVector<Operation *> skipped;
  for (Operation *op = group.ops.front()->getPrevNode(); op; op = op->getPrevNode()) {
    if (jit::codegen::isAside(op))
      continue;
    if (!isFree(op) || skipped.size() > maxSkipped)
      return;
    // It would move behind those that are skipped.
    bool canMove =
        llvm::none_of(skipped, [&](Operation *other) { return jit::codegen::conflict(op, other); });
    if (!canMove || !takes(op, /*before=*/true))
      skipped.push_back(op);
  }
}

void Grower::growForwards() {
  size_t skipped = 0;
  for (Operation *op = group.ops.back()->getNextNode(); op; op = op->getNextNode()) {
    if (jit::codegen::isAside(op))
      continue;
    if (!isFree(op) || skipped > maxSkipped)
      return;
    if (takes(op, /*before=*/false))
      continue;
    // All members would move behind it.
    if (llvm::any_of(group.ops,
                     [&](Operation *member) { return jit::codegen::conflict(op, member); }))
      return;
    ++skipped;
  }
}

jit::codegen::RowChain Grower::grow() {
  growBackwards();
  if (flows(group.ops, group.space, /*isWhole=*/true))
    growForwards();
  else
    group.ops.clear();
  return group;
}

SmallVector<jit::codegen::RowChain>
jit::codegen::findRowChains(Block &block, const Extents &extents,
                            llvm::function_ref<bool(const RowChain &)> accepts) {
  SmallVector<RowChain> groups;
  llvm::DenseSet<Operation *> taken;
  for (Operation &op : block) {
    auto seed = dyn_cast<linalg::LinalgOp>(op);
    RowSpace space{&extents, {}, {}};
    if (!seed || taken.contains(&op) || !addRows(seed, space) || !fits(seed, space))
      continue;
    auto isAccepted = [&](const RowChain &group) {
      auto isWork = [](Operation *member) { return !isa<linalg::FillOp>(member); };
      return llvm::count_if(group.ops, isWork) >= 2 && accepts(group);
    };
    RowChain group = Grower(seed, space, taken, /*takesAcross=*/true).grow();
    bool hasAcross = llvm::any_of(
        group.ops, [&](linalg::LinalgOp member) { return isAcrossRows(member, group.space); });
    if (hasAcross && !isAccepted(group))
      group = Grower(seed, space, taken, /*takesAcross=*/false).grow();
    if (!isAccepted(group))
      continue;
    taken.insert(group.ops.begin(), group.ops.end());
    groups.push_back(std::move(group));
  }
  return groups;
}

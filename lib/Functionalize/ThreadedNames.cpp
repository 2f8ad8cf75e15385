//===- ThreadedNames.cpp - what a name shows, and who sees a write to it ---===//

#include "TensorThreading.h"
#include "jit/Dialect/Aten/View.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace jit {

/// `build()` where the condition holds, else `otherwise`.
Value TensorThreading::choose(OpBuilder &builder, Value condition, Value otherwise,
                              function_ref<Value(OpBuilder &)> build) {
  if (matchPattern(condition, m_One()))
    return build(builder);
  if (matchPattern(condition, m_Zero()))
    return otherwise;
  Location loc = otherwise.getLoc();
  auto branch = scf::IfOp::create(builder, loc, otherwise.getType(), condition, true);
  OpBuilder then = branch.getThenBodyBuilder(), other = branch.getElseBodyBuilder();
  Value value = build(then);
  if (!value) {
    branch.erase();
    return {};
  }
  scf::YieldOp::create(then, loc, castTo(then, loc, value, otherwise.getType()));
  scf::YieldOp::create(other, loc, otherwise);
  return branch.getResult(0);
}

/// `self` with other elements; its gradient stays what it was.
Value TensorThreading::withHistory(OpBuilder &builder, Value self, Value elements) {
  return aten::WithElementsOp::create(builder, self.getLoc(), self.getType(), {self, elements});
}

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

/// `cell` and the cells of what it may be, directly or through other names.
const CellThreading::Cells &TensorThreading::reachedBy(Cell cell) {
  if (auto known = reached.find(cell); known != reached.end())
    return known->second;
  Cells all;
  all.insert(cell);
  for (unsigned next = 0; next < all.size(); ++next)
    for (const Link &link : links.lookup(nameOf.lookup(all[next])))
      if (auto path = pathOf(link.memory))
        all.insert(path->cell);
  return reached[cell] = std::move(all);
}

TensorThreading::Values TensorThreading::valuesBehind(Cell cell) {
  Values values;
  for (Cell behind : reachedBy(cell))
    values.push_back({behind, get(behind)});
  return values;
}

/// What a cell shows: of a name that is another memory what that shows now.
Value TensorThreading::shown(OpBuilder &builder, Cell cell) {
  if (!nameOf.contains(cell) || agreed.lookup(cell) == valuesBehind(cell))
    return get(cell);
  Region *here = builder.getInsertionBlock()->getParent();
  Shown last = lastShown.lookup(cell);
  if (last.value && last.before == assignments && last.where->isAncestor(here))
    return last.value;
  Value value = shownNow(builder, cell);
  cellOf.try_emplace(value, cell);
  lastShown[cell] = {value, assignments, here};
  return value;
}

Value TensorThreading::shownNow(OpBuilder &builder, Cell cell) {
  Value own = get(cell), value = own;
  for (const Link &link : links.lookup(nameOf.lookup(cell))) {
    auto path = pathOf(link.memory);
    if (!path || !get(path->cell))
      continue;
    // Asked out here, once, so that names of names do not multiply.
    Value memory = shown(builder, path->cell);
    value = choose(builder, link.condition, value, [&](OpBuilder &inner) {
      refresh(inner, *path, memory, /*isLink=*/true);
      Value now = underType(inner, path->values.front(), typeOf(cell));
      return detached.contains(cell) ? withHistory(inner, own, now) : now;
    });
  }
  return value;
}

//===----------------------------------------------------------------------===//
// Writes
//===----------------------------------------------------------------------===//

/// How many links lie at most between a cell and memory that is no other's.
unsigned TensorThreading::depthOf(Cell cell) {
  if (auto known = depths.find(cell); known != depths.end())
    return known->second;
  unsigned depth = 0;
  for (const Link &link : links.lookup(nameOf.lookup(cell)))
    if (auto path = pathOf(link.memory))
      depth = std::max(depth, 1 + depthOf(path->cell));
  return depths[cell] = depth;
}

/// The memories that `cell`, which was written, may be, and those that these may be, show what it
/// shows. A memory passes on what it was given, and nothing where it is another one that was
/// written.
LogicalResult TensorThreading::passOn(OpBuilder &builder, Operation *op, Cell cell) {
  if (!nameOf.contains(cell))
    return success();
  Location loc = op->getLoc();
  WrittenCells written;
  written[cell] = arith::ConstantIntOp::create(builder, loc, 1, 1);
  llvm::SmallSetVector<Cell, 4> up;
  for (up.insert(cell); !up.empty();) {
    Cell next = *llvm::max_element(up, [&](Cell a, Cell b) { return depthOf(a) < depthOf(b); });
    up.remove(next);
    for (const Link &link : links.lookup(nameOf.lookup(next))) {
      auto path = pathOf(link.memory);
      if (!path || !get(path->cell))
        continue;
      Value condition = builder.createOrFold<arith::AndIOp>(loc, written[next], link.condition);
      if (failed(writeThrough(builder, op, next, condition, *path)))
        return failure();
      Value &given = written[path->cell];
      given = given ? builder.createOrFold<arith::OrIOp>(loc, given, condition) : condition;
      up.insert(path->cell);
    }
  }
  agreed[cell] = valuesBehind(cell);
  return success();
}

/// The memory at the end of `path` shows what `cell` shows, if the condition holds.
LogicalResult TensorThreading::writeThrough(OpBuilder &builder, Operation *op, Cell cell,
                                            Value condition, Path &path) {
  Value before = shown(builder, path.cell);
  Value next = choose(builder, condition, get(path.cell), [&](OpBuilder &inner) -> Value {
    refresh(inner, path, before, /*isLink=*/true);
    Value value = underType(inner, get(cell), path.values.front().getType());
    auto scattered = scatter(inner, op, path, value);
    if (failed(scattered))
      return {};
    return detached.contains(cell) ? withHistory(inner, get(path.cell), *scattered) : *scattered;
  });
  if (!next)
    return failure();
  set(path.cell, next);
  return success();
}

} // namespace jit

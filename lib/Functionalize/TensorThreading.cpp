//===- TensorThreading.cpp - writes in place become new tensors -----------===//

#include "ScatterPlaces.h"
#include "TensorMemory.h"
#include "TrailingValues.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/Gradient.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/CellThreading.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace jit {

/// `value`, an operator's result just made, under the type of what it replaces: a write changes
/// neither sizes nor element type.
static Value underType(OpBuilder &builder, Value value, Type type) {
  if (value.getDefiningOp<AtenOpInterface>())
    if (Type met = meetTypes(value.getType(), type); met && isa<TensorType>(met))
      value.setType(met);
  return castTo(builder, value.getLoc(), value, type);
}

namespace {

/// Every memory that is written, and every name that may be one of several, is a cell; a view is
/// taken of the cell's present value where it is used. A write to a cell is passed on along links.
/// A detached name through which something is written is a cell, too: from then on it has a history
/// of gradients of its own, and along its link go elements alone.
class TensorThreading : CellThreading {
public:
  TensorThreading(func::FuncOp func, MemoryClasses classes, Links links)
      : func(func), classes(std::move(classes)), links(std::move(links)) {}
  LogicalResult run();

private:
  /// The views from a value to its cell, outermost first, and for each its present value; at the
  /// end that of the cell.
  struct Path {
    Cell cell = 0;
    SmallVector<Operation *> views;
    SmallVector<Value> values;
  };
  std::optional<Path> pathOf(Value value);
  void refresh(OpBuilder &builder, Path &path);
  Value writtenLeaf(OpBuilder &builder, Value leaf, Value elements);
  Value present(OpBuilder &builder, Value value);
  FailureOr<Value> scatter(OpBuilder &builder, Operation *op, const Path &path, Value next);
  Value copied(OpBuilder &builder, Location loc, Value self, Value value);
  LogicalResult write(OverwriteOp op);
  unsigned depthOf(Cell cell);
  /// For each cell that a write may reach the condition under which it does.
  using WrittenCells = llvm::MapVector<Cell, Value>;
  LogicalResult passOn(OpBuilder &builder, Operation *op, Cell cell);
  LogicalResult passToMemories(OpBuilder &builder, Operation *op, Cell cell, WrittenCells &written);
  LogicalResult writeThrough(OpBuilder &builder, Operation *op, Cell cell, Value condition,
                             Path &path);
  Value choose(OpBuilder &builder, Value condition, Value otherwise,
               function_ref<Value(OpBuilder &)> build);
  void returnWrittenArguments();
  void linkDetached(Layouts &layouts, Value written);
  Value withHistory(OpBuilder &builder, Value self, Value elements);

  LogicalResult visit(Operation *op) final;
  void collectAssigned(Operation *op, Cells &cells) final;
  LogicalResult define(ValueRange values) final;
  void assigned(Cell cell, Value value) final { cellOf[value] = cell; }
  void replaced(Value from, Value to) final;

  func::FuncOp func;
  MemoryClasses classes;
  Links links;
  /// What shares the memory of its operand, and the layout of its result, as the program shows them
  /// before any change.
  DenseMap<Operation *, Layout> sharing;
  llvm::MapVector<Value, Cell> roots;
  /// For what shows a leaf after a write the leaf.
  DenseMap<Value, Value> writtenLeaves;
  /// Every value that a cell ever had.
  DenseMap<Value, Cell> cellOf;
  /// The name that a cell with links is for.
  llvm::MapVector<Cell, Value> nameOf;
  /// The cells of names that have a history of gradients of their own.
  llvm::DenseSet<Cell> detached;
  /// True, at the start of the function; made when it is needed.
  Value always;
};

} // namespace

//===----------------------------------------------------------------------===//
// Present values
//===----------------------------------------------------------------------===//

std::optional<TensorThreading::Path> TensorThreading::pathOf(Value value) {
  Path path;
  while (!cellOf.contains(value)) {
    if (auto leaf = writtenLeaves.find(value); leaf != writtenLeaves.end())
      value = leaf->second;
    Operation *view = value.getDefiningOp();
    if (!view || !sharing.contains(view))
      return std::nullopt;
    if (!isa<OverwriteOp>(view))
      path.views.push_back(view);
    value = view->getOperand(0);
  }
  path.cell = cellOf.lookup(value);
  return path;
}

/// Fills in the present values, from the cell to the outermost view.
void TensorThreading::refresh(OpBuilder &builder, Path &path) {
  path.values.assign(path.views.size() + 1, get(path.cell));
  for (size_t index = path.views.size(); index-- > 0;) {
    Operation *view = path.views[index];
    Value base = path.values[index + 1];
    if (view->getOperand(0) != base && isa<aten::LeafOp>(view)) {
      path.values[index] = writtenLeaf(builder, view->getResult(0), base);
      continue;
    }
    if (view->getOperand(0) != base) {
      view = builder.clone(*view);
      view->setOperand(0, castTo(builder, view->getLoc(), base, view->getOperand(0).getType()));
      Layout layout = sharing.lookup(path.views[index]);
      sharing[view] = layout;
      classes.add(path.views[index]->getResult(0), view->getResult(0));
    }
    path.values[index] = view->getResult(0);
  }
}

/// A leaf that was written, where gradients are off, is the same leaf with other elements.
Value TensorThreading::writtenLeaf(OpBuilder &builder, Value leaf, Value elements) {
  Location loc = leaf.getLoc();
  elements = castTo(builder, loc, elements, leaf.getType());
  Value written = aten::WithElementsOp::create(builder, loc, leaf.getType(), {leaf, elements});
  writtenLeaves[written] = leaf;
  classes.add(leaf, written);
  return written;
}

/// What `value` shows now: itself where nothing that it shows, or holds, was written.
Value TensorThreading::present(OpBuilder &builder, Value value) {
  // What a write made is in no class, but a list that was made after it holds it.
  if (!classes.isWritten(value) && !cellOf.contains(value))
    return value;
  if (auto path = pathOf(value)) {
    if (!get(path->cell))
      return value;
    refresh(builder, *path);
    return path->values.front();
  }
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() != 0 || !isMemoryEffectFree(op) ||
      isa<TensorType>(value.getType()))
    return value;
  // A list holds tensors, not what they were when it was made.
  IRMapping map;
  for (Value operand : op->getOperands())
    if (Value now = present(builder, operand); now != operand)
      map.map(operand, now);
  if (map.getValueMap().empty())
    return value;
  Operation *clone = builder.clone(*op, map);
  for (auto [from, to] : llvm::zip(op->getResults(), clone->getResults()))
    classes.add(from, to);
  return clone->getResult(cast<OpResult>(value).getResultNumber());
}

//===----------------------------------------------------------------------===//
// Writes
//===----------------------------------------------------------------------===//

/// The tensor `self` after it took the elements of `value`, broadcast and converted.
Value TensorThreading::copied(OpBuilder &builder, Location loc, Value self, Value value) {
  auto selfType = cast<TensorType>(self.getType());
  // The new value is one of its own even where it is the same tensor: `value` keeps its elements
  // when the memory is written again.
  if (selfType == value.getType() && selfType.isStatic())
    return DerefineOp::create(builder, loc, selfType, value);
  GraphBuilder build{builder, loc};
  Operation *copy = createInferred(builder, loc, OperationName("aten.copy", loc.getContext()),
                                   {self, value, build.flag(false).v});
  return copy ? copy->getResult(0) : Value();
}

/// The cell's value after `next` was written to the outermost view of `path`.
FailureOr<Value> TensorThreading::scatter(OpBuilder &builder, Operation *op, const Path &path,
                                          Value next) {
  Value written = next;
  for (auto [index, view] : llvm::enumerate(path.views)) {
    Value base = path.values[index + 1];
    next = underType(builder, next, view->getResult(0).getType());
    if (auto viewOp = dyn_cast<ViewOpInterface>(view))
      next = viewOp.scatter(builder, base, next);
    if (!next) {
      // No whole parts of the base: element by element.
      ArrayRef<Operation *> views = ArrayRef(path.views).take_front(index + 1);
      next = scatteredAtPlaces(builder, op, views, sharing.lookup(views.front()), base, written);
      if (!next)
        return failure();
    }
    next = underType(builder, next, base.getType());
  }
  return underType(builder, next, typeOf(path.cell));
}

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

/// How many links lie at most between a cell and memory that is no other's.
unsigned TensorThreading::depthOf(Cell cell) {
  unsigned depth = 0;
  for (const Link &link : links.lookup(nameOf.lookup(cell)))
    if (auto path = pathOf(link.memory))
      depth = std::max(depth, 1 + depthOf(path->cell));
  return depth;
}

/// What shows a cell that was written, in either direction, shows the write: first the memories
/// that names may be, those of names before those of memories, then the names that may be of these.
LogicalResult TensorThreading::passOn(OpBuilder &builder, Operation *op, Cell cell) {
  if (nameOf.empty())
    return success();
  WrittenCells written;
  written[cell] = arith::ConstantIntOp::create(builder, op->getLoc(), 1, 1);
  if (failed(passToMemories(builder, op, cell, written)))
    return failure();
  SmallVector<Cell> names;
  for (auto [name, value] : nameOf)
    if (get(name) && !(written.contains(name) && matchPattern(written[name], m_One())))
      names.push_back(name);
  llvm::sort(names,
             [&](Cell a, Cell b) { return std::pair(depthOf(a), a) < std::pair(depthOf(b), b); });
  for (Cell name : names)
    for (const Link &link : links.lookup(nameOf.lookup(name))) {
      auto path = pathOf(link.memory);
      if (!path || !written.contains(path->cell))
        continue;
      set(name, choose(builder, link.condition, get(name), [&](OpBuilder &inner) {
            refresh(inner, *path);
            Value shown = underType(inner, path->values.front(), typeOf(name));
            return detached.contains(name) ? withHistory(inner, get(name), shown) : shown;
          }));
      written.try_emplace(name, link.condition);
    }
  return success();
}

/// The memories that `cell` may be, and those that these may be, show what it shows. A memory
/// passes on what it was given, and nothing where it is another one that was written.
LogicalResult TensorThreading::passToMemories(OpBuilder &builder, Operation *op, Cell cell,
                                              WrittenCells &written) {
  Location loc = op->getLoc();
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
  return success();
}

/// The memory at the end of `path` shows what `cell` shows, if the condition holds.
LogicalResult TensorThreading::writeThrough(OpBuilder &builder, Operation *op, Cell cell,
                                            Value condition, Path &path) {
  Value next = choose(builder, condition, get(path.cell), [&](OpBuilder &inner) -> Value {
    refresh(inner, path);
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

/// Whether `self` certainly keeps its sizes when it is the out= of an operator that gives `given`:
/// where they are open, the copy ends a call in which they are not equal, but for a 1 it
/// broadcasts. (Of a tensor without elements that is not to be hoped for.)
static bool takesWhole(TensorType self, TensorType given) {
  if (!self.hasRank() || !given.hasRank() || self.getRank() != given.getRank())
    return false;
  return llvm::all_of(llvm::zip(self.getSizes(), given.getSizes()), [](auto pair) {
    auto [own, other] = pair;
    bool isOpen = own == TensorType::kDynamic || other == TensorType::kDynamic;
    return isOpen ? own != 0 && other != 1 : own == other;
  });
}

LogicalResult TensorThreading::write(OverwriteOp op) {
  OpBuilder builder(op);
  auto path = pathOf(op.getSelf());
  if (!path || !get(path->cell))
    return op.emitOpError("expected a write to a value that is known here");
  refresh(builder, *path);
  auto self = cast<TensorType>(op.getSelf().getType()),
       given = cast<TensorType>(op.getValue().getType());
  if (op->hasAttr(outAttr) && !takesWhole(self, given))
    return op.emitOpError("expected an out= tensor that has the sizes of the result, got ")
           << self << " for " << given;
  Value next = copied(builder, op.getLoc(), path->values.front(), op.getValue());
  if (!next)
    return op.emitOpError("expected a value that has or broadcasts to the sizes of what is "
                          "written, got ")
           << op.getValue().getType() << " for " << op.getSelf().getType();
  FailureOr<Value> value = scatter(builder, op, *path, next);
  if (failed(value))
    return failure();
  set(path->cell, *value);
  eraseLater(op);
  return passOn(builder, op, path->cell);
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

LogicalResult TensorThreading::visit(Operation *op) {
  OpBuilder builder(op);
  auto overwrite = dyn_cast<OverwriteOp>(op);
  for (OpOperand &operand : op->getOpOperands())
    if (!overwrite || operand.getOperandNumber() != 0)
      operand.set(
          castTo(builder, op->getLoc(), present(builder, operand.get()), operand.get().getType()));
  return overwrite ? write(overwrite) : success();
}

void TensorThreading::collectAssigned(Operation *op, Cells &cells) {
  auto overwrite = dyn_cast<OverwriteOp>(op);
  if (!overwrite)
    return;
  classes.forEachMember(overwrite.getSelf(), [&](Value member) {
    if (auto cell = cellOf.find(member); cell != cellOf.end())
      cells.insert(cell->second);
  });
}

LogicalResult TensorThreading::define(ValueRange values) {
  for (Value value : values)
    if (auto root = roots.find(value); root != roots.end())
      set(root->second, value);
  return success();
}

void TensorThreading::replaced(Value from, Value to) {
  classes.replace(from, to);
  if (auto root = roots.find(from); root != roots.end()) {
    Cell cell = root->second;
    roots.erase(from);
    roots[to] = cell;
    if (nameOf.contains(cell))
      nameOf[cell] = to;
  }
  replaceInLinks(links, from, to);
}

/// The caller of the function sees its arguments written.
void TensorThreading::returnWrittenArguments() {
  Builder builder(func.getContext());
  auto outputs = func->getAttrOfType<ArrayAttr>(outputsAttr);
  SmallVector<Attribute> all;
  if (outputs)
    llvm::append_range(all, outputs);
  for (auto [root, cell] : roots) {
    auto arg = dyn_cast<BlockArgument>(root);
    if (!arg || arg.getOwner()->getParentOp() != func || get(cell) == root ||
        func.getArgAttr(arg.getArgNumber(), slotAttr))
      continue;
    auto path = func.getArgAttrOfType<DenseI64ArrayAttr>(arg.getArgNumber(), argPathAttr);
    if (!path)
      path = builder.getDenseI64ArrayAttr({int64_t(arg.getArgNumber())});
    SmallVector<NamedAttribute> output = {
        builder.getNamedAttr("value", builder.getI64IntegerAttr(func.getNumResults())),
        builder.getNamedAttr("mutates", path)};
    if (func.getArgAttr(arg.getArgNumber(), memoryAttr))
      output.push_back(builder.getNamedAttr("memory", builder.getUnitAttr()));
    if (outputs)
      all.push_back(builder.getDictionaryAttr(output));
    addTrailingResult(func, get(cell), mutatesAttr, path);
  }
  if (outputs)
    func->setAttr(outputsAttr, builder.getArrayAttr(all));
}

/// The innermost detached name that `written` is a view of keeps the history of the write.
void TensorThreading::linkDetached(Layouts &layouts, Value written) {
  for (Value viewed; (viewed = layouts.viewedValue(written)); written = viewed) {
    if (!written.getDefiningOp()->hasTrait<OfGradientsAlone>())
      continue;
    if (links.contains(written))
      return;
    if (!always) {
      OpBuilder builder = OpBuilder::atBlockBegin(&func.getBody().front());
      always = arith::ConstantIntOp::create(builder, func.getLoc(), 1, 1);
    }
    links[written].push_back({always, viewed});
    return;
  }
}

LogicalResult TensorThreading::run() {
  Layouts layouts;
  func.walk([&](OverwriteOp op) { linkDetached(layouts, op.getSelf()); });
  SmallVector<Value> memories;
  for (auto &[name, linked] : links)
    for (const Link &link : linked)
      memories.push_back(link.memory);
  llvm::for_each(memories, [&](Value memory) { linkDetached(layouts, memory); });
  func.walk([&](Operation *op) {
    for (Value result : op->getResults()) {
      if (!isa<TensorType>(result.getType()) || !classes.isWritten(result))
        continue;
      if (layouts.viewedValue(result) && !links.contains(result))
        sharing[op] = layouts.of(result);
      else
        roots[result] = addCell(result.getType());
    }
    for (Region &region : op->getRegions())
      for (Value argument : region.getArguments())
        if (isa<TensorType>(argument.getType()) && classes.isWritten(argument))
          roots[argument] = addCell(argument.getType());
  });
  for (auto [root, cell] : roots) {
    if (!links.contains(root))
      continue;
    nameOf[cell] = root;
    if (layouts.viewedValue(root))
      detached.insert(cell);
  }
  if (failed(thread(func.getBody().front())))
    return failure();
  returnWrittenArguments();
  eraseNow();
  return success();
}

LogicalResult threadTensors(func::FuncOp func, MemoryClasses classes, Links links) {
  return TensorThreading(func, std::move(classes), std::move(links)).run();
}

} // namespace jit

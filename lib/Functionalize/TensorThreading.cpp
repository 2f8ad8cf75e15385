//===- TensorThreading.cpp - writes in place become new tensors -----------===//

#include "TensorThreading.h"
#include "TrailingValues.h"
#include "jit/Dialect/Aten/Gradient.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace jit {

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

/// A view that a name may be is taken only where the name is it: of open sizes it may not exist
/// elsewhere.
static bool mayNotExist(Operation *view) {
  auto type = dyn_cast<TensorType>(view->getOperand(0).getType());
  return isa<ViewOpInterface>(view) && !isa<aten::LeafOp>(view) && type && !type.isStatic();
}

/// Fills in the present values, from the cell, which shows `base`, to the outermost view; of a link
/// where that holds.
void TensorThreading::refresh(OpBuilder &builder, Path &path, Value base, bool isLink) {
  path.values.assign(path.views.size() + 1, base);
  for (size_t index = path.views.size(); index-- > 0;) {
    Operation *view = path.views[index];
    Value viewed = path.values[index + 1];
    if (view->getOperand(0) != viewed && isa<aten::LeafOp>(view)) {
      path.values[index] = writtenLeaf(builder, view->getResult(0), viewed);
      continue;
    }
    if (view->getOperand(0) != viewed || (isLink && mayNotExist(view))) {
      view = builder.clone(*view);
      view->setOperand(0, castTo(builder, view->getLoc(), viewed, view->getOperand(0).getType()));
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
  if (auto path = pathOf(overwrite.getSelf()))
    cells.insert_range(reachedBy(path->cell));
}

LogicalResult TensorThreading::define(ValueRange values) {
  for (Value value : values)
    if (auto root = roots.find(value); root != roots.end())
      set(root->second, value);
  for (Value value : values)
    if (auto root = roots.find(value); root != roots.end() && nameOf.contains(root->second))
      agreed[root->second] = valuesBehind(root->second);
  return success();
}

void TensorThreading::assigned(Cell cell, Value value) {
  cellOf[value] = cell;
  ++assignments;
}

void TensorThreading::replaced(Value from, Value to) {
  classes.replace(from, to);
  if (auto root = roots.find(from); root != roots.end()) {
    Cell cell = root->second;
    roots.erase(from);
    cellOf.erase(from);
    cellOf[to] = roots[to] = cell;
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
  addCells(layouts);
  if (failed(thread(func.getBody().front())))
    return failure();
  returnWrittenArguments();
  eraseNow();
  return success();
}

/// A cell for `value`, which it holds from where that is defined.
void TensorThreading::addRoot(Value value) {
  cellOf[value] = roots[value] = addCell(value.getType());
}

void TensorThreading::addCells(Layouts &layouts) {
  func.walk([&](Operation *op) {
    for (Value result : op->getResults()) {
      if (!isa<TensorType>(result.getType()) || !classes.isWritten(result))
        continue;
      if (layouts.viewedValue(result) && !links.contains(result))
        sharing[op] = layouts.of(result);
      else
        addRoot(result);
    }
    for (Region &region : op->getRegions())
      for (Value argument : region.getArguments())
        if (isa<TensorType>(argument.getType()) && classes.isWritten(argument))
          addRoot(argument);
  });
  for (auto [root, cell] : roots) {
    if (!links.contains(root))
      continue;
    nameOf[cell] = root;
    if (layouts.viewedValue(root))
      detached.insert(cell);
  }
}

LogicalResult threadTensors(func::FuncOp func, MemoryClasses classes, Links links,
                            Obstacle &obstacle) {
  return TensorThreading(func, std::move(classes), std::move(links), obstacle).run();
}

} // namespace jit

//===- CarriedPlaces.cpp - names that carry where they are ----------------===//
//
// A loop's variable that is the one or the other view of itself, of another variable or of what a
// trip made has no condition that would tell where its elements are. So it is a tensor of their
// places. The memory is a tensor that is written in place under one name, as any other.
//
// Each operation has one part of that memory for what it makes, in every trip of a loop the same.
// What a trip hands on moves, at its end, to the part of the variable that takes it; where several
// variables take one element, to that of the first of them, so that they go on sharing it.
//
//===----------------------------------------------------------------------===//

#include "CarriedPlaces.h"
#include "OneMemory.h"
#include "ScatterPlaces.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Rearrange.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/Remarks.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace jit {

namespace {
class PlaceCarrier {
public:
  PlaceCarrier(func::FuncOp func, OneMemory memory) : func(func), all(std::move(memory)) {}
  void run();

private:
  Tensor flat(GraphBuilder &build, Value tensor) const;
  Tensor shaped(GraphBuilder &build, Tensor elements, Value like) const;
  Tensor copied(GraphBuilder &build, Value tensor) const;
  Tensor part(GraphBuilder &build, Tensor whole, OneMemory::Part part) const;
  Tensor withPart(GraphBuilder &build, Tensor whole, Tensor elements, OneMemory::Part part) const;
  Tensor placesIn(GraphBuilder &build, OneMemory::Part part, Value tensor) const;
  Tensor withElements(GraphBuilder &build, Tensor whole, Tensor elements, OneMemory::Part part,
                      Value tensor) const;
  Tensor whole(GraphBuilder &build) const { return {build, memory}; }
  Tensor numbers(GraphBuilder &build) const;

  TensorType placesType(Value tensor) const;
  Value read(Value tensor, Operation *user) const;
  void store(GraphBuilder &build, Tensor elements) const;
  void copyContainers();
  void define(Value tensor, GraphBuilder &build);
  void showView(Operation *view);
  void showPick(Operation *pick, ArrayRef<Value> elements);
  void write(OverwriteOp op);
  bool isTaken(OpOperand &use) const;
  void moveOn(LoopLikeOpInterface loop);
  void returnArguments();
  void visitRegions(Operation *op);
  void visit(Operation *op);

  func::FuncOp func;
  OneMemory all;
  Value memory;
  DenseMap<Value, Value> places;
  SmallVector<Operation *> gone;
};
} // namespace

//===----------------------------------------------------------------------===//
// The memory
//===----------------------------------------------------------------------===//

Tensor PlaceCarrier::flat(GraphBuilder &build, Value tensor) const {
  auto type = cast<TensorType>(tensor.getType());
  int64_t count = type.isStatic() ? ShapedType::getNumElements(type.getSizes()) : -1;
  return build.op<aten::ReshapeOp>(Tensor(build, tensor), build.ints({count}));
}

/// Elements, row by row, in the sizes of the tensor `like`.
Tensor PlaceCarrier::shaped(GraphBuilder &build, Tensor elements, Value like) const {
  auto type = cast<TensorType>(like.getType());
  return type.isStatic() ? build.op<aten::ReshapeOp>(elements, build.ints(type.getSizes()))
                         : build.op<aten::ViewAsOp>(elements, Tensor(build, like));
}

/// The same of what may be written elsewhere.
Tensor PlaceCarrier::copied(GraphBuilder &build, Value tensor) const {
  TensorType type = all.typeOf(tensor);
  int64_t count = type.isStatic() ? ShapedType::getNumElements(type.getSizes()) : -1;
  Tensor copy = build.op<aten::ViewCopyOp>(Tensor(build, tensor), build.ints({count}));
  copy.v.setType(type.withSizes(ArrayRef(count < 0 ? TensorType::kDynamic : count)));
  return copy;
}

Tensor PlaceCarrier::part(GraphBuilder &build, Tensor whole, OneMemory::Part part) const {
  return build.op<aten::SliceTensorOp>(whole, 0, part.begin, part.begin + part.count, 1);
}

Tensor PlaceCarrier::withPart(GraphBuilder &build, Tensor whole, Tensor elements,
                              OneMemory::Part part) const {
  return build.op<aten::SliceScatterOp>(whole, elements, 0, part.begin, part.begin + part.count, 1);
}

/// The places of all of the memory, in order.
Tensor PlaceCarrier::numbers(GraphBuilder &build) const {
  Any none = build.none();
  return build.op<aten::ArangeOp>(all.size(), int64_t(ScalarType::Long), none, none, none);
}

/// The places in `part` of the elements of `tensor`, row by row.
Tensor PlaceCarrier::placesIn(GraphBuilder &build, OneMemory::Part part, Value tensor) const {
  auto type = cast<TensorType>(tensor.getType());
  if (type.isStatic())
    return this->part(build, numbers(build),
                      {part.begin, ShapedType::getNumElements(type.getSizes())});
  Int end = build.i(part.begin) + build.intOp<aten::NumelOp>(Tensor(build, tensor));
  return build.op<aten::SliceTensorOp>(numbers(build), 0, part.begin, end, 1);
}

/// `whole` with `elements`, those of `tensor`, at the begin of `part`.
Tensor PlaceCarrier::withElements(GraphBuilder &build, Tensor whole, Tensor elements,
                                  OneMemory::Part part, Value tensor) const {
  auto type = cast<TensorType>(tensor.getType());
  if (type.isStatic())
    return withPart(build, whole, elements,
                    {part.begin, ShapedType::getNumElements(type.getSizes())});
  return build.op<aten::ScatterSrcOp>(whole, 0, placesIn(build, part, tensor), elements);
}

void PlaceCarrier::store(GraphBuilder &build, Tensor elements) const {
  OverwriteOp::create(build.builder, build.loc, memory.getType(), memory, elements.v);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

TensorType PlaceCarrier::placesType(Value tensor) const {
  return all.typeOf(tensor).withDtype(IntegerType::get(tensor.getContext(), 64));
}

/// The elements of `tensor` as `user` sees them.
Value PlaceCarrier::read(Value tensor, Operation *user) const {
  OpBuilder b(user);
  GraphBuilder build{b, user->getLoc()};
  TensorType type = all.typeOf(tensor);
  Tensor elements =
      build.op<aten::GatherOp>(whole(build), 0, flat(build, places.lookup(tensor)), false);
  elements = shaped(build, elements, places.lookup(tensor));
  return castTo(b, user->getLoc(), elements.v, type);
}

/// `tensor` has memory of its own, or a branch or loop hands it on, with places for elements.
void PlaceCarrier::define(Value tensor, GraphBuilder &build) {
  if (!all.has(tensor))
    return;
  Operation *op = tensor.getDefiningOp();
  auto argument = dyn_cast<BlockArgument>(tensor);
  bool isHandedOn = op ? op->getNumRegions() > 0 : argument.getOwner()->getParentOp() != func;
  if (isHandedOn) {
    tensor.setType(placesType(tensor));
    places[tensor] = tensor;
    return;
  }
  if (!all.partOf(tensor)) { // nothing reads it
    TensorType type = placesType(tensor);
    auto sizes = llvm::map_to_vector(
        type.getSizes(), [](int64_t size) { return size == TensorType::kDynamic ? 0 : size; });
    Any none = build.none();
    Tensor no =
        build.op<aten::ZerosOp>(build.ints(sizes), int64_t(ScalarType::Long), none, none, none);
    places[tensor] = castTo(build.builder, build.loc, no.v, type);
    return;
  }
  OneMemory::Part own = *all.partOf(tensor);
  places[tensor] = shaped(build, placesIn(build, own, tensor), tensor).v;
  if (!isa_and_present<PoisonOp>(op))
    store(build, withElements(build, whole(build), copied(build, tensor), own, tensor));
}

/// A view shows the places that it shows of what it is of.
void PlaceCarrier::showView(Operation *view) {
  OpBuilder b(view);
  Value shown = places.lookup(view->getOperand(0)), result = view->getResult(0);
  if (isa<ViewOpInterface>(view)) {
    SmallVector<Value> operands(view->getOperands());
    operands[0] = shown;
    Operation *made = createInferred(b, view->getLoc(), view->getName(), operands);
    made->setDiscardableAttrs(view->getDiscardableAttrDictionary());
    // What would convert numbers of places, and shows memory, has nothing to convert there.
    if (cast<TensorType>(made->getResult(0).getType()).getDtype() !=
        cast<TensorType>(shown.getType()).getDtype())
      made->erase();
    else
      shown = made->getResult(0);
  }
  places[result] = castTo(b, view->getLoc(), shown, placesType(result));
  gone.push_back(view);
}

/// What is picked out of a list is where that element is.
void PlaceCarrier::showPick(Operation *pick, ArrayRef<Value> elements) {
  OpBuilder b(pick);
  TensorType type = placesType(pick->getResult(0));
  auto where = llvm::map_to_vector(elements, [&](Value value) { return places.lookup(value); });
  Value list = ListOp::create(b, pick->getLoc(), ListType::get(type), where);
  Operation *made = b.clone(*pick);
  made->setOperand(0, list);
  made->getResult(0).setType(type);
  places[pick->getResult(0)] = made->getResult(0);
  gone.push_back(pick);
}

//===----------------------------------------------------------------------===//
// What is done with a tensor
//===----------------------------------------------------------------------===//

/// A list of tensors is made again wherever it is used, of what they are there.
void PlaceCarrier::copyContainers() {
  for (Operation *list : llvm::reverse(all.containers())) {
    for (OpOperand &use : llvm::make_early_inc_range(list->getResult(0).getUses())) {
      OpBuilder b(use.getOwner());
      use.set(b.clone(*list)->getResult(0));
    }
    list->erase();
  }
}

void PlaceCarrier::write(OverwriteOp op) {
  OpBuilder b(op);
  GraphBuilder build{b, op.getLoc()};
  Value self = op.getSelf();
  Tensor value =
      build.op<aten::CopyOp>(Tensor(build, read(self, op)), Tensor(build, op.getValue()), false);
  Tensor at = flat(build, places.lookup(self));
  if (all.isDoubtful(op))
    guardApart(build, at, build.i(all.size()));
  store(build, build.op<aten::ScatterSrcOp>(whole(build), 0, at, flat(build, value.v)));
  places[op.getResult()] = places.lookup(self);
  gone.push_back(op);
}

/// Whether a branch or loop, which hands places on, takes the tensor that is used.
bool PlaceCarrier::isTaken(OpOperand &use) const {
  Operation *op = use.getOwner();
  unsigned index = use.getOperandNumber();
  if (isa<scf::ConditionOp>(op))
    return index > 0;
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return index >= loop.getNumControlOperands();
  return isa<scf::YieldOp, scf::WhileOp>(op);
}

/// What the trip that ends made, and hands on, moves.
void PlaceCarrier::moveOn(LoopLikeOpInterface loop) {
  SmallVector<std::pair<OneMemory::Part, OpOperand *>> kept;
  SmallVector<OpOperand *> handedOn;
  for (auto [variable, given] :
       llvm::zip_equal(loop.getRegionIterArgs(), *loop.getYieldedValuesMutable())) {
    if (!all.has(variable))
      continue;
    handedOn.push_back(&given);
    if (const OneMemory::Part *part = all.partOf(variable))
      kept.push_back({*part, &given});
  }
  if (kept.empty())
    return;
  OpBuilder b(kept.front().second->getOwner());
  GraphBuilder build{b, loop.getLoc()};
  Tensor before = numbers(build), next = before, moved = whole(build);
  for (auto [to, given] : kept) {
    Tensor taken = build.op<aten::GatherOp>(whole(build), 0, flat(build, given->get()), false);
    moved = withElements(build, moved, taken, to, given->get());
  }
  for (auto [to, given] : llvm::reverse(kept))
    next = build.op<aten::ScatterSrcOp>(next, 0, flat(build, given->get()),
                                        placesIn(build, to, given->get()));
  // What was made outside of the loop stays where it is.
  OneMemory::Part inside = all.madeIn(loop);
  next = withPart(build, before, part(build, next, inside), inside);
  store(build, moved);
  for (OpOperand *given : handedOn) {
    auto type = cast<TensorType>(given->get().getType());
    Tensor now = build.op<aten::GatherOp>(next, 0, flat(build, given->get()), false);
    now = shaped(build, now, given->get());
    given->set(castTo(b, loop.getLoc(), now.v, type));
  }
}

/// The caller sees its arguments written.
void PlaceCarrier::returnArguments() {
  Operation *end = func.front().getTerminator();
  OpBuilder b(end);
  for (Value argument : all.writtenArguments())
    OverwriteOp::create(b, argument.getLoc(), argument.getType(), argument, read(argument, end));
}

void PlaceCarrier::visitRegions(Operation *op) {
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      OpBuilder b = OpBuilder::atBlockBegin(&block);
      GraphBuilder build{b, op->getLoc()};
      auto operations = llvm::to_vector(llvm::make_pointer_range(block));
      for (Value argument : block.getArguments())
        define(argument, build);
      llvm::for_each(operations, [&](Operation *inner) { visit(inner); });
    }
}

void PlaceCarrier::visit(Operation *op) {
  for (OpOperand &use : op->getOpOperands())
    if (Value value = use.get(); all.has(value) && !all.isSelf(use))
      use.set(isTaken(use) ? places.lookup(value) : read(value, op));
  if (auto write = dyn_cast<OverwriteOp>(op); write && all.has(write.getSelf()))
    return this->write(write);
  if (all.isView(op))
    return showView(op);
  if (const SmallVector<Value> *elements = all.pickedOutOf(op))
    return showPick(op, *elements);
  visitRegions(op);
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op->getParentOp()); loop && isa<scf::YieldOp>(op))
    moveOn(loop);
  OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  GraphBuilder build{b, op->getLoc()};
  for (Value result : op->getResults())
    define(result, build);
}

void PlaceCarrier::run() {
  copyContainers();
  auto operations = llvm::to_vector(llvm::make_pointer_range(func.front()));
  OpBuilder b = OpBuilder::atBlockBegin(&func.front());
  GraphBuilder build{b, func.getLoc()};
  Any none = build.none();
  memory = build
               .op<aten::ZerosOp>(build.ints({all.size()}),
                                  int64_t(*typeToDtype(all.elementType())), none, none, none)
               .v;
  for (Value argument : func.getArguments())
    define(argument, build);
  for (Operation *op : operations)
    visit(op);
  returnArguments();
  for (Operation *op : llvm::reverse(gone))
    op->erase();
}

LogicalResult carryPlaces(func::FuncOp func, const MemoryClasses &classes, Value name) {
  auto memory = OneMemory::of(func, classes, name);
  if (!memory)
    return failure();
  explainMissed(name.getLoc(), "functionalize",
                "what this shows is not known: it is looked up element by element, in one memory "
                "of {0} elements",
                memory->size());
  PlaceCarrier(func, std::move(*memory)).run();
  return success();
}

} // namespace jit

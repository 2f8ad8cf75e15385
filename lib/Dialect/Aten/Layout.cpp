//===- Layout.cpp - where a tensor's elements lie in its memory -----------===//

#include "jit/Dialect/Aten/Layout.h"
#include "Rules/Layout.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <limits>

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

Layout Layout::rowMajor(std::optional<int64_t> offset) {
  Layout layout;
  layout.order = Order::RowMajor;
  layout.start = offset;
  return layout;
}

Layout Layout::strided(SmallVector<int64_t> strides, std::optional<int64_t> offset) {
  Layout layout;
  layout.order = Order::Strided;
  layout.steps = std::move(strides);
  layout.start = offset;
  return layout;
}

SmallVector<int64_t> rowMajorStrides(ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> strides(sizes.size());
  int64_t stride = 1;
  for (size_t dim = sizes.size(); dim-- > 0;) {
    strides[dim] = stride;
    stride *= std::max<int64_t>(sizes[dim], 1);
  }
  return strides;
}

std::optional<SmallVector<int64_t>> Layout::strides(ArrayRef<int64_t> sizes) const {
  if (order == Order::Strided)
    return steps;
  if (order == Order::Unknown ||
      (!sizes.empty() && llvm::is_contained(sizes.drop_front(), TensorType::kDynamic)))
    return std::nullopt;
  return rowMajorStrides(sizes);
}

std::optional<bool> Layout::isRowMajor(ArrayRef<int64_t> sizes) const {
  if (order == Order::Unknown)
    return std::nullopt;
  if (order == Order::RowMajor || llvm::is_contained(sizes, 0))
    return true;
  int64_t expected = 1;
  for (size_t dim = sizes.size(); dim-- > 0;) {
    if (sizes[dim] == 1)
      continue;
    bool isOpen = sizes[dim] == TensorType::kDynamic;
    if (expected == TensorType::kDynamic || (isOpen && steps[dim] != expected))
      return std::nullopt;
    if (steps[dim] != expected)
      return false;
    expected = isOpen ? TensorType::kDynamic : expected * sizes[dim];
  }
  return true;
}

Layout Layout::either(const Layout &other, ArrayRef<int64_t> sizes) const {
  std::optional<int64_t> both = start == other.start ? start : std::nullopt;
  if (order == Order::RowMajor && other.order == Order::RowMajor)
    return rowMajor(both);
  auto ours = strides(sizes), theirs = other.strides(sizes);
  return ours && ours == theirs ? strided(std::move(*ours), both) : unknown();
}

bool Layout::operator==(const Layout &other) const {
  return order == other.order && steps == other.steps && start == other.start;
}

//===----------------------------------------------------------------------===//
// Layouts of values
//===----------------------------------------------------------------------===//

static bool givesRows(Operation *op, int64_t rank);

void Layouts::note(Value value, const Layout &layout) {
  known[value] = layout;
  noted.push_back(value);
}

void Layouts::forgetAfter(size_t count) {
  for (Value value : llvm::drop_begin(noted, count))
    known.erase(value);
  noted.truncate(count);
}

/// Of long chains of operators one after the other: what begins them is computed first, without
/// recursion.
Layout Layouts::of(Value value) {
  SmallVector<Value> waiting = {value};
  while (!waiting.empty()) {
    Value next = waiting.back();
    auto isKnown = [&](Value source) { return known.contains(source); };
    SmallVector<Value> sources = isKnown(next) ? SmallVector<Value>() : sourcesOf(next);
    llvm::erase_if(sources, isKnown);
    if (!sources.empty()) {
      llvm::append_range(waiting, sources);
      continue;
    }
    waiting.pop_back();
    if (!isKnown(next))
      note(next, compute(next));
  }
  return known.lookup(value);
}

/// Where the tensor of a slot was saved; null where a method puts another one there, and of what is
/// no tensor.
static StorageAttr savedStorage(SlotOp slot) {
  return slot && !slot->hasAttr(assignedAttr) ? dyn_cast<StorageAttr>(slot.getValue())
                                              : StorageAttr();
}

/// Where an argument begins in its memory. State that is assigned has memory of its own from call
/// to call, where PyTorch's may be a part of what it was set to.
static std::optional<int64_t> startOf(func::FuncOp func, unsigned index) {
  auto slot = func.getArgAttrOfType<StringAttr>(index, slotAttr);
  if (!slot || func.getArgAttr(index, startsHereAttr))
    return 0;
  auto state = SymbolTable::lookupNearestSymbolFrom<SlotOp>(func, slot);
  if (state && state->hasAttr(beginsAttr))
    return 0;
  StorageAttr storage = savedStorage(state);
  return storage ? std::optional(storage.getOffset()) : std::nullopt;
}

/// The call says where an argument is not row-major.
static Layout ofArgument(func::FuncOp func, unsigned index) {
  auto strides = func.getArgAttrOfType<DenseI64ArrayAttr>(index, stridesAttr);
  if (!strides)
    return Layout::rowMajor(startOf(func, index));
  if (llvm::is_contained(strides.asArrayRef(), TensorType::kDynamic))
    return Layout::unknown();
  return Layout::strided(SmallVector<int64_t>(strides.asArrayRef()), startOf(func, index));
}

/// State that no method changes lies as it was saved.
static Layout ofState(SlotGetOp get) {
  auto type = dyn_cast<TensorType>(get.getType());
  StorageAttr storage =
      savedStorage(SymbolTable::lookupNearestSymbolFrom<SlotOp>(get, get.getSlotAttr()));
  if (!storage || !type || !type.hasStaticSizes())
    return Layout::rowMajor(std::nullopt);
  return Layout::strided(SmallVector<int64_t>(storage.getStrides()), storage.getOffset());
}

Layout Layouts::compute(Value value) {
  if (Operation *op = value.getDefiningOp())
    return ofResult(op, cast<OpResult>(value).getResultNumber());
  auto argument = cast<BlockArgument>(value);
  Operation *owner = argument.getOwner()->getParentOp();
  if (auto func = dyn_cast<func::FuncOp>(owner))
    return ofArgument(func, argument.getArgNumber());
  if (auto loop = dyn_cast<scf::WhileOp>(owner))
    return argument.getOwner() == loop.getBeforeBody() ? ofWhileVariable(loop, argument)
                                                       : ofCondition(loop, argument.getArgNumber());
  auto loop = dyn_cast<scf::ForOp>(owner);
  if (!loop || argument == loop.getInductionVar())
    return Layout::unknown();
  return ofLoopVariable(loop, argument);
}

/// What holds of a tensor that is one of two.
static Layout either(Layout one, Layout other, Value tensor) {
  auto type = cast<TensorType>(tensor.getType());
  return type.hasRank() ? one.either(other, type.getSizes()) : Layout::unknown();
}

/// Of all variables of a loop at once: each keeps the layout that it begins with, as far as a trip
/// gives it no other one. What followed from what is not kept is forgotten.
void Layouts::noteVariables(ValueRange variables, ValueRange inits, ValueRange next) {
  SmallVector<std::tuple<Value, Value, Layout>> kept;
  for (auto [variable, init, given] : llvm::zip_equal(variables, inits, next))
    if (isa<TensorType>(variable.getType()))
      kept.push_back({variable, given, of(init)});
  for (size_t count = noted.size();; forgetAfter(count)) {
    for (const auto &[variable, given, layout] : kept)
      note(variable, layout);
    bool isStable = true;
    for (auto &[variable, given, layout] : kept)
      if (Layout kept = either(layout, of(given), variable); kept != layout) {
        layout = kept;
        isStable = false;
      }
    if (isStable)
      return;
  }
}

/// Specialize asks while it writes a loop: what a trip gives is not there yet.
static bool isWritten(scf::WhileOp loop) {
  return llvm::all_of(loop->getRegions(), [](Region &region) {
    return !region.empty() && region.front().mightHaveTerminator();
  });
}

Layout Layouts::ofWhileVariable(scf::WhileOp loop, BlockArgument variable) {
  if (!isWritten(loop) || loop.getYieldOp().getNumOperands() != loop.getInits().size())
    return Layout::unknown();
  noteVariables(loop.getBeforeArguments(), loop.getInits(), loop.getYieldOp().getOperands());
  return known.lookup(variable);
}

/// What a while loop hands on to its body and gives.
Layout Layouts::ofCondition(scf::WhileOp loop, unsigned index) {
  if (!isWritten(loop) || index >= loop.getConditionOp().getArgs().size())
    return Layout::unknown();
  return of(loop.getConditionOp().getArgs()[index]);
}

Layout Layouts::ofLoopVariable(scf::ForOp loop, BlockArgument variable) {
  // Specialize asks while it writes the loop: what a trip gives is not there yet.
  if (!loop.getBody()->mightHaveTerminator() ||
      loop.getYieldedValues().size() != loop.getInitArgs().size())
    return Layout::unknown();
  noteVariables(loop.getRegionIterArgs(), loop.getInitArgs(), loop.getYieldedValues());
  return known.lookup(variable);
}

SmallVector<Value> Layouts::sourcesOf(Value value) {
  Operation *op = value.getDefiningOp();
  auto type = dyn_cast<TensorType>(value.getType());
  if (!op || (isa<AtenOpInterface>(op) && !isa<ViewOpInterface>(op) && type && type.hasRank() &&
              givesRows(op, type.getRank())))
    return {};
  SmallVector<Value> sources;
  for (Value operand : op->getOperands()) {
    if (auto made = operand.getDefiningOp<ListOp>())
      llvm::append_range(sources, made.getElements());
    sources.push_back(operand);
  }
  llvm::erase_if(sources, [](Value source) { return !isa<TensorType>(source.getType()); });
  return sources;
}

/// Strides, and an offset from where the operand begins.
static Layout atPlaces(ArrayRef<int64_t> places, std::optional<int64_t> begin) {
  return Layout::strided(SmallVector<int64_t>(places.drop_back()),
                         begin ? std::optional(*begin + places.back()) : std::nullopt);
}

/// What a way gives that nobody takes says nothing.
Layout Layouts::ofBranch(Value then, Value otherwise) {
  if (otherwise.getDefiningOp<PoisonOp>())
    return of(then);
  if (then.getDefiningOp<PoisonOp>())
    return of(otherwise);
  return either(of(then), of(otherwise), then);
}

Layout Layouts::ofResult(Operation *op, unsigned index) {
  if (isa<DerefineOp, UncheckedCastOp, OverwriteOp>(op))
    return of(op->getOperand(0));
  if (auto get = dyn_cast<SlotGetOp>(op))
    return ofState(get);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return ofBranch(branch.thenYield().getOperand(index), branch.elseYield().getOperand(index));
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return of(loop.getRegionIterArg(index));
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return ofCondition(loop, index);
  if (auto places = op->getAttrOfType<DenseI64ArrayAttr>(placesAttr))
    return atPlaces(places.asArrayRef(), of(op->getOperand(0)).offset());
  if (auto view = dyn_cast<ViewOpInterface>(op))
    return view.viewOf(of(op->getOperand(0))).layout;
  return isa<AtenOpInterface>(op) ? ofNew(op, op->getResult(index)) : Layout::unknown();
}

std::optional<Strided> Layouts::strided(Value value) {
  auto type = dyn_cast<TensorType>(value.getType());
  if (!type || !type.hasStaticSizes())
    return std::nullopt;
  auto strides = of(value).strides(type.getSizes());
  return strides ? std::optional(Strided{SmallVector<int64_t>(type.getSizes()), *strides})
                 : std::nullopt;
}

/// That of an operator whose last operand may be a memory format: none for the strides of `self`.
static Layout keptLayout(Operation *op, const Strided &self) {
  Value format = op->getOperands().back();
  if (!format.getType().isInteger(64) || IntInfo(format).known == Preserve)
    return jit::keptLayout(self.sizes, self.strides);
  return IntInfo(format).known == Contiguous ? Layout::rowMajor() : Layout::unknown();
}

namespace {
/// What is known of the layouts of an operator's operands.
struct OperandLayouts {
  SmallVector<Strided> strided;
  bool areRowMajor = true;   // all of them, as far as their sizes tell
  bool areInRowOrder = true; // all of them, gaps between their elements or not
  bool areStrided = true;    // `strided` has all of them
  bool areKnown = true;
};
} // namespace

static bool isRowMajor(const Layout &layout, TensorType type) {
  return type.hasRank() && layout.isRowMajor(type.getSizes()).value_or(false);
}

/// Whether each dimension is slower than those behind it: new memory in that order has rows. What
/// is open may turn out to be 1, which changes no order.
static bool isInRowOrder(const Layout &layout, TensorType type) {
  if (isRowMajor(layout, type))
    return true;
  auto strides = type.hasRank() ? layout.strides(type.getSizes()) : std::nullopt;
  if (!strides)
    return false;
  int64_t before = std::numeric_limits<int64_t>::max();
  for (auto [size, stride] : llvm::zip_equal(type.getSizes(), *strides)) {
    if (size == 1)
      continue;
    if (stride <= 0 || stride >= before)
      return false;
    before = stride;
  }
  return true;
}

/// Whether all tensors of a list, whose strides are of no interest, fulfil a condition.
static bool allOfList(Layouts &layouts, Value list,
                      function_ref<bool(const Layout &, TensorType)> holds) {
  auto made = list.getDefiningOp<ListOp>();
  if (!made)
    return !isa<TensorType>(cast<ListType>(list.getType()).getElementType());
  return llvm::all_of(made.getElements(), [&](Value element) {
    auto tensor = dyn_cast<TensorType>(element.getType());
    return !tensor || holds(layouts.of(element), tensor);
  });
}

static OperandLayouts operandsOf(Layouts &layouts, Operation *op) {
  OperandLayouts operands;
  for (Value operand : op->getOperands()) {
    if (isa<ListType>(operand.getType())) {
      operands.areRowMajor &= allOfList(layouts, operand, isRowMajor);
      operands.areInRowOrder &= allOfList(layouts, operand, isInRowOrder);
    }
    auto tensor = dyn_cast<TensorType>(operand.getType());
    if (!tensor)
      continue;
    Layout layout = layouts.of(operand);
    operands.areKnown &= tensor.hasRank() && layout.isKnown();
    if (!operands.areKnown)
      return operands;
    operands.areRowMajor &= isRowMajor(layout, tensor);
    operands.areInRowOrder &= isInRowOrder(layout, tensor);
    auto strides = layout.strides(tensor.getSizes());
    operands.areStrided &= strides && tensor.hasStaticSizes();
    if (operands.areStrided)
      operands.strided.push_back({SmallVector<int64_t>(tensor.getSizes()), *strides});
  }
  return operands;
}

/// That of a copy of the memory that a tensor is a part of; of one whose elements share places the
/// elements alone are copied.
static Layout copiedLayout(TensorType type, const Layout &self) {
  auto strides = self.strides(type.getSizes());
  if (!strides)
    return self;
  bool isExpanded = llvm::any_of(llvm::zip_equal(type.getSizes(), *strides), [](auto dim) {
    return std::get<0>(dim) != 1 && std::get<1>(dim) == 0;
  });
  if (!isExpanded)
    return self;
  return type.hasStaticSizes() ? jit::keptLayout(type.getSizes(), *strides) : Layout::unknown();
}

/// Whether the operator gives rows whatever the strides of its operands are.
static bool givesRows(Operation *op, int64_t rank) {
  bool mayBeImages = rank >= 4 && op->hasTrait<KeepsChannelsLast>();
  if (rank <= 1 || (op->hasTrait<GivesRows>() && !mayBeImages))
    return true;
  if (!op->hasTrait<GivesRowsOfLarger>())
    return false;
  TensorInfo first(op->getOperand(0)), second(op->getOperand(1));
  return first.hasRank() && second.hasRank() && first.rank() >= second.rank();
}

/// Whether new memory has the order of the operands' dimensions.
static bool keepsOrder(Operation *op) {
  if (isa<PointwiseOpInterface>(op) || op->hasTrait<KeepsChannelsLast>())
    return true;
  if (!op->hasTrait<KeepsStrides>())
    return false;
  Value format = op->getOperands().back(); // if it is one
  return !format.getType().isInteger(64) || IntInfo(format).known == Preserve;
}

/// New memory: pointwise operators take the order of their operands over, all others are taken to
/// give rows if they get rows.
Layout Layouts::ofNew(Operation *op, Value value) {
  auto type = dyn_cast<TensorType>(value.getType());
  if (!type || !type.hasRank())
    return Layout::unknown();
  if (op->hasTrait<CopiesStorage>())
    return copiedLayout(type, of(op->getOperand(0)));
  if (givesRows(op, type.getRank()))
    return Layout::rowMajor();
  if (auto own = dyn_cast<NewLayoutInterface>(op); own && type.hasStaticSizes())
    if (auto layout = own.newLayout([&](Value operand) { return strided(operand); }))
      return *layout;
  OperandLayouts operands = operandsOf(*this, op);
  if (!operands.areKnown || op->hasTrait<GivesUnusualStrides>())
    return Layout::unknown();
  bool areStatic = operands.areStrided && type.hasStaticSizes();
  bool isUnary = op->getNumOperands() == 1;
  if (areStatic && (isa<PointwiseOpInterface>(op) || (op->hasTrait<KeepsStrides>() && isUnary))) {
    if (op->hasTrait<TakesNumberAsTensor>())
      operands.strided.push_back({});
    return pointwiseLayout(type.getSizes(), operands.strided);
  }
  if (areStatic && op->hasTrait<KeepsStrides>())
    return keptLayout(op, operands.strided.front());
  bool areRows = keepsOrder(op) ? operands.areInRowOrder : operands.areRowMajor;
  return areRows ? Layout::rowMajor() : Layout::unknown();
}

ViewOf Layouts::viewOf(Operation *view) {
  return cast<ViewOpInterface>(view).viewOf(of(view->getOperand(0)));
}

Value Layouts::viewedValue(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  if (isa<DerefineOp, UncheckedCastOp, OverwriteOp>(op))
    return op->getOperand(0);
  auto view = dyn_cast<ViewOpInterface>(op);
  if (!view)
    return {};
  // Most views are ones of any layout, and to know a layout takes the whole function before it.
  auto isView = [](const ViewOf &of) { return of.kind == ViewOf::Kind::Shares; };
  return isView(view.viewOf(Layout::unknown())) || isView(viewOf(op)) ? op->getOperand(0) : Value();
}

Layout layoutOf(Value tensor) { return Layouts().of(tensor); }

ViewOf viewOf(Operation *view) { return Layouts().viewOf(view); }

Value viewedValue(Value value) { return Layouts().viewedValue(value); }

Value viewRoot(Value value) {
  Layouts layouts;
  while (Value viewed = layouts.viewedValue(value))
    value = viewed;
  return value;
}

} // namespace jit

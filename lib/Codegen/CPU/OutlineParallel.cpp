//===- OutlineParallel.cpp - loops that the runtime's threads share -------===//
#include "EntryPointers.h"
#include "jit/Codegen/Passes.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"

namespace jit {
#define GEN_PASS_DEF_OUTLINEPARALLEL
#include "jit/Codegen/Passes.h.inc"
} // namespace jit

using namespace mlir;

namespace {
/// Moves the body of one loop into a function of its own.
class Outliner {
public:
  Outliner(scf::ParallelOp loop, const jit::PointerToMemref &pointers)
      : loop(loop), parent(loop->getParentOfType<func::FuncOp>()), pointers(pointers),
        b(loop.getContext()), pointer(LLVM::LLVMPointerType::get(loop.getContext())) {}

  /// False where the loop has a shape or uses a value that cannot travel.
  bool collect(int64_t threshold);
  /// Gives the function, which is one of `others` where that does the same.
  void outline(StringRef name, SmallVectorImpl<func::FuncOp> &others);

private:
  bool collectCapture(Value value);
  func::FuncOp createFunction(StringRef name);
  void fillFunction(func::FuncOp func);
  void createCall(func::FuncOp func);
  /// The address of the closure's slot `number`.
  Value slot(Value closure, size_t number);

  scf::ParallelOp loop;
  func::FuncOp parent;
  const jit::PointerToMemref &pointers;
  OpBuilder b;
  Type pointer;
  SmallVector<int64_t> lower, step;
  /// How often each dimension runs: a constant, or the upper bound of one that starts at 0 by steps
  /// of 1.
  SmallVector<OpFoldResult> trips;
  /// What the closure holds: scalars, memrefs of base pointers and buffers of the arena.
  llvm::SetVector<Value> slots;
  /// Ops to repeat inside, in order.
  llvm::SetVector<Operation *> repeated;
};
} // namespace

/// True for the memref of a base pointer, which is a pointer and a static type.
static bool isRoot(Value value) {
  Operation *def = value.getDefiningOp();
  return def && def->hasAttr(jit::rootAttrName);
}

/// True for a buffer at a constant place of the arena. Where that is, travels: layers that differ
/// in nothing else then share their code.
static bool isPlaced(Value value) {
  auto view = value.getDefiningOp<memref::ViewOp>();
  return view && view.getType().hasStaticShape() && isRoot(view.getSource());
}

bool Outliner::collectCapture(Value value) {
  if (slots.contains(value))
    return true;
  Operation *def = value.getDefiningOp();
  if (def && repeated.contains(def))
    return true;
  bool scalar = value.getType().isIntOrIndexOrFloat();
  bool constant = def && def->hasTrait<OpTrait::ConstantLike>();
  if (isRoot(value) || isPlaced(value) || (scalar && !constant))
    return slots.insert(value);
  // Views, constants and vectors are cheaper to make again than to pass.
  if (!def || def->getNumRegions() != 0 || !isPure(def))
    return false;
  for (Value operand : def->getOperands())
    if (!collectCapture(operand))
      return false;
  return repeated.insert(def);
}

bool Outliner::collect(int64_t threshold) {
  auto work = loop->getAttrOfType<IntegerAttr>("jit.flops");
  if (threshold < 0 || !work || work.getInt() < threshold || loop.getNumReductions() != 0)
    return false;
  int64_t total = 1;
  for (auto [from, to, by] :
       llvm::zip(loop.getLowerBound(), loop.getUpperBound(), loop.getStep())) {
    std::optional<int64_t> first = getConstantIntValue(from), last = getConstantIntValue(to),
                           stride = getConstantIntValue(by);
    if (!first || !stride || *stride <= 0 || (!last && (*first != 0 || *stride != 1)))
      return false;
    lower.push_back(*first);
    step.push_back(*stride);
    if (!last && !collectCapture(to))
      return false;
    int64_t count =
        last ? std::max<int64_t>(0, llvm::divideCeilSigned(*last - *first, *stride)) : 2;
    trips.push_back(last ? OpFoldResult(b.getIndexAttr(count)) : OpFoldResult(to));
    total *= count;
  }
  // A call or a guard inside may need the caller's own frame.
  bool plain = !loop.getBody()
                    ->walk([](Operation *op) {
                      bool foreign =
                          isa<func::CallOp>(op) || op->getDialect()->getNamespace() == "jit";
                      return foreign ? WalkResult::interrupt() : WalkResult::advance();
                    })
                    .wasInterrupted();
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(loop.getRegion(), used);
  return total > 1 && plain &&
         llvm::all_of(used, [&](Value value) { return collectCapture(value); });
}

Value Outliner::slot(Value closure, size_t number) {
  return LLVM::GEPOp::create(b, loop.getLoc(), pointer, b.getI64Type(), closure,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(number)});
}

func::FuncOp Outliner::createFunction(StringRef name) {
  b.setInsertionPointAfter(parent);
  auto type = b.getFunctionType({pointer, b.getI64Type(), b.getI64Type()}, {});
  auto func = func::FuncOp::create(b, loop.getLoc(), name, type);
  func.setPrivate();
  return func;
}

void Outliner::fillFunction(func::FuncOp func) {
  Location loc = loop.getLoc();
  Block *entry = func.addEntryBlock();
  b.setInsertionPointToStart(entry);
  IRMapping map;
  for (auto [i, value] : llvm::enumerate(slots)) {
    Value address = slot(entry->getArgument(0), i);
    Type type = value.getType();
    if (auto memref = dyn_cast<MemRefType>(type)) {
      Value data = LLVM::LoadOp::create(b, loc, pointer, address);
      map.map(value, pointers.create(b, loc, memref, data));
    } else if (type.isIndex()) {
      Value word = LLVM::LoadOp::create(b, loc, b.getI64Type(), address);
      map.map(value, arith::IndexCastOp::create(b, loc, type, word));
    } else {
      map.map(value, LLVM::LoadOp::create(b, loc, type, address));
    }
  }
  for (Operation *op : repeated)
    b.clone(*op, map);

  Value begin = arith::IndexCastOp::create(b, loc, b.getIndexType(), entry->getArgument(1));
  Value end = arith::IndexCastOp::create(b, loc, b.getIndexType(), entry->getArgument(2));
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  auto range = scf::ForOp::create(b, loc, begin, end, index(1));
  func::ReturnOp::create(b, loc);
  b.setInsertionPointToStart(range.getBody());
  Value rest = range.getInductionVar();
  for (unsigned dim = trips.size(); dim-- > 0;) {
    Value number = rest;
    if (dim > 0) {
      Value count = map.lookupOrDefault(getValueOrCreateConstantIndexOp(b, loc, trips[dim]));
      number = arith::RemUIOp::create(b, loc, rest, count);
      rest = arith::DivUIOp::create(b, loc, rest, count);
    }
    if (step[dim] != 1)
      number = arith::MulIOp::create(b, loc, number, index(step[dim]));
    if (lower[dim] != 0)
      number = arith::AddIOp::create(b, loc, number, index(lower[dim]));
    map.map(loop.getInductionVars()[dim], number);
  }
  for (Operation &op : loop.getBody()->without_terminator())
    b.clone(op, map);
}

void Outliner::createCall(func::FuncOp func) {
  Location loc = loop.getLoc();
  Value closure;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&parent.front());
    Value words = LLVM::ConstantOp::create(b, loc, b.getI64Type(),
                                           b.getI64IntegerAttr(std::max<size_t>(1, slots.size())));
    closure = LLVM::AllocaOp::create(b, loc, pointer, b.getI64Type(), words, /*alignment=*/8);
  }
  b.setInsertionPoint(loop);
  for (auto [i, value] : llvm::enumerate(slots)) {
    Value word = value;
    if (isa<MemRefType>(value.getType()))
      word = pointers.pointerOf(b, loc, value);
    else if (value.getType().isIndex())
      word = arith::IndexCastOp::create(b, loc, b.getI64Type(), value);
    LLVM::StoreOp::create(b, loc, word, slot(closure, i));
  }
  Value count = arith::ConstantIndexOp::create(b, loc, 1);
  for (OpFoldResult trip : trips)
    count = arith::MulIOp::create(b, loc, count, getValueOrCreateConstantIndexOp(b, loc, trip));
  count = arith::IndexCastOp::create(b, loc, b.getI64Type(), count);
  auto function = func::ConstantOp::create(b, loc, func.getFunctionType(), func.getName());
  Value address =
      UnrealizedConversionCastOp::create(b, loc, pointer, function.getResult()).getResult(0);
  func::CallOp::create(b, loc, "jit_rt_parallel_for", TypeRange(),
                       ValueRange{parent.getArgument(0), address, closure, count});
}

void Outliner::outline(StringRef name, SmallVectorImpl<func::FuncOp> &others) {
  func::FuncOp func = createFunction(name);
  fillFunction(func);
  auto *same = llvm::find_if(others, [&](func::FuncOp other) {
    return OperationEquivalence::isRegionEquivalentTo(&other.getBody(), &func.getBody(),
                                                      OperationEquivalence::IgnoreLocations);
  });
  if (same != others.end()) {
    func.erase();
    func = *same;
  } else {
    others.push_back(func);
  }
  createCall(func);
  loop.erase();
}

/// Runs the iterations one after another.
static void makeSerial(scf::ParallelOp loop) {
  if (loop.getNumReductions() != 0)
    return;
  OpBuilder b(loop);
  IRMapping map;
  for (auto [iv, from, to, by] : llvm::zip(loop.getInductionVars(), loop.getLowerBound(),
                                           loop.getUpperBound(), loop.getStep())) {
    auto serial = scf::ForOp::create(b, loop.getLoc(), from, to, by);
    b.setInsertionPointToStart(serial.getBody());
    map.map(iv, serial.getInductionVar());
  }
  for (Operation &op : loop.getBody()->without_terminator())
    b.clone(op, map);
  loop.erase();
}

/// An alloca inside of a loop would take more of the stack in each iteration.
static void hoistAllocas(func::FuncOp func) {
  if (func.isDeclaration())
    return;
  SmallVector<memref::AllocaOp> allocas;
  func.walk([&](memref::AllocaOp op) {
    if (op->getNumOperands() == 0)
      allocas.push_back(op);
  });
  for (memref::AllocaOp op : allocas)
    op->moveBefore(&func.front(), func.front().begin());
}

static void declareParallelFor(ModuleOp module) {
  if (module.lookupSymbol("jit_rt_parallel_for"))
    return;
  OpBuilder b(module.getBodyRegion());
  Type pointer = LLVM::LLVMPointerType::get(module.getContext());
  auto type = b.getFunctionType({pointer, pointer, pointer, b.getI64Type()}, {});
  func::FuncOp::create(b, module.getLoc(), "jit_rt_parallel_for", type).setPrivate();
}

namespace {
struct OutlineParallel : jit::impl::OutlineParallelBase<OutlineParallel> {
  using OutlineParallelBase::OutlineParallelBase;

  void runOnOperation() override {
    jit::PointerToMemref pointers(&getContext());
    SmallVector<func::FuncOp> entries(getOperation().getOps<func::FuncOp>()), outlined;
    for (func::FuncOp func : entries) {
      SmallVector<scf::ParallelOp> loops;
      func.walk<WalkOrder::PreOrder>([&](scf::ParallelOp loop) {
        loops.push_back(loop);
        return WalkResult::skip();
      });
      unsigned number = 0;
      for (scf::ParallelOp loop : loops) {
        Outliner outliner(loop, pointers);
        if (!outliner.collect(threshold))
          continue;
        declareParallelFor(getOperation());
        outliner.outline((func.getName() + ".par" + Twine(number++)).str(), outlined);
      }
    }
    // Innermost first: a loop is cloned with what it holds.
    SmallVector<scf::ParallelOp> left;
    getOperation().walk([&](scf::ParallelOp loop) { left.push_back(loop); });
    for (scf::ParallelOp loop : left)
      makeSerial(loop);
    getOperation().walk(hoistAllocas);
  }
};
} // namespace

//===- OutlineParallel.cpp - loops that the runtime's threads share -------===//
#include "Loops/KeepRolled.h"
#include "Loops/OutlinedFunctions.h"
#include "jit/Codegen/Loops/Passes.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

namespace jit::codegen {
#define GEN_PASS_DEF_OUTLINEPARALLEL
#include "jit/Codegen/Loops/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

namespace {
/// Moves the body of one loop into a function of its own.
class LoopOutliner {
public:
  LoopOutliner(scf::ParallelOp loop, const jit::codegen::PointerToMemref &pointers)
      : loop(loop), parent(loop->getParentOfType<func::FuncOp>()),
        closure(loop.getOperation(), pointers), b(loop.getContext()),
        pointer(LLVM::LLVMPointerType::get(loop.getContext())) {}

  /// False where the loop has a shape or uses a value that cannot travel.
  bool collect(int64_t threshold);
  void outline(StringRef name, jit::codegen::OutlinedFunctions &others);

private:
  func::FuncOp createFunction(StringRef name);
  void fillFunction(func::FuncOp func);
  void createCall(func::FuncOp func, Value words);

  scf::ParallelOp loop;
  func::FuncOp parent;
  jit::codegen::Closure closure;
  OpBuilder b;
  Type pointer;
  SmallVector<int64_t> lower, step;
  /// How often each dimension runs: a constant, or the upper bound of one that starts at 0 by steps
  /// of 1.
  SmallVector<OpFoldResult> trips;
};
} // namespace

bool LoopOutliner::collect(int64_t threshold) {
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
    int64_t count =
        last ? std::max<int64_t>(0, llvm::divideCeilSigned(*last - *first, *stride)) : 2;
    trips.push_back(last ? OpFoldResult(b.getIndexAttr(count)) : OpFoldResult(to));
    total *= count;
  }
  return total > 1 && jit::codegen::isAlone(loop) && closure.captureUses();
}

func::FuncOp LoopOutliner::createFunction(StringRef name) {
  b.setInsertionPointAfter(parent);
  auto type = b.getFunctionType({pointer, b.getI64Type(), b.getI64Type()}, {});
  auto func = func::FuncOp::create(b, loop.getLoc(), name, type);
  func.setPrivate();
  return func;
}

void LoopOutliner::fillFunction(func::FuncOp func) {
  Location loc = loop.getLoc();
  Block *entry = func.addEntryBlock();
  b.setInsertionPointToStart(entry);
  IRMapping map;
  closure.load(b, entry->getArgument(0), map);
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
      OpFoldResult trip = trips[dim];
      if (auto open = dyn_cast<Value>(trip))
        trip = map.lookup(open);
      Value count = getValueOrCreateConstantIndexOp(b, loc, trip);
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
  // Inside of a task all is serial, whatever it costs.
  func.walk([](scf::ParallelOp inner) { inner->removeAttr("jit.flops"); });
}

void LoopOutliner::createCall(func::FuncOp func, Value words) {
  Location loc = loop.getLoc();
  Value count = arith::ConstantIndexOp::create(b, loc, 1);
  for (OpFoldResult trip : trips)
    count = arith::MulIOp::create(b, loc, count, getValueOrCreateConstantIndexOp(b, loc, trip));
  count = arith::IndexCastOp::create(b, loc, b.getI64Type(), count);
  auto function = func::ConstantOp::create(b, loc, func.getFunctionType(), func.getName());
  Value address =
      UnrealizedConversionCastOp::create(b, loc, pointer, function.getResult()).getResult(0);
  func::CallOp::create(b, loc, "jit_rt_parallel_for", TypeRange(),
                       ValueRange{parent.getArgument(0), address, words, count});
}

void LoopOutliner::outline(StringRef name, jit::codegen::OutlinedFunctions &others) {
  func::FuncOp func = createFunction(name);
  fillFunction(func);
  b.setInsertionPoint(loop);
  auto [shared, words] = others.add(func, closure, b);
  createCall(shared, words);
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

static void declareParallelFor(ModuleOp module) {
  if (module.lookupSymbol("jit_rt_parallel_for"))
    return;
  OpBuilder b(module.getBodyRegion());
  Type pointer = LLVM::LLVMPointerType::get(module.getContext());
  auto type = b.getFunctionType({pointer, pointer, pointer, b.getI64Type()}, {});
  func::FuncOp::create(b, module.getLoc(), "jit_rt_parallel_for", type).setPrivate();
}

namespace {
struct OutlineParallel : jit::codegen::impl::OutlineParallelBase<OutlineParallel> {
  using OutlineParallelBase::OutlineParallelBase;

  void runOnOperation() override {
    jit::codegen::PointerToMemref pointers(&getContext());
    jit::codegen::OutlinedFunctions outlined(shareSizes);
    for (func::FuncOp func : llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
      SmallVector<scf::ParallelOp> loops;
      func.walk<WalkOrder::PreOrder>([&](scf::ParallelOp loop) {
        loops.push_back(loop);
        return WalkResult::skip();
      });
      unsigned number = 0;
      for (scf::ParallelOp loop : loops) {
        LoopOutliner outliner(loop, pointers);
        if (!outliner.collect(threshold))
          continue;
        declareParallelFor(getOperation());
        outliner.outline((func.getName() + ".par" + Twine(number++)).str(), outlined);
      }
    }
    outlined.finish();
    // Innermost first: a loop is cloned with what it holds.
    SmallVector<scf::ParallelOp> left;
    getOperation().walk([&](scf::ParallelOp loop) { left.push_back(loop); });
    for (scf::ParallelOp loop : left)
      makeSerial(loop);
    getOperation().walk(jit::codegen::hoistAllocas);
    getOperation().walk(jit::codegen::keepFillRolled);
  }
};
} // namespace

//===- InlineMethods.cpp - every call becomes the body of what it calls ---===//

#include "jit/Normalize/Passes.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_INLINEMETHODSPASS
#include "jit/Normalize/Passes.h.inc"

namespace {
/// The locations of what one call becomes. Chains of calls share their ends, each of which is made
/// once.
class CalledFrom {
public:
  explicit CalledFrom(Location caller) : caller(caller) {}

  /// `callee`, reached from the call: its own chain of calls goes first, so that the innermost
  /// location is the one shown.
  Location operator()(Location callee) {
    if (auto known = made.find(LocationAttr(callee)); known != made.end())
      return known->second;
    auto site = dyn_cast<CallSiteLoc>(callee);
    Location location = site ? CallSiteLoc::get(site.getCallee(), (*this)(site.getCaller()))
                             : CallSiteLoc::get(callee, caller);
    made.try_emplace(LocationAttr(callee), location);
    return location;
  }

private:
  Location caller;
  DenseMap<Attribute, Location> made;
};
} // namespace

namespace {
/// What a call of a function brings with it.
struct Extent {
  int64_t operations = 0;
  unsigned regions = 0;
};
} // namespace

/// How many regions of `root` hold `op`.
static unsigned regionDepth(Operation *op, Operation *root) {
  unsigned depth = 0;
  for (; op != root; op = op->getParentOp())
    ++depth;
  return depth;
}

static int64_t countOperations(Operation *op) {
  int64_t count = 0;
  op->walk([&](Operation *) { ++count; });
  return count;
}

/// How many regions lie within each other.
static unsigned countRegions(Operation *op) {
  unsigned most = 0;
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      most = std::max(most, 1 + countRegions(&inner));
  return most;
}

namespace {

/// Inlines bottom up, so that each function is walked once however often it is called. What that
/// would make is counted before any of it is made.
class MethodInliner {
public:
  MethodInliner(ModuleOp module, int64_t maxGrowth, unsigned maxDepth, unsigned maxRegions)
      : symbols(module),
        maxOperations(maxGrowth + maxInlinedPerOperation * countOperations(module)),
        maxDepth(maxDepth), maxRegions(maxRegions) {}

  /// Looks at `func` and at what it calls; fails where there is no end to it or too much.
  LogicalResult plan(func::FuncOp func) {
    if (extents.contains(func))
      return success();
    if (stack.size() == maxDepth)
      return func.emitOpError("expected calls nested at most ") << maxDepth << " deep";
    stack.push_back(func);
    Extent extent{countOperations(func), countRegions(func)};
    WalkResult walk = func.walk([&](func::CallOp call) {
      FailureOr<func::FuncOp> callee = calleeOf(call);
      bool fits =
          succeeded(callee) && succeeded(plan(*callee)) && succeeded(add(extent, call, *callee));
      return fits ? WalkResult::advance() : WalkResult::interrupt();
    });
    stack.pop_back();
    extents[func] = extent;
    order.push_back(func);
    return failure(walk.wasInterrupted());
  }

  /// Inlines all calls in the functions that were planned.
  void run() {
    for (func::FuncOp func : order) {
      SmallVector<func::CallOp> calls;
      func.walk([&](func::CallOp call) { calls.push_back(call); });
      for (func::CallOp call : calls)
        inlineCall(call, symbols.lookup<func::FuncOp>(call.getCallee()));
    }
  }

private:
  FailureOr<func::FuncOp> calleeOf(func::CallOp call) {
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    if (!callee || !callee.getBody().hasOneBlock())
      return call.emitOpError("expected a function with a body of one block, got @")
             << call.getCallee();
    auto cycle = llvm::find(stack, callee);
    if (cycle == stack.end())
      return callee;
    InFlightDiagnostic diag = call.emitOpError("expected calls without recursion, got ");
    for (func::FuncOp func : llvm::make_range(cycle, stack.end()))
      diag << "@" << func.getName() << " -> ";
    return diag << "@" << callee.getName();
  }

  /// What `func`, whose extent is `extent`, gains by this call.
  LogicalResult add(Extent &extent, func::CallOp call, func::FuncOp callee) {
    Extent called = extents.lookup(callee);
    extent.operations += called.operations;
    extent.regions = std::max(extent.regions, regionDepth(call, stack.back()) + called.regions);
    total += called.operations;
    if (extent.regions > maxRegions)
      return call.emitOpError("expected at most ")
             << maxRegions << " branches and loops within each other after inlining, got more";
    if (total > maxOperations)
      return call.emitOpError("expected at most ")
             << maxOperations << " operations after inlining, got more";
    return success();
  }

  static void inlineCall(func::CallOp call, func::FuncOp callee) {
    IRMapping mapping;
    Block &body = callee.getBody().front();
    mapping.map(body.getArguments(), call.getOperands());
    OpBuilder builder(call);
    CalledFrom calledFrom(call.getLoc());
    for (Operation &op : body.without_terminator())
      builder.clone(op, mapping)->walk([&](Operation *nested) {
        nested->setLoc(calledFrom(nested->getLoc()));
      });
    for (auto [result, value] : llvm::zip(call.getResults(), body.getTerminator()->getOperands()))
      result.replaceAllUsesWith(mapping.lookupOrDefault(value));
    call.erase();
  }

  SymbolTable symbols;
  int64_t maxOperations;
  unsigned maxDepth, maxRegions;
  SmallVector<func::FuncOp> stack, order;
  /// What functions hold once all calls in them are inlined.
  DenseMap<Operation *, Extent> extents;
  int64_t total = 0;
};

struct InlineMethodsPass : impl::InlineMethodsPassBase<InlineMethodsPass> {
  using InlineMethodsPassBase::InlineMethodsPassBase;

  void runOnOperation() override {
    MethodInliner inliner(getOperation(), maxGrowth, maxDepth, maxRegions);
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (func.isPublic() && failed(inliner.plan(func)))
        return signalPassFailure();
    inliner.run();
    for (auto func : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (func.isPrivate())
        func.erase();
  }
};

} // namespace

} // namespace jit

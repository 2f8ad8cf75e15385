//===- InlineMethods.cpp - every call becomes the body of what it calls ---===//

#include "jit/Normalize/Passes.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_INLINEMETHODSPASS
#include "jit/Normalize/Passes.h.inc"

/// A program of calls that doubles at each step must end in an error, not in all of the memory.
static constexpr int64_t kMaxOperations = 10'000'000;
static constexpr size_t kMaxDepth = 1000;

/// `callee`, reached from `caller`: its own chain of calls goes first, so that the innermost
/// location is the one shown.
static Location calledFrom(Location callee, Location caller) {
  if (auto site = dyn_cast<CallSiteLoc>(callee))
    return CallSiteLoc::get(site.getCallee(), calledFrom(site.getCaller(), caller));
  return CallSiteLoc::get(callee, caller);
}

static int64_t countOperations(Operation *op) {
  int64_t count = 0;
  op->walk([&](Operation *) { ++count; });
  return count;
}

namespace {

/// Inlines bottom up, so that each function is walked once however often it is called.
class MethodInliner {
public:
  explicit MethodInliner(ModuleOp module) : module(module), symbols(module) {}

  /// Inlines all calls in `func`, after those in what it calls.
  LogicalResult inlineInto(func::FuncOp func) {
    if (done.contains(func))
      return success();
    if (stack.size() == kMaxDepth)
      return func.emitOpError("expected calls nested at most ") << kMaxDepth << " deep";
    stack.push_back(func);
    SmallVector<func::CallOp> calls;
    func.walk([&](func::CallOp call) { calls.push_back(call); });
    for (func::CallOp call : calls) {
      FailureOr<func::FuncOp> callee = calleeOf(call);
      if (failed(callee) || failed(inlineInto(*callee)) || failed(inlineCall(call, *callee)))
        return failure();
    }
    stack.pop_back();
    done[func] = countOperations(func);
    return success();
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

  LogicalResult inlineCall(func::CallOp call, func::FuncOp callee) {
    total += done.lookup(callee);
    if (total > kMaxOperations)
      return call.emitOpError("expected at most ")
             << kMaxOperations << " operations after inlining";
    IRMapping mapping;
    Block &body = callee.getBody().front();
    mapping.map(body.getArguments(), call.getOperands());
    OpBuilder builder(call);
    for (Operation &op : body.without_terminator())
      builder.clone(op, mapping)->walk([&](Operation *nested) {
        nested->setLoc(calledFrom(nested->getLoc(), call.getLoc()));
      });
    for (auto [result, value] : llvm::zip(call.getResults(), body.getTerminator()->getOperands()))
      result.replaceAllUsesWith(mapping.lookupOrDefault(value));
    call.erase();
    return success();
  }

  ModuleOp module;
  SymbolTable symbols;
  SmallVector<func::FuncOp> stack;
  /// Functions without calls, and how many operations they have.
  DenseMap<Operation *, int64_t> done;
  int64_t total = 0;
};

struct InlineMethodsPass : impl::InlineMethodsPassBase<InlineMethodsPass> {
  void runOnOperation() override {
    MethodInliner inliner(getOperation());
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (func.isPublic() && failed(inliner.inlineInto(func)))
        return signalPassFailure();
    for (auto func : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (func.isPrivate())
        func.erase();
  }
};

} // namespace

} // namespace jit

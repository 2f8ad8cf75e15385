//===- WhileLoops.cpp - while loops as loops of a number of trips ---------===//

#include "Reverse.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace jit {

/// Copies the operations of a block but for its terminator.
static void cloneBody(OpBuilder &b, Block &block, IRMapping &map) {
  for (Operation &op : block.without_terminator())
    b.clone(op, map);
}

static SmallVector<Value> lookUp(IRMapping &map, ValueRange values) {
  return llvm::map_to_vector(values, [&](Value value) { return map.lookupOrDefault(value); });
}

/// How often the body of `loop` runs, by running it.
static Value countTrips(scf::WhileOp loop, OpBuilder &b, Value zero, Value one) {
  Location loc = loop.getLoc();
  SmallVector<Value> inits(loop.getInits());
  inits.push_back(zero);
  SmallVector<Type> types(loop.getConditionOp().getArgs().getTypes());
  types.push_back(zero.getType());
  auto before = [&](OpBuilder &inner, Location, ValueRange args) {
    IRMapping map;
    map.map(loop.getBeforeArguments(), args.drop_back());
    cloneBody(inner, loop.getBefore().front(), map);
    scf::ConditionOp condition = loop.getConditionOp();
    SmallVector<Value> forwarded = lookUp(map, condition.getArgs());
    forwarded.push_back(args.back());
    scf::ConditionOp::create(inner, loc, map.lookupOrDefault(condition.getCondition()), forwarded);
  };
  auto after = [&](OpBuilder &inner, Location, ValueRange args) {
    IRMapping map;
    map.map(loop.getAfterArguments(), args.drop_back());
    cloneBody(inner, loop.getAfter().front(), map);
    SmallVector<Value> next = lookUp(map, loop.getYieldOp().getOperands());
    next.push_back(arith::AddIOp::create(inner, loc, args.back(), one));
    scf::YieldOp::create(inner, loc, next);
  };
  return scf::WhileOp::create(b, loc, types, inits, before, after).getResults().back();
}

void countWhileLoop(scf::WhileOp loop) {
  OpBuilder b(loop);
  GraphBuilder build{b, loop.getLoc()};
  Value zero = build.i(0).v, one = build.i(1).v;
  Value count = countTrips(loop, b, zero, one);
  Block &before = loop.getBefore().front(), &after = loop.getAfter().front();
  auto trip = [&](OpBuilder &inner, Location loc, Value, ValueRange args) {
    IRMapping map;
    map.map(loop.getBeforeArguments(), args);
    cloneBody(inner, before, map);
    map.map(loop.getAfterArguments(), lookUp(map, loop.getConditionOp().getArgs()));
    cloneBody(inner, after, map);
    scf::YieldOp::create(inner, loc, lookUp(map, loop.getYieldOp().getOperands()));
  };
  auto counted = scf::ForOp::create(b, loop.getLoc(), zero, count, one, loop.getInits(), trip);
  // What the condition that ends the loop hands on.
  IRMapping map;
  map.map(loop.getBeforeArguments(), counted.getResults());
  cloneBody(b, before, map);
  loop.replaceAllUsesWith(lookUp(map, loop.getConditionOp().getArgs()));
  loop.erase();
}

} // namespace jit

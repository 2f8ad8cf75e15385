//===- LoopMemories.cpp - what a loop's variables may be ------------------===//

#include "LoopMemories.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace jit {

LoopMemories::LoopMemories(ValueRange variables)
    : variables(variables), of(variables.size()), next(variables.size()), starts(variables.size()) {
}

std::optional<unsigned> LoopMemories::find(Value value) const {
  const Value *at = llvm::find(variables, value);
  return at == variables.end() ? std::nullopt : std::optional<unsigned>(at - variables.begin());
}

void LoopMemories::add(unsigned variable, Value memory) {
  memories.insert(memory);
  of[variable].insert(llvm::find(memories, memory) - memories.begin());
}

void LoopMemories::close() {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [variable, steps] : llvm::enumerate(next))
      for (const Step &step : steps)
        if (step.from)
          for (unsigned memory : of[*step.from])
            changed |= of[variable].insert(memory);
  }
}

SmallVector<LoopMemories::Flag> LoopMemories::flags(unsigned begin, unsigned end) const {
  SmallVector<Flag> all;
  for (unsigned variable = begin; variable < end; ++variable)
    for (unsigned memory : of[variable])
      all.push_back({variable, memory});
  return all;
}

static Value constant(OpBuilder &b, Location loc, bool value) {
  return arith::ConstantOp::create(b, loc, b.getBoolAttr(value));
}

SmallVector<Value> LoopMemories::startFlags(OpBuilder &b, Location loc,
                                            ArrayRef<Flag> flags) const {
  return llvm::map_to_vector(flags, [&](Flag flag) {
    return constant(b, loc, starts[flag.first] == memories[flag.second]);
  });
}

Value LoopMemories::nextFlag(OpBuilder &b, Location loc, Flag flag, ArrayRef<Flag> now,
                             ValueRange values) const {
  auto [variable, memory] = flag;
  Value result;
  for (const Step &step : next[variable]) {
    Value holds;
    if (!step.from)
      holds = step.memory == memories[memory] ? constant(b, loc, true) : Value();
    else if (const Flag *from = llvm::find(now, Flag(*step.from, memory)); from != now.end())
      holds = values[from - now.begin()];
    if (!holds)
      continue;
    if (step.condition)
      holds = arith::AndIOp::create(b, loc, holds, step.condition);
    result = result ? Value(arith::OrIOp::create(b, loc, result, holds)) : holds;
  }
  return result ? result : constant(b, loc, false);
}

SmallVector<Value> LoopMemories::nextFlags(Block &block, ArrayRef<Flag> flags, ArrayRef<Flag> now,
                                           ValueRange values) const {
  OpBuilder b(block.getTerminator());
  Location loc = block.getTerminator()->getLoc();
  return llvm::map_to_vector(flags, [&](Flag flag) { return nextFlag(b, loc, flag, now, values); });
}

} // namespace jit

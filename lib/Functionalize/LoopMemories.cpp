//===- LoopMemories.cpp - what a loop's variables may be ------------------===//

#include "LoopMemories.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace jit {

LoopMemories::LoopMemories(ValueRange variables)
    : variables(variables), of(variables.size()), next(variables.size()), starts(variables.size()),
      same(variables.size()) {}

std::optional<unsigned> LoopMemories::find(Value value) const {
  const Value *at = llvm::find(variables, value);
  return at == variables.end() ? std::nullopt : std::optional<unsigned>(at - variables.begin());
}

//===----------------------------------------------------------------------===//
// What may be
//===----------------------------------------------------------------------===//

/// Whether two values of one trip may be the same memory.
bool LoopMemories::mayBeSame(Value one, Value other) const {
  if (one == other)
    return one != nullptr;
  auto a = one ? find(one) : std::nullopt, b = other ? find(other) : std::nullopt;
  return a && b && same[std::max(*a, *b)].contains(std::min(*a, *b));
}

bool LoopMemories::takeTheSame(unsigned one, unsigned other) const {
  return llvm::any_of(next[one], [&](const Step &step) {
    return llvm::any_of(next[other],
                        [&](const Step &behind) { return mayBeSame(step.root, behind.root); });
  });
}

void LoopMemories::close() {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [variable, steps] : llvm::enumerate(next))
      for (const Step &step : steps)
        if (auto from = step.root ? find(step.root) : std::nullopt)
          for (Value memory : SmallVector<Value>(of[*from].getArrayRef()))
            changed |= of[variable].insert(memory);
    for (unsigned variable = 0; variable < next.size(); ++variable)
      for (unsigned earlier = 0; earlier < variable; ++earlier)
        if (!same[variable].contains(earlier) && takeTheSame(earlier, variable))
          changed |= same[variable].insert(earlier);
  }
}

std::optional<std::pair<unsigned, LoopMemories::Step>> LoopMemories::sharedPart() const {
  for (auto [variable, steps] : llvm::enumerate(next))
    for (const Step &step : steps) {
      if (!step.root || step.memory == step.root)
        continue;
      for (auto [other, others] : llvm::enumerate(next))
        if (other != variable && llvm::any_of(others, [&](const Step &behind) {
              return mayBeSame(step.root, behind.root);
            }))
          return std::pair<unsigned, Step>(variable, step);
    }
  return std::nullopt;
}

bool LoopMemories::isEmpty() const {
  auto isEmpty = [](const auto &set) { return set.empty(); };
  return llvm::all_of(of, isEmpty) && llvm::all_of(same, isEmpty);
}

//===----------------------------------------------------------------------===//
// What is
//===----------------------------------------------------------------------===//

SmallVector<LoopMemories::Flag> LoopMemories::flags(unsigned begin, unsigned end) const {
  SmallVector<Flag> all;
  for (unsigned variable = begin; variable < end; ++variable) {
    for (Value memory : of[variable])
      all.push_back({variable, memory});
    for (unsigned earlier : same[variable])
      all.push_back({variable, variables[earlier]});
  }
  return all;
}

static Value constant(OpBuilder &b, Location loc, bool value) {
  return arith::ConstantOp::create(b, loc, b.getBoolAttr(value));
}

/// Of conditions that are null for always.
static Value both(OpBuilder &b, Location loc, Value one, Value other) {
  return one && other ? Value(arith::AndIOp::create(b, loc, one, other)) : one ? one : other;
}

SmallVector<Value> LoopMemories::startFlags(OpBuilder &b, Location loc,
                                            ArrayRef<Flag> flags) const {
  return llvm::map_to_vector(
      flags, [&](Flag flag) { return constant(b, loc, starts[flag.variable] == flag.memory); });
}

Value LoopMemories::Now::lookup(Flag flag) const {
  const Flag *at = llvm::find(flags, flag);
  return at == flags.end() ? Value() : values[at - flags.begin()];
}

/// Whether what `step` gives is `memory`, of outside; null for never.
Value LoopMemories::isMemory(OpBuilder &b, Location loc, const Step &step, Value memory,
                             const Now &now) const {
  auto from = step.root ? find(step.root) : std::nullopt;
  Value holds;
  if (!step.root && step.memory == memory)
    holds = constant(b, loc, true);
  else if (from)
    holds = now.lookup({*from, memory});
  return holds ? both(b, loc, holds, step.condition) : Value();
}

/// Whether what the two steps give is one memory of the trip; null for never.
Value LoopMemories::areSame(OpBuilder &b, Location loc, const Step &one, const Step &other,
                            const Now &now) const {
  if (!mayBeSame(one.root, other.root))
    return {};
  Value holds = constant(b, loc, true);
  if (one.root != other.root) {
    auto [earlier, later] = std::minmax(*find(one.root), *find(other.root));
    holds = now.lookup({later, variables[earlier]});
  }
  return both(b, loc, both(b, loc, holds, one.condition), other.condition);
}

Value LoopMemories::nextFlag(OpBuilder &b, Location loc, Flag flag, const Now &now) const {
  Value result;
  auto add = [&](Value holds) {
    if (holds)
      result = result ? Value(arith::OrIOp::create(b, loc, result, holds)) : holds;
  };
  auto earlier = find(flag.memory);
  for (const Step &step : next[flag.variable])
    if (!earlier)
      add(isMemory(b, loc, step, flag.memory, now));
    else
      for (const Step &other : next[*earlier])
        add(areSame(b, loc, step, other, now));
  return result ? result : constant(b, loc, false);
}

SmallVector<Value> LoopMemories::nextFlags(Block &block, ArrayRef<Flag> flags, ArrayRef<Flag> now,
                                           ValueRange values) const {
  OpBuilder b(block.getTerminator());
  Location loc = block.getTerminator()->getLoc();
  return llvm::map_to_vector(flags,
                             [&](Flag flag) { return nextFlag(b, loc, flag, Now{now, values}); });
}

} // namespace jit

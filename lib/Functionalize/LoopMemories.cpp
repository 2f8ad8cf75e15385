//===- LoopMemories.cpp - what a loop's variables may be ------------------===//

#include "LoopMemories.h"
#include "jit/Dialect/Aten/Layout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace jit {

/// Whether two values are made by the same operations, one of `root` where the other is of
/// `otherRoot`.
static bool isMadeAlike(Value value, Value root, Value other, Value otherRoot) {
  if (value == root)
    return other == otherRoot;
  if (value == other)
    return true;
  Operation *op = value.getDefiningOp(), *with = other.getDefiningOp();
  if (!op || !with || op->getNumRegions() != 0 || op->getName() != with->getName() ||
      op->getAttrDictionary() != with->getAttrDictionary() || value.getType() != other.getType() ||
      op->getNumOperands() != with->getNumOperands() || op->getNumResults() != 1)
    return false;
  return llvm::all_of(llvm::zip(op->getOperands(), with->getOperands()), [&](auto pair) {
    return isMadeAlike(std::get<0>(pair), root, std::get<1>(pair), otherRoot);
  });
}

static bool isSameView(Value view, Value other) {
  if (!view || !other)
    return view == other;
  return isMadeAlike(view, viewRoot(view), other, viewRoot(other));
}

bool LoopMemories::Flag::operator==(const Flag &other) const {
  return variable == other.variable && memory == other.memory && isSameView(view, other.view);
}

LoopMemories::LoopMemories(ValueRange variables)
    : variables(variables), of(variables.size()), next(variables.size()), starts(variables.size()),
      shown(variables.size()) {}

std::optional<unsigned> LoopMemories::find(Value value) const {
  const Value *at = llvm::find(variables, value);
  return at == variables.end() ? std::nullopt : std::optional<unsigned>(at - variables.begin());
}

//===----------------------------------------------------------------------===//
// What may be
//===----------------------------------------------------------------------===//

LoopMemories::Flag LoopMemories::same(unsigned one, unsigned other) const {
  return {std::max(one, other), variables[std::min(one, other)]};
}

LoopMemories::Flag LoopMemories::shows(unsigned variable, unsigned whole, Value view) const {
  return view ? Flag{variable, variables[whole], view} : same(variable, whole);
}

/// Of two steps that show one value.
LoopMemories::Sharing LoopMemories::sharingOfOne(unsigned one, const Step &step, unsigned other,
                                                 const Step &with) const {
  if (!step.isPart())
    return {shows(other, one, with.isPart() ? with.memory : Value()), {}};
  if (!with.isPart())
    return {shows(one, other, step.memory), {}};
  if (isSameView(step.memory, with.memory))
    return {same(one, other), {}};
  return {};
}

SmallVector<LoopMemories::Sharing> LoopMemories::sharingOf(unsigned one, const Step &step,
                                                           unsigned other, const Step &with) const {
  if (step.root && step.root == with.root)
    return {sharingOfOne(one, step, other, with)};
  auto a = find(step.root), b = find(with.root);
  if (!a || !b)
    return {};
  SmallVector<Sharing> all;
  auto addThrough = [&](unsigned variable, unsigned whole, unsigned becomes, unsigned of) {
    for (const Flag &flag : shown[variable]) {
      if (flag.memory != variables[whole])
        continue;
      Sharing sharing;
      if (!flag.view)
        sharing = sharingOfOne(one, step, other, with);
      else if (!step.isPart() && !with.isPart())
        sharing.flag = shows(becomes, of, flag.view);
      sharing.through = flag;
      all.push_back(sharing);
    }
  };
  addThrough(*a, *b, one, other);
  addThrough(*b, *a, other, one);
  return all;
}

void LoopMemories::close() {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [variable, steps] : llvm::enumerate(next))
      for (const Step &step : steps)
        if (auto from = find(step.root))
          for (Value memory : SmallVector<Value>(of[*from].getArrayRef()))
            changed |= of[variable].insert(memory);
    for (unsigned one = 0; one < next.size(); ++one)
      for (unsigned other = one + 1; other < next.size(); ++other)
        for (const Step &step : next[one])
          for (const Step &with : next[other])
            for (const Sharing &sharing : sharingOf(one, step, other, with)) {
              if (!sharing.flag || llvm::is_contained(shown[sharing.flag->variable], *sharing.flag))
                continue;
              shown[sharing.flag->variable].push_back(*sharing.flag);
              changed = true;
            }
  }
}

/// Whether `variable` may show what it is itself the memory of, through others.
bool LoopMemories::showsItself(unsigned variable) const {
  llvm::SmallSetVector<unsigned, 4> behind;
  behind.insert(variable);
  for (unsigned next = 0; next < behind.size(); ++next)
    for (const Flag &flag : shown[behind[next]]) {
      if (flag.memory == variables[variable])
        return true;
      behind.insert(*find(flag.memory));
    }
  return false;
}

std::optional<std::pair<unsigned, LoopMemories::Step>> LoopMemories::unclear() const {
  for (unsigned one = 0; one < next.size(); ++one)
    for (unsigned other = one + 1; other < next.size(); ++other)
      for (const Step &step : next[one])
        for (const Step &with : next[other])
          for (const Sharing &sharing : sharingOf(one, step, other, with))
            // Of two that show each other neither is the memory.
            if (!sharing.flag || showsItself(sharing.flag->variable))
              return std::pair(step.isPart() ? one : other, step.isPart() ? step : with);
  return std::nullopt;
}

bool LoopMemories::isEmpty() const {
  auto isEmpty = [](const auto &set) { return set.empty(); };
  return llvm::all_of(of, isEmpty) && llvm::all_of(shown, isEmpty);
}

//===----------------------------------------------------------------------===//
// What is
//===----------------------------------------------------------------------===//

SmallVector<LoopMemories::Flag> LoopMemories::flags(unsigned begin, unsigned end) const {
  SmallVector<Flag> all;
  for (unsigned variable = begin; variable < end; ++variable) {
    for (Value memory : of[variable])
      all.push_back({variable, memory});
    llvm::append_range(all, shown[variable]);
  }
  return all;
}

static Value constant(OpBuilder &b, Location loc, bool value) {
  return arith::ConstantOp::create(b, loc, b.getBoolAttr(value));
}

/// `holds`, under a condition that is null for always.
static Value under(OpBuilder &b, Location loc, Value condition, Value holds) {
  return condition ? Value(arith::AndIOp::create(b, loc, holds, condition)) : holds;
}

SmallVector<Value> LoopMemories::startFlags(OpBuilder &b, Location loc,
                                            ArrayRef<Flag> flags) const {
  return llvm::map_to_vector(flags, [&](const Flag &flag) {
    return constant(b, loc, starts[flag.variable] == flag.memory);
  });
}

Value LoopMemories::Now::lookup(Flag flag) const {
  const Flag *at = llvm::find(flags, flag);
  return at == flags.end() ? Value() : values[at - flags.begin()];
}

/// Whether what `step` gives is `memory`, of outside; null for never.
Value LoopMemories::isMemory(OpBuilder &b, Location loc, const Step &step, Value memory,
                             const Now &now) const {
  auto from = find(step.root);
  Value holds;
  if (!step.root && step.memory == memory)
    holds = constant(b, loc, true);
  else if (from)
    holds = now.lookup({*from, memory});
  return holds ? under(b, loc, step.condition, holds) : Value();
}

Value LoopMemories::nextFlag(OpBuilder &b, Location loc, const Flag &flag, const Now &now) const {
  Value result;
  auto add = [&](Value holds) {
    if (holds)
      result = result ? Value(arith::OrIOp::create(b, loc, result, holds)) : holds;
  };
  auto whole = find(flag.memory);
  for (const Step &step : next[flag.variable]) {
    if (!whole) {
      add(isMemory(b, loc, step, flag.memory, now));
      continue;
    }
    for (const Step &with : next[*whole])
      for (const Sharing &sharing : sharingOf(flag.variable, step, *whole, with)) {
        if (!(sharing.flag == flag))
          continue;
        Value holds = sharing.through ? now.lookup(*sharing.through) : constant(b, loc, true);
        add(under(b, loc, with.condition, under(b, loc, step.condition, holds)));
      }
  }
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

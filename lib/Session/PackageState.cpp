//===- PackageState.cpp - the state that compiled calls lead to -----------===//

#include "PackageBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using jit::package::CompiledEntry;

namespace jit {
using namespace runtime;

/// An int or bool with more values than this is an argument from then on, not part of the kind.
static constexpr int32_t maxNumbers = 8;
/// More ways through what data choose than this are not looked at one by one.
static constexpr size_t maxWays = 1024;

static Error refuseWays() {
  return {ErrorCode::Unsupported,
          "expected module state of which data choose the kinds in at most " +
              std::to_string(maxWays) + " ways, got more"};
}

//===----------------------------------------------------------------------===//
// What data choose
//===----------------------------------------------------------------------===//

using Assignment = std::map<int32_t, int32_t>;

/// False where the tests ask for something else than others have; else notes what they ask for.
static bool assume(ArrayRef<jit_test> tests, Assignment &chosen) {
  return llvm::all_of(tests, [&](const jit_test &test) {
    return chosen.emplace(test.output, test.is).first->second == test.is;
  });
}

/// Notes, once each, what else has to hold; false where it cannot.
static bool join(std::vector<jit_test> &tests, ArrayRef<jit_test> further) {
  Assignment chosen;
  if (!assume(tests, chosen) || !assume(further, chosen))
    return false;
  tests.clear();
  for (auto [output, is] : chosen)
    tests.push_back({output, is});
  return true;
}

/// The values without a choice in them that a tree stands for; none where there are too many.
std::vector<PackageBuilder::Choice> PackageBuilder::choicesOf(const OutputTree &tree,
                                                              ArrayRef<Known> known) {
  using Kind = OutputTree::Kind;
  std::vector<Choice> choices;
  if (tree.kind == Kind::Either) {
    const Known &flag = known[tree.parts[0].leaf];
    for (int32_t is : {1, 0})
      if (!flag.constant || flag.constant->boolValue == bool(is))
        for (Choice &way : choicesOf(tree.parts[is ? 1 : 2], known))
          if (flag.constant || join(way.tests, jit_test{flag.first, is}))
            choices.push_back(std::move(way));
    return choices;
  }
  choices.push_back({tree, {}});
  choices[0].value.parts.clear();
  for (const OutputTree &part : tree.parts) {
    std::vector<Choice> longer;
    std::vector<Choice> ways = choicesOf(part, known);
    for (const Choice &choice : choices)
      for (const Choice &way : ways) {
        Choice both = choice;
        both.value.parts.push_back(way.value);
        if (join(both.tests, way.tests))
          longer.push_back(std::move(both));
      }
    choices = std::move(longer);
    if (choices.size() > maxWays)
      return {};
  }
  return choices;
}

Result<std::set<std::vector<int32_t>>> statesAfter(const package::Variant &variant,
                                                   const std::vector<int32_t> &state) {
  std::set<std::pair<Assignment, std::vector<int32_t>>> ways = {{{}, state}};
  for (ArrayRef<package::SlotSet> sets = variant.sets; !sets.empty();) {
    auto ofSlot = sets.take_while([&](auto &set) { return set.slot == sets[0].slot; });
    std::set<std::pair<Assignment, std::vector<int32_t>>> next;
    for (const auto &[assignment, before] : ways)
      for (const package::SlotSet &set : ofSlot) {
        Assignment chosen = assignment;
        if (!assume(set.tests, chosen))
          continue;
        std::vector<int32_t> after = before;
        after[set.slot] = set.kind;
        next.emplace(std::move(chosen), std::move(after));
      }
    ways = std::move(next);
    if (ways.size() > maxWays)
      return refuseWays();
    sets = sets.drop_front(ofSlot.size());
  }
  std::set<std::vector<int32_t>> states;
  for (const auto &[chosen, after] : ways)
    states.insert(after);
  return states;
}

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

/// The kind of value that an output tree makes; none where a number in it is not known.
std::optional<ValueSpec> PackageBuilder::resultSpec(const OutputTree &tree,
                                                    const CompiledEntry &compiled,
                                                    ArrayRef<Known> known, bool isOpen) {
  using Kind = OutputTree::Kind;
  if (tree.kind == Kind::None)
    return ValueSpec{.kind = ValueSpec::Kind::None};
  if (tree.kind == Kind::Text)
    return ValueSpec{.kind = ValueSpec::Kind::Str, .text = tree.text};
  if (tree.kind == Kind::Leaf) {
    ValueSpec spec = typeSpec(compiled.entry.results[tree.leaf].type);
    bool isClosed = spec.kind == ValueSpec::Kind::Int || spec.kind == ValueSpec::Kind::Bool;
    return isClosed && !isOpen ? known[tree.leaf].constant : spec;
  }
  ValueSpec spec{.kind = tree.kind == Kind::Tuple ? ValueSpec::Kind::Tuple : ValueSpec::Kind::List};
  for (const OutputTree &part : tree.parts) {
    auto element = resultSpec(part, compiled, known, isOpen);
    if (!element)
      return std::nullopt;
    spec.elements.push_back(std::move(*element));
  }
  return spec;
}

static bool hasClosedNumber(const ValueSpec &pattern) {
  using Kind = ValueSpec::Kind;
  bool isNumber = pattern.kind == Kind::Int || pattern.kind == Kind::Bool;
  return (isNumber && !pattern.isOpen) || llvm::any_of(pattern.elements, hasClosedNumber);
}

static bool isPlain(const OutputTree &tree) {
  using Kind = OutputTree::Kind;
  return tree.kind != Kind::Concat && tree.kind != Kind::Unbind && tree.kind != Kind::Parts &&
         tree.kind != Kind::Dict && llvm::all_of(tree.parts, isPlain);
}

bool hasOpenSize(const ValueSpec &pattern) {
  return llvm::is_contained(pattern.sizes, ValueSpec::openSize) ||
         llvm::any_of(pattern.elements, hasOpenSize);
}

/// Gives `leaf(tree, place among the cells)` for each leaf that has a cell.
template <typename Fn>
static void forEachCell(const OutputTree &tree, const ValueSpec &pattern, int32_t &offset,
                        Fn leaf) {
  if (tree.kind == OutputTree::Kind::Leaf && needsCell(pattern))
    leaf(tree, offset++);
  for (auto [part, item] : llvm::zip(tree.parts, pattern.elements))
    forEachCell(part, item, offset, leaf);
}

Error PackageBuilder::refuseOpenState(int32_t slot, int32_t kind) const {
  return {ErrorCode::Unsupported, "expected module state of known sizes, got '" +
                                      session.state->path(slots->slots()[slot]) + "' as " +
                                      slots->textOfKind(slot, kind)};
}

Result<bool> PackageBuilder::describeChoice(package::Variant &variant, const Output &output,
                                            const Choice &choice, const CompiledEntry &compiled,
                                            ArrayRef<Known> known) {
  int32_t slot = slots->indexOf(*output.slot);
  if (output.strides && choice.value.kind != OutputTree::Kind::Leaf)
    return Error{ErrorCode::Unsupported,
                 "expected row-major tensors in the lists and tuples of a state in a program that "
                 "writes in place, got strides in '" +
                     session.state->path(*output.slot) + "': set it to their contiguous()"};
  auto spec = resultSpec(choice.value, compiled, known, opened.count(*output.slot) != 0);
  if (!spec) {
    opened.insert(*output.slot);
    return false;
  }
  if (output.strides)
    spec->strides = *output.strides;
  if (output.strides && output.strides->size() != spec->sizes.size())
    spec->strides.assign(spec->sizes.size(), ValueSpec::unknownStride);
  spec->part = output.part;
  auto kind = slots->kindOf(slot, *spec);
  if (!kind)
    return kind.takeError();
  // What data tell has no cell, and calls that need it end.
  bool isOpen = hasOpenSize(slots->pattern(slot, *kind));
  if (isOpen && !openSizes(variant.arguments).empty()) {
    Error error = refuseOpenState(slot, *kind);
    error.message += ": name no open sizes in calls that write it";
    return error;
  }
  if (*kind >= maxNumbers && hasClosedNumber(slots->pattern(slot, *kind))) {
    opened.insert(*output.slot);
    return false;
  }
  variant.sets.push_back({slot, *kind, choice.tests});
  if (isOpen)
    return true;
  int32_t offset = 0;
  forEachCell(choice.value, slots->pattern(slot, *kind), offset,
              [&](const OutputTree &leaf, int32_t place) {
                if (choice.tests.empty())
                  send(variant, leaf.leaf, cell(slot, place));
                else
                  variant.copies.push_back({int32_t(leaf.leaf), cell(slot, place), choice.tests});
              });
  return true;
}

Result<bool> PackageBuilder::describeState(package::Variant &variant, const Output &output,
                                           const CompiledEntry &compiled, ArrayRef<Known> known) {
  if (!isPlain(output.value))
    return Error{ErrorCode::Unsupported, "expected state made of tensors and numbers, got '" +
                                             session.state->path(*output.slot) + "'"};
  std::vector<Choice> choices = choicesOf(output.value, known);
  if (choices.empty())
    return refuseWays();
  for (const Choice &choice : choices) {
    auto isKnown = describeChoice(variant, output, choice, compiled, known);
    if (!isKnown || !*isKnown)
      return isKnown;
  }
  return true;
}

} // namespace jit

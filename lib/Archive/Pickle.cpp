//===- Pickle.cpp - a pickle as an inert tree -----------------------------===//

#include "jit/Archive/Pickle.h"

#include "PickleReader.h"
#include "jit/OutOfMemory.h"

#include <algorithm>

namespace jit {

std::string_view pickleKindName(PickleKind kind) {
  static constexpr std::string_view names[] = {"none",   "bool",   "int",  "float",        "string",
                                               "bytes",  "tuple",  "list", "dict",         "set",
                                               "global", "object", "call", "persistent id"};
  return names[static_cast<size_t>(kind)];
}

std::string PickleTree::place(PickleRef ref) const {
  return memberName + ": offset " + std::to_string(nodes[ref].offset);
}

Error PickleTree::error(ErrorCode code, PickleRef ref, std::string message) const {
  return {code, std::move(message), place(ref)};
}

namespace {

/// Walks everything below the root in depth-first order, without recursion.
class ShapeCheck {
public:
  ShapeCheck(const PickleTree &tree, const ArchiveLimits &limits)
      : tree(tree), limits(limits), states(tree.size()) {}

  Result<void> run();

private:
  enum class Mark : uint8_t { New, Open, Done };
  struct State {
    Mark mark = Mark::New;
    /// Levels below and including the node.
    uint32_t height = 1;
    /// Nodes of the tree that it stands for when shared ones are counted each time.
    uint64_t expanded = 1;
  };
  struct Frame {
    PickleRef ref;
    size_t next = 0;
  };

  Result<void> visit(PickleRef parent, PickleRef child);
  Result<void> absorb(PickleRef parent, const State &child);

  const PickleTree &tree;
  const ArchiveLimits &limits;
  std::vector<State> states;
  std::vector<Frame> frames;
};

} // namespace

Result<void> ShapeCheck::absorb(PickleRef parent, const State &child) {
  State &state = states[parent];
  state.height = std::max(state.height, child.height + 1);
  state.expanded += child.expanded;
  if (state.height > limits.maxDepth)
    return tree.error(ErrorCode::LimitExceeded, parent,
                      "values are nested deeper than " + std::to_string(limits.maxDepth));
  if (state.expanded > limits.maxExpandedNodes)
    return tree.error(ErrorCode::LimitExceeded, parent,
                      "values stand for more than " + std::to_string(limits.maxExpandedNodes));
  return {};
}

Result<void> ShapeCheck::visit(PickleRef parent, PickleRef child) {
  switch (states[child].mark) {
  case Mark::Open:
    return tree.error(ErrorCode::Unsupported, child, "value contains itself");
  case Mark::Done:
    return absorb(parent, states[child]);
  case Mark::New:
    states[child].mark = Mark::Open;
    frames.push_back({child});
    // Deep nesting is refused on the way down, before it costs anything.
    if (frames.size() > limits.maxDepth)
      return tree.error(ErrorCode::LimitExceeded, child,
                        "values are nested deeper than " + std::to_string(limits.maxDepth));
    return {};
  }
  return {};
}

Result<void> ShapeCheck::run() {
  frames.push_back({tree.root()});
  states[tree.root()].mark = Mark::Open;
  while (!frames.empty()) {
    Frame &frame = frames.back();
    PickleRef ref = frame.ref;
    const std::vector<PickleRef> &items = tree[ref].items;
    if (frame.next < items.size()) {
      if (Result<void> visited = visit(ref, items[frame.next++]); !visited)
        return visited;
      continue;
    }
    states[ref].mark = Mark::Done;
    frames.pop_back();
    if (!frames.empty())
      if (Result<void> absorbed = absorb(frames.back().ref, states[ref]); !absorbed)
        return absorbed;
  }
  return {};
}

Result<PickleTree> PickleTree::read(std::string member, SharedBytes bytes,
                                    const ArchiveLimits &limits) {
  return orOutOfMemory([&]() -> Result<PickleTree> {
    PickleTree tree;
    tree.memberName = std::move(member);
    tree.bytes = std::move(bytes);
    uint64_t most = std::min<uint64_t>(limits.maxPickleBytes, UINT32_MAX);
    if (tree.bytes.size() > most)
      return Error{ErrorCode::LimitExceeded,
                   "expected a pickle of at most " + std::to_string(most) + " bytes, got " +
                       std::to_string(tree.bytes.size()),
                   tree.memberName};
    if (Result<void> ran = PickleReader(tree, limits).run(); !ran)
      return ran.takeError();
    if (Result<void> shape = ShapeCheck(tree, limits).run(); !shape)
      return shape.takeError();
    return tree;
  });
}

} // namespace jit

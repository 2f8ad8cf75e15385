//===- PickleBuilding.cpp - containers, calls and the memo of a pickle ----===//

#include "PickleOpcode.h"
#include "PickleReader.h"

namespace jit {

using namespace pickle;

bool PickleReader::tuple(size_t count) {
  size_t floor = marks.empty() ? 0 : marks.back();
  if (stack.size() - floor < count)
    return fail(ErrorCode::Malformed, "expected " + std::to_string(count) +
                                          " values on the stack, got " +
                                          std::to_string(stack.size() - floor));
  std::vector<PickleRef> items(stack.end() - count, stack.end());
  stack.resize(stack.size() - count);
  PickleNode *node = push(PickleKind::Tuple);
  if (node)
    node->items = std::move(items);
  return node;
}

/// Everything above the last mark becomes one container.
bool PickleReader::collect(PickleKind kind) {
  size_t begin;
  if (!popMark(begin))
    return false;
  std::vector<PickleRef> items(stack.begin() + begin, stack.end());
  if (kind == PickleKind::Dict && items.size() % 2)
    return fail(ErrorCode::Malformed, "expected keys and values in pairs");
  stack.resize(begin);
  PickleNode *node = push(kind);
  if (node)
    node->items = std::move(items);
  return node;
}

bool PickleReader::extend(size_t begin, PickleKind kind) {
  size_t floor = marks.empty() ? 0 : marks.back();
  if (begin <= floor || begin > stack.size())
    return fail(ErrorCode::Malformed, "expected a container on the stack, got none");
  PickleNode &target = tree.nodes[stack[begin - 1]];
  if (target.kind != kind)
    return fail(ErrorCode::Malformed, "expected a " + std::string(pickleKindName(kind)) +
                                          " to add to, got a " +
                                          std::string(pickleKindName(target.kind)));
  if (kind == PickleKind::Dict && (stack.size() - begin) % 2)
    return fail(ErrorCode::Malformed, "expected keys and values in pairs");
  target.items.insert(target.items.end(), stack.begin() + begin, stack.end());
  stack.resize(begin);
  return true;
}

bool PickleReader::stepContainer(uint8_t opcode) {
  size_t begin;
  switch (opcode) {
  case EmptyTuple:
    return push(PickleKind::Tuple);
  case EmptyList:
    return push(PickleKind::List);
  case EmptyDict:
    return push(PickleKind::Dict);
  case EmptySet:
    return push(PickleKind::Set);
  case Tuple1:
  case Tuple2:
  case Tuple3:
    return tuple(opcode - Tuple1 + 1);
  case TupleFromMark:
    return collect(PickleKind::Tuple);
  case ListFromMark:
    return collect(PickleKind::List);
  case DictFromMark:
    return collect(PickleKind::Dict);
  case FrozenSet:
    return collect(PickleKind::Set);
  case Append:
    return extend(stack.size() - 1, PickleKind::List);
  case SetItem:
    return extend(stack.size() - 2, PickleKind::Dict);
  case Appends:
    return popMark(begin) && extend(begin, PickleKind::List);
  case SetItems:
    return popMark(begin) && extend(begin, PickleKind::Dict);
  default:
    return popMark(begin) && extend(begin, PickleKind::Set);
  }
}

bool PickleReader::call(PickleKind kind, bool keywords) {
  PickleRef callable, args, keywordArgs;
  if (keywords && (!pop(keywordArgs)))
    return false;
  if (!pop(args) || !pop(callable))
    return false;
  if (keywords && !tree[keywordArgs].items.empty())
    return fail(ErrorCode::Unsupported, "cannot build an object from keyword arguments");
  if (tree[callable].kind != PickleKind::Global)
    return fail(ErrorCode::Malformed, "expected a global to call, got a " +
                                          std::string(pickleKindName(tree[callable].kind)));
  // An ordered dictionary is one to us, also for the items that are set on it afterwards.
  bool ordered = tree[callable].text == "collections.OrderedDict" && tree[args].items.empty();
  if (ordered)
    return push(PickleKind::Dict);
  PickleNode *node = push(kind);
  if (node)
    node->items = {callable, args};
  return node;
}

bool PickleReader::build() {
  PickleRef state, target;
  if (!pop(state) || !top(target))
    return false;
  PickleNode &node = tree.nodes[target];
  // Attributes of a dictionary itself, which Python programs may set, mean nothing here.
  if (node.kind == PickleKind::Dict)
    return true;
  if ((node.kind != PickleKind::Object && node.kind != PickleKind::Reduce) ||
      node.items.size() != 2)
    return fail(ErrorCode::Malformed, "expected an object without state to build, got a " +
                                          std::string(pickleKindName(node.kind)));
  node.items.push_back(state);
  return true;
}

bool PickleReader::stepCall(uint8_t opcode) {
  PickleRef id;
  PickleNode *node;
  switch (opcode) {
  case Reduce:
    return call(PickleKind::Reduce, /*keywords=*/false);
  case NewObj:
    return call(PickleKind::Object, /*keywords=*/false);
  case NewObjEx:
    return call(PickleKind::Object, /*keywords=*/true);
  case Build:
    return build();
  default: // BinPersId
    if (!pop(id))
      return false;
    node = push(PickleKind::PersistentId);
    if (node)
      node->items = {id};
    return node;
  }
}

bool PickleReader::stepMemo(uint8_t opcode) {
  uint64_t key = memo.size();
  PickleRef ref;
  switch (opcode) {
  case BinGet:
  case LongBinGet: {
    if (!number(opcode == BinGet ? 1 : 4, key))
      return false;
    auto found = memo.find(key);
    if (found == memo.end())
      return fail(ErrorCode::Malformed, "memo has no entry " + std::to_string(key));
    stack.push_back(found->second);
    return true;
  }
  case BinPut:
  case LongBinPut:
    if (!number(opcode == BinPut ? 1 : 4, key))
      return false;
    break;
  default: // Memoize
    break;
  }
  if (!top(ref))
    return false;
  memo[key] = ref;
  return true;
}

} // namespace jit

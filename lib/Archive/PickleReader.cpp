//===- PickleReader.cpp - the machine behind PickleTree::read -------------===//

#include "PickleReader.h"

#include <bit>

namespace jit {
namespace {

enum Opcode : uint8_t {
  Mark = '(',
  Stop = '.',
  Pop = '0',
  PopMark = '1',
  Dup = '2',
  BinInt = 'J',
  BinInt1 = 'K',
  BinInt2 = 'M',
  NoneValue = 'N',
  BinPersId = 'Q',
  Reduce = 'R',
  BinString = 'T',
  ShortBinString = 'U',
  BinUnicode = 'X',
  Append = 'a',
  Build = 'b',
  Global = 'c',
  DictFromMark = 'd',
  EmptyDict = '}',
  Appends = 'e',
  BinGet = 'h',
  LongBinGet = 'j',
  ListFromMark = 'l',
  EmptyList = ']',
  BinPut = 'q',
  LongBinPut = 'r',
  SetItem = 's',
  TupleFromMark = 't',
  EmptyTuple = ')',
  SetItems = 'u',
  BinFloat = 'G',
  BinBytes = 'B',
  ShortBinBytes = 'C',
  Proto = 0x80,
  NewObj = 0x81,
  Tuple1 = 0x85,
  Tuple2 = 0x86,
  Tuple3 = 0x87,
  NewTrue = 0x88,
  NewFalse = 0x89,
  Long1 = 0x8a,
  Long4 = 0x8b,
  ShortBinUnicode = 0x8c,
  BinUnicode8 = 0x8d,
  BinBytes8 = 0x8e,
  EmptySet = 0x8f,
  AddItems = 0x90,
  FrozenSet = 0x91,
  NewObjEx = 0x92,
  StackGlobal = 0x93,
  Memoize = 0x94,
  Frame = 0x95,
  ByteArray8 = 0x96,
};

constexpr unsigned newestProtocol = 5;

} // namespace

bool PickleReader::fail(ErrorCode code, std::string message) {
  failure = Error{code, std::move(message), tree.memberName + ": offset " + std::to_string(start)};
  return false;
}

bool PickleReader::number(unsigned size, uint64_t &value) {
  if (data.size() - at < size)
    return fail(ErrorCode::Malformed, "pickle is cut short");
  value = 0;
  for (unsigned i = 0; i < size; ++i)
    value |= static_cast<uint64_t>(data[at + i]) << (8 * i);
  at += size;
  return true;
}

bool PickleReader::bytes(uint64_t size, std::string_view &text) {
  if (size > data.size() - at)
    return fail(ErrorCode::Malformed, "pickle is cut short: expected " + std::to_string(size) +
                                          " bytes, got " + std::to_string(data.size() - at));
  text = tree.bytes.text().substr(at, size);
  at += size;
  return true;
}

bool PickleReader::line(std::string_view &text) {
  size_t end = tree.bytes.text().find('\n', at);
  if (end == std::string_view::npos)
    return fail(ErrorCode::Malformed, "pickle is cut short: expected a line");
  text = tree.bytes.text().substr(at, end - at);
  at = end + 1;
  return true;
}

PickleNode *PickleReader::push(PickleKind kind) {
  if (tree.nodes.size() >= limits.maxPickleNodes) {
    fail(ErrorCode::LimitExceeded,
         "pickle has more than " + std::to_string(limits.maxPickleNodes) + " values");
    return nullptr;
  }
  stack.push_back(static_cast<PickleRef>(tree.nodes.size()));
  PickleNode &node = tree.nodes.emplace_back();
  node.kind = kind;
  node.offset = static_cast<uint32_t>(start);
  return &node;
}

bool PickleReader::pushText(PickleKind kind, unsigned sizeBytes) {
  uint64_t size;
  std::string_view text;
  if (!number(sizeBytes, size) || !bytes(size, text))
    return false;
  PickleNode *node = push(kind);
  if (node)
    node->text = text;
  return node;
}

bool PickleReader::pushGlobal(std::string_view module, std::string_view name) {
  PickleNode *node = push(PickleKind::Global);
  if (!node)
    return false;
  node->text = tree.names.emplace_back(std::string(module) + "." + std::string(name));
  return true;
}

/// The topmost value above the last mark.
bool PickleReader::top(PickleRef &ref) {
  if (stack.size() <= (marks.empty() ? 0 : marks.back()))
    return fail(ErrorCode::Malformed, "expected a value on the stack, got none");
  ref = stack.back();
  return true;
}

bool PickleReader::pop(PickleRef &ref) {
  if (!top(ref))
    return false;
  stack.pop_back();
  return true;
}

bool PickleReader::popMark(size_t &begin) {
  if (marks.empty())
    return fail(ErrorCode::Malformed, "expected a mark on the stack, got none");
  begin = marks.back();
  marks.pop_back();
  return true;
}

bool PickleReader::protocol() {
  uint64_t version;
  if (!number(1, version))
    return false;
  if (version > newestProtocol)
    return fail(ErrorCode::Unsupported,
                "expected pickle protocol 2 to 5, got " + std::to_string(version));
  return true;
}

/// Python's integers have any length; ours 64 bits.
bool PickleReader::longInteger(unsigned sizeBytes) {
  uint64_t size;
  std::string_view text;
  if (!number(sizeBytes, size) || !bytes(size, text))
    return false;
  if (size > 8)
    return fail(ErrorCode::Unsupported,
                "expected an integer of at most 8 bytes, got " + std::to_string(size));
  uint64_t value = size && (text.back() & 0x80) ? ~uint64_t(0) : 0;
  for (size_t i = size; i-- > 0;)
    value = value << 8 | static_cast<uint8_t>(text[i]);
  PickleNode *node = push(PickleKind::Int);
  if (node)
    node->integer = static_cast<int64_t>(value);
  return node;
}

bool PickleReader::stepScalar(uint8_t opcode) {
  PickleKind kind = PickleKind::Int;
  uint64_t value = 0;
  switch (opcode) {
  case NoneValue:
    kind = PickleKind::None;
    break;
  case NewTrue:
  case NewFalse:
    kind = PickleKind::Bool;
    break;
  case BinInt:
    if (!number(4, value))
      return false;
    value = static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(value)));
    break;
  case BinInt1:
  case BinInt2:
    if (!number(opcode == BinInt1 ? 1 : 2, value))
      return false;
    break;
  default: // BinFloat, which alone is big-endian
    kind = PickleKind::Double;
    if (!number(8, value))
      return false;
    value = __builtin_bswap64(value);
  }
  PickleNode *node = push(kind);
  if (!node)
    return false;
  if (kind == PickleKind::Bool)
    node->boolean = opcode == NewTrue;
  else if (kind == PickleKind::Double)
    node->number = std::bit_cast<double>(value);
  else
    node->integer = static_cast<int64_t>(value);
  return true;
}

bool PickleReader::stepText(uint8_t opcode) {
  std::string_view module, name;
  switch (opcode) {
  case ShortBinUnicode:
  case ShortBinString:
    return pushText(PickleKind::String, 1);
  case BinUnicode:
  case BinString:
    return pushText(PickleKind::String, 4);
  case BinUnicode8:
    return pushText(PickleKind::String, 8);
  case ShortBinBytes:
    return pushText(PickleKind::Bytes, 1);
  case BinBytes:
    return pushText(PickleKind::Bytes, 4);
  case BinBytes8:
  case ByteArray8:
    return pushText(PickleKind::Bytes, 8);
  case Global:
    return line(module) && line(name) && pushGlobal(module, name);
  default:
    return stackGlobal();
  }
}

bool PickleReader::stackGlobal() {
  PickleRef name, module;
  if (!pop(name) || !pop(module))
    return false;
  if (tree[name].kind != PickleKind::String || tree[module].kind != PickleKind::String)
    return fail(ErrorCode::Malformed, "expected a global's module and name as strings");
  return pushGlobal(tree[module].text, tree[name].text);
}

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
    if (!pop(id) || !(node = push(PickleKind::PersistentId)))
      return false;
    node->items = {id};
    return true;
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

bool PickleReader::step(uint8_t opcode) {
  PickleRef ref;
  size_t begin;
  uint64_t ignored;
  switch (opcode) {
  case Proto:
    return protocol();
  case Frame:
    return number(8, ignored);
  case Stop:
    stopped = true;
    return pop(tree.rootRef);
  case Mark:
    marks.push_back(stack.size());
    return true;
  case Pop:
    // Python allows it to drop a mark as well.
    if (!marks.empty() && marks.back() == stack.size()) {
      marks.pop_back();
      return true;
    }
    return pop(ref);
  case PopMark:
    if (!popMark(begin))
      return false;
    stack.resize(begin);
    return true;
  case Dup:
    if (!top(ref))
      return false;
    stack.push_back(ref);
    return true;
  case NoneValue:
  case NewTrue:
  case NewFalse:
  case BinInt:
  case BinInt1:
  case BinInt2:
  case BinFloat:
    return stepScalar(opcode);
  case Long1:
    return longInteger(1);
  case Long4:
    return longInteger(4);
  case ShortBinUnicode:
  case ShortBinString:
  case BinUnicode:
  case BinString:
  case BinUnicode8:
  case ShortBinBytes:
  case BinBytes:
  case BinBytes8:
  case ByteArray8:
  case Global:
  case StackGlobal:
    return stepText(opcode);
  case EmptyTuple:
  case EmptyList:
  case EmptyDict:
  case EmptySet:
  case Tuple1:
  case Tuple2:
  case Tuple3:
  case TupleFromMark:
  case ListFromMark:
  case DictFromMark:
  case FrozenSet:
  case Append:
  case Appends:
  case SetItem:
  case SetItems:
  case AddItems:
    return stepContainer(opcode);
  case Reduce:
  case NewObj:
  case NewObjEx:
  case Build:
  case BinPersId:
    return stepCall(opcode);
  case BinGet:
  case LongBinGet:
  case BinPut:
  case LongBinPut:
  case Memoize:
    return stepMemo(opcode);
  default:
    return fail(ErrorCode::Malformed, "unknown pickle opcode " + std::to_string(opcode));
  }
}

Result<void> PickleReader::run() {
  while (!stopped) {
    start = at;
    uint64_t opcode;
    if (!number(1, opcode) || !step(static_cast<uint8_t>(opcode)))
      return std::move(*failure);
  }
  return {};
}

} // namespace jit

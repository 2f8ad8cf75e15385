//===- PickleReader.cpp - the machine behind PickleTree::read -------------===//

#include "PickleReader.h"

#include "PickleOpcode.h"

#include <bit>

namespace jit {

using namespace pickle;

static constexpr unsigned newestProtocol = 5;

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
  case Long1:
    return longInteger(1);
  case Long4:
    return longInteger(4);
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

bool PickleReader::stepControl(uint8_t opcode) {
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
  default: // Dup
    if (!top(ref))
      return false;
    stack.push_back(ref);
    return true;
  }
}

bool PickleReader::step(uint8_t opcode) {
  switch (groups[opcode]) {
  case Group::Control:
    return stepControl(opcode);
  case Group::Scalar:
    return stepScalar(opcode);
  case Group::Text:
    return stepText(opcode);
  case Group::Container:
    return stepContainer(opcode);
  case Group::Call:
    return stepCall(opcode);
  case Group::Memo:
    return stepMemo(opcode);
  case Group::Unknown:
    break;
  }
  return fail(ErrorCode::Malformed, "unknown pickle opcode " + std::to_string(opcode));
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

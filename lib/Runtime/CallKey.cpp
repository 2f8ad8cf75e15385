//===- CallKey.cpp - records of a call's values ---------------------------===//
#include "jit/Runtime/CallKey.h"
#include "CallKeyRecords.h"
#include "jit/OutOfMemory.h"

#include <algorithm>
#include <cstring>

using namespace jit;
using namespace jit::runtime;

//===----------------------------------------------------------------------===//
// The run of words
//===----------------------------------------------------------------------===//

bool jit::runtime::operator==(const CallKeyRef &a, const CallKeyRef &b) {
  return a.hash == b.hash && std::ranges::equal(a.words, b.words);
}

/// Both halves of a 128-bit product: each bit of the result depends on all bits of both words.
static uint64_t mix(uint64_t a, uint64_t b) {
  auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

/// Not proof against chosen collisions, which only cost time: keys are compared. Two products at a
/// time, as each takes some cycles.
static uint64_t hashOf(std::span<const uint64_t> words) {
  // Odd numbers with about as many ones as zeros.
  constexpr uint64_t odd[] = {0x9e3779b97f4a7c15, 0xd1342543de82ef95, 0xbf58476d1ce4e5b9};
  uint64_t first = words.size(), second = odd[2];
  auto add = [&](const uint64_t *four) {
    first = mix(four[0] ^ odd[0], four[1] ^ first);
    second = mix(four[2] ^ odd[1], four[3] ^ second);
  };
  size_t whole = words.size() / 4 * 4;
  for (size_t i = 0; i < whole; i += 4)
    add(&words[i]);
  uint64_t rest[4] = {};
  std::ranges::copy(words.subspan(whole), rest);
  add(rest);
  return mix(first ^ odd[0], second ^ odd[1]);
}

CallKeyRef CallKey::ref() const { return {words(), hashOf(words())}; }

void CallKey::grow(size_t added) {
  capacity = std::max(2 * capacity, count + added);
  auto larger = std::make_unique_for_overwrite<uint64_t[]>(capacity);
  std::copy_n(begin, count, larger.get());
  heapWords = std::move(larger);
  begin = heapWords.get();
}

void OpenParts::insertSize(size_t tensor, size_t dim) {
  if (dim >= 64)
    return;
  if (tensor >= dims.size())
    dims.resize(tensor + 1);
  dims[tensor] |= uint64_t(1) << dim;
}

void OpenParts::insertInt(size_t number) {
  if (number >= ints.size())
    ints.resize(number + 1);
  ints[number] = true;
}

OpenParts OpenParts::sizes() const {
  OpenParts made = *this;
  made.ints.clear();
  return made;
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

namespace {

/// Writes records of values that it takes from a stack of containers, so that nesting costs no
/// recursion.
class RecordWriter {
public:
  RecordWriter(std::span<const Value> values, KeyPolicy policy, CallKey &key,
               const OpenParts *open = nullptr)
      : key(key), policy(policy), open(open) {
    stack[0] = {values.data(), values.data() + values.size()};
  }

  void append(Tag tag, uint64_t payload = 0) { key.append(record(tag, payload)); }
  /// The record of a value, its elements' included. The first guesses what it is.
  void appendTensor(const Value &value);
  void appendAny(const Value &value);

  /// The next element of the innermost container.
  const Value &take() { return *stack[depth].next++; }
  bool atEnd() const { return stack[depth].next == stack[depth].end; }
  void leave() { --depth; }

  /// Takes and records the next element if it is None.
  bool takeNone();
  /// Records the next element. True if it is such a container: then its elements are to come.
  bool enterTuple(size_t count);
  bool enterList();

  /// Fails where a container was too deep; the records are good for nothing then.
  Result<void> finish() const;

private:
  struct Elements {
    const Value *next, *end;
  };

  void appendTensor(const Tensor &tensor);
  void appendSizeClasses(uint64_t header, const std::vector<int64_t> &extents);
  void appendInt(int64_t value);
  void appendText(const std::string &text);
  void appendOne(const Value &value);
  void enter(Tag tag, const std::vector<Value> &items);

  CallKey &key;
  KeyPolicy policy;
  const OpenParts *open;        // null: all
  size_t tensors = 0, ints = 0; // so far
  bool tooDeep = false;
  unsigned depth = 0;
  Elements stack[maxArgumentDepth + 1];
};

} // namespace

void RecordWriter::appendTensor(const Tensor &tensor) {
  if (!tensor.defined())
    return append(Tag::UndefinedTensor);
  const std::vector<int64_t> &extents = tensor.sizes();
  const CallerLayout *layout = policy.strides ? tensor.callerLayout() : nullptr;
  bool isPart = layout && layout->whole;
  bool symbolic = policy.sizes == SizePolicy::Symbolic && !layout;
  ++tensors;
  uint64_t header = record(Tag::Tensor) | uint64_t(tensor.requiresGrad()) << gradBit |
                    uint64_t(symbolic) << symbolicBit | uint64_t(layout != nullptr) << stridesBit |
                    uint64_t(isPart) << partBit | uint64_t(uint8_t(tensor.type())) << typeShift |
                    uint64_t(extents.size()) << rankShift;
  if (!symbolic) {
    uint64_t *place = key.extend(1 + extents.size() * (layout ? 2 : 1) + (isPart ? 3 : 0));
    *place++ = header;
    auto append = [&](int64_t word) { *place++ = static_cast<uint64_t>(word); };
    std::ranges::for_each(extents, append);
    if (layout)
      std::ranges::for_each(layout->strides, append);
    if (isPart) {
      append(layout->group);
      append(layout->offset);
      append(layout->whole->numElements());
    }
    return;
  }
  appendSizeClasses(header, extents);
}

void RecordWriter::appendSizeClasses(uint64_t header, const std::vector<int64_t> &extents) {
  auto classOf = [&](size_t dim) {
    bool isOwn = extents[dim] > 1 && open && !open->hasSize(tensors - 1, dim);
    return isOwn ? ownClass : std::min(extents[dim], openClass);
  };
  size_t words = (extents.size() + sizeClassesPerWord - 1) / sizeClassesPerWord;
  uint64_t *place = key.extend(1 + words);
  *place = header;
  for (size_t dim = 0; dim < extents.size(); ++dim) {
    if (dim % sizeClassesPerWord == 0)
      *++place = 0;
    *place |= static_cast<uint64_t>(classOf(dim)) << dim % sizeClassesPerWord * sizeClassBits;
  }
  for (size_t dim = 0; open && dim < extents.size(); ++dim)
    if (classOf(dim) == ownClass)
      key.append(static_cast<uint64_t>(extents[dim]));
}

void RecordWriter::appendInt(int64_t value) {
  if (open && open->hasInt(ints++))
    return append(Tag::OpenInt);
  auto shifted = static_cast<int64_t>(static_cast<uint64_t>(value) << tagBits);
  if (shifted >> tagBits == value)
    return append(Tag::Int, static_cast<uint64_t>(value));
  append(Tag::WideInt);
  key.append(static_cast<uint64_t>(value));
}

void RecordWriter::appendText(const std::string &text) {
  append(Tag::Str, text.size());
  size_t words = (text.size() + 7) / 8;
  if (!words)
    return;
  uint64_t *place = key.extend(words);
  place[words - 1] = 0;
  std::memcpy(place, text.data(), text.size());
}

void RecordWriter::enter(Tag tag, const std::vector<Value> &items) {
  append(tag, items.size());
  if (depth == maxArgumentDepth)
    tooDeep = true;
  else
    stack[++depth] = {items.data(), items.data() + items.size()};
}

/// The record of a value; the elements of a container are to come.
void RecordWriter::appendOne(const Value &value) {
  if (auto *tensor = value.getIf<Tensor>())
    appendTensor(*tensor);
  else if (auto *number = value.getIf<int64_t>())
    appendInt(*number);
  else if (value.getIf<double>())
    append(Tag::Float); // its value stays an argument of the compiled code
  else if (auto *flag = value.getIf<bool>())
    append(Tag::Bool, *flag);
  else if (auto *text = value.getIf<std::string>())
    appendText(*text);
  else if (auto *list = value.getIf<List>())
    enter(value.meaning() == Value::Meaning::Dict ? Tag::Dict : Tag::List, list->items);
  else if (auto *tuple = value.getIf<Tuple>())
    enter(Tag::Tuple, tuple->items);
  else
    append(Tag::None);
}

void RecordWriter::appendAny(const Value &value) {
  unsigned base = depth;
  appendOne(value);
  while (depth > base)
    if (atEnd())
      leave();
    else
      appendOne(take());
}

void RecordWriter::appendTensor(const Value &value) {
  if (auto *tensor = value.getIf<Tensor>())
    appendTensor(*tensor);
  else
    appendAny(value);
}

bool RecordWriter::takeNone() {
  if (!stack[depth].next->isNone())
    return false;
  append(Tag::None);
  take();
  return true;
}

bool RecordWriter::enterTuple(size_t count) {
  const Value &value = take();
  auto *tuple = value.getIf<Tuple>();
  bool fits = tuple && tuple->items.size() == count;
  fits ? enter(Tag::Tuple, tuple->items) : appendAny(value);
  return fits;
}

bool RecordWriter::enterList() {
  const Value &value = take();
  auto *list = value.getIf<List>();
  bool some = list && !list->items.empty() && value.meaning() != Value::Meaning::Dict;
  some ? enter(Tag::List, list->items) : appendAny(value);
  return some;
}

Result<void> RecordWriter::finish() const {
  if (tooDeep)
    return Error{ErrorCode::LimitExceeded, "expected an argument of at most " +
                                               std::to_string(maxArgumentDepth) +
                                               " nested containers, got more"};
  return {};
}

Result<void> jit::runtime::appendRecord(const Value &value, KeyPolicy policy, CallKey &key) {
  return orOutOfMemory([&]() -> Result<void> {
    RecordWriter writer({}, policy, key);
    writer.appendAny(value);
    return writer.finish();
  });
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

Result<CallKeyEncoder> CallKeyEncoder::create(Signature signature) {
  return orOutOfMemory([&]() -> Result<CallKeyEncoder> {
    CallKeyEncoder encoder(std::move(signature));
    for (const ArgumentType &type : encoder.signature.arguments) {
      if (auto done = encoder.addType(type, 0); !done)
        return done.takeError();
      encoder.ends.push_back(static_cast<uint32_t>(encoder.program.size()));
    }
    return encoder;
  });
}

Result<void> CallKeyEncoder::addType(const ArgumentType &type, unsigned depth) {
  using Kind = ArgumentType::Kind;
  auto leaf = [&](Op op) -> Result<void> { return program.push_back({op}), Result<void>(); };
  switch (type.kind) {
  case Kind::Tensor:
    return leaf(Op::Tensor);
  case Kind::Scalar:
  case Kind::Any:
    return leaf(Op::Any);
  case Kind::Optional:
    return addElements(type, Op::Optional, depth);
  case Kind::Tuple:
    return addElements(type, Op::Tuple, depth);
  case Kind::List:
    return addElements(type, Op::List, depth);
  }
  return Error{ErrorCode::Internal, "expected a kind of argument type"};
}

Result<void> CallKeyEncoder::addElements(const ArgumentType &type, Op op, unsigned depth) {
  auto refused = [&](ErrorCode code, const std::string &what) {
    return Error{code, "expected " + what + " in the signature of '" + signature.name + "'"};
  };
  if (depth == maxArgumentDepth)
    return refused(ErrorCode::LimitExceeded,
                   "types that nest at most " + std::to_string(maxArgumentDepth) + " deep");
  if (op != Op::Tuple && type.elements.size() != 1)
    return refused(ErrorCode::InvalidArgument, "one element type of each Optional and list");
  size_t start = program.size();
  program.push_back({op, static_cast<uint32_t>(type.elements.size())});
  for (const ArgumentType &element : type.elements)
    if (auto done = addType(element, depth + 1); !done)
      return done;
  if (op != Op::Optional)
    program.push_back({Op::End, 0, static_cast<uint32_t>(start + 1)});
  program[start].target = static_cast<uint32_t>(program.size());
  return {};
}

Result<void> CallKeyEncoder::encode(std::span<const Value> args, CallContext context, CallKey &key,
                                    const OpenParts *open) const {
  return orOutOfMemory([&]() -> Result<void> {
    if (args.size() > ends.size())
      return Error{ErrorCode::InvalidArgument, "expected at most " + std::to_string(ends.size()) +
                                                   " arguments for '" + signature.name + "', got " +
                                                   std::to_string(args.size())};
    key.clear();
    RecordWriter writer(args, signature.policy, key, open);
    writer.append(Tag::Call, args.size() | uint64_t(context.entry) << 28);
    writer.append(Tag::State, context.state);
    size_t end = args.empty() ? 0 : ends[args.size() - 1];
    for (size_t pc = 0; pc < end;) {
      const Instruction &at = program[pc++];
      switch (at.op) {
      case Op::Tensor:
        writer.appendTensor(writer.take());
        break;
      case Op::Any:
        writer.appendAny(writer.take());
        break;
      case Op::Optional:
        if (writer.takeNone())
          pc = at.target;
        break;
      case Op::Tuple:
        if (!writer.enterTuple(at.count))
          pc = at.target;
        break;
      case Op::List:
        if (!writer.enterList())
          pc = at.target;
        break;
      case Op::End:
        if (writer.atEnd())
          writer.leave();
        else
          pc = at.target;
        break;
      }
    }
    return writer.finish();
  });
}

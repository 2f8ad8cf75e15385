//===- ReadCallKey.cpp - a call's key as its spec -------------------------===//
#include "CallKeyRecords.h"
#include "jit/Runtime/CallKey.h"

#include <algorithm>
#include <cstring>

using namespace jit;
using namespace jit::runtime;

namespace {

class RecordReader {
public:
  explicit RecordReader(std::span<const uint64_t> words) : rest(words) {}

  bool atEnd() const { return rest.empty(); }
  /// Leaves out what a call says beside its values.
  bool skipContext();
  ValueSpec read();

private:
  uint64_t take();
  std::vector<int64_t> takeInts(size_t count);

  ValueSpec readTensor(uint64_t header);
  void readSizeClasses(ValueSpec &spec, size_t rank);
  ValueSpec readElements(ValueSpec::Kind kind, size_t count);
  std::string readText(size_t length);

  std::span<const uint64_t> rest;
  unsigned names = 0; // of sizes
};

} // namespace

uint64_t RecordReader::take() {
  uint64_t word = rest.front();
  rest = rest.subspan(1);
  return word;
}

std::vector<int64_t> RecordReader::takeInts(size_t count) {
  std::vector<int64_t> ints(rest.begin(), rest.begin() + ptrdiff_t(count));
  rest = rest.subspan(count);
  return ints;
}

bool RecordReader::skipContext() {
  bool isContext = tagOf(rest.front()) == Tag::Call || tagOf(rest.front()) == Tag::State;
  rest = rest.subspan(isContext);
  return isContext;
}

void RecordReader::readSizeClasses(ValueSpec &spec, size_t rank) {
  uint64_t classes = 0;
  for (size_t dim = 0; dim < rank; ++dim) {
    classes = dim % sizeClassesPerWord ? classes >> sizeClassBits : take();
    spec.sizes.push_back(static_cast<int64_t>(classes & 3));
  }
  bool hasNames = std::ranges::count(spec.sizes, openClass) != 0;
  for (int64_t &size : spec.sizes) {
    bool isOpen = size == openClass;
    if (hasNames)
      spec.sizeNames.push_back(isOpen ? "s" + std::to_string(names++) : "");
    size = isOpen ? ValueSpec::openSize : size == ownClass ? static_cast<int64_t>(take()) : size;
  }
}

ValueSpec RecordReader::readTensor(uint64_t header) {
  auto says = [&](unsigned bit) { return (header >> bit & 1) != 0; };
  auto rank = static_cast<size_t>(header >> rankShift);
  ValueSpec spec{.kind = ValueSpec::Kind::Tensor,
                 .dtype = static_cast<ScalarType>(header >> typeShift & 0xff),
                 .requiresGrad = says(gradBit)};
  if (says(symbolicBit))
    readSizeClasses(spec, rank);
  else
    spec.sizes = takeInts(rank);
  if (says(stridesBit))
    spec.strides = takeInts(rank);
  if (says(partBit)) {
    auto part = takeInts(3);
    spec.part = {.memory = part[0], .offset = part[1], .extent = part[2]};
  }
  return spec;
}

ValueSpec RecordReader::readElements(ValueSpec::Kind kind, size_t count) {
  ValueSpec spec{.kind = kind};
  for (; count > 0; --count)
    spec.elements.push_back(read());
  return spec;
}

std::string RecordReader::readText(size_t length) {
  size_t words = (length + 7) / 8;
  std::string text(length, '\0');
  std::memcpy(text.data(), rest.data(), length);
  rest = rest.subspan(words);
  return text;
}

ValueSpec RecordReader::read() {
  using Kind = ValueSpec::Kind;
  uint64_t word = take();
  switch (tagOf(word)) {
  case Tag::Tensor:
    return readTensor(word);
  case Tag::UndefinedTensor:
    return {.kind = Kind::Undefined};
  case Tag::Int:
    return {.kind = Kind::Int, .intValue = static_cast<int64_t>(word) >> tagBits};
  case Tag::WideInt:
    return {.kind = Kind::Int, .intValue = static_cast<int64_t>(take())};
  case Tag::OpenInt:
    return {.kind = Kind::Int, .isOpen = true};
  case Tag::Float:
    return {.kind = Kind::Float, .isOpen = true};
  case Tag::Bool:
    return {.kind = Kind::Bool, .boolValue = payloadOf(word) != 0};
  case Tag::Str:
    return {.kind = Kind::Str, .text = readText(payloadOf(word))};
  case Tag::List:
    return readElements(Kind::List, payloadOf(word));
  case Tag::Tuple:
    return readElements(Kind::Tuple, payloadOf(word));
  case Tag::Dict: {
    ValueSpec dict = readElements(Kind::List, payloadOf(word));
    dict.isDict = true;
    return dict;
  }
  case Tag::None:
  case Tag::Call:
  case Tag::State:
    break;
  }
  return {};
}

std::vector<ValueSpec> jit::runtime::readRecords(std::span<const uint64_t> words) {
  std::vector<ValueSpec> specs;
  for (RecordReader reader(words); !reader.atEnd();)
    if (!reader.skipContext())
      specs.push_back(reader.read());
  return specs;
}

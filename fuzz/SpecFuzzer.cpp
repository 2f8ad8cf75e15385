//===- SpecFuzzer.cpp - specs of calls, both ways -------------------------===//
//
// The input is the text of a spec, which has to be printed as it is read; and the bytes that a
// value is made of, whose key has to say what its text says.
//
//===----------------------------------------------------------------------===//

#include "jit/Runtime/CallKey.h"

#include <cstdio>
#include <cstdlib>

using namespace jit;
using namespace jit::runtime;

namespace {

/// Takes values from bytes; where there are no more, zeros.
class ValueMaker {
public:
  explicit ValueMaker(std::span<const uint8_t> bytes) : bytes(bytes) {}

  Value value(int depth = 0) {
    switch (number(depth < 8 ? 8 : 6)) {
    case 0:
      return Value();
    case 1:
      return Value(number(2) == 1);
    case 2:
      return Value(static_cast<int64_t>(number(256)) << number(64));
    case 3:
      return Value(double(number(256)) / 16);
    case 4:
      return Value(text());
    case 5:
      return tensor();
    case 6:
      return Value(List{items(depth)});
    default:
      return Value(Tuple{items(depth)});
    }
  }

private:
  size_t number(size_t below) {
    if (bytes.empty())
      return 0;
    size_t taken = bytes.front() % below;
    bytes = bytes.subspan(1);
    return taken;
  }

  std::string text() {
    std::string result;
    for (size_t left = number(16); left > 0; --left)
      result += static_cast<char>(number(256));
    return result;
  }

  std::vector<Value> items(int depth) {
    std::vector<Value> result;
    for (size_t left = number(4); left > 0; --left)
      result.push_back(value(depth + 1));
    return result;
  }

  Value tensor() {
    static constexpr ScalarType types[] = {ScalarType::Byte,         ScalarType::Long,
                                           ScalarType::Float,        ScalarType::Bool,
                                           ScalarType::ComplexFloat, ScalarType::BFloat16};
    ScalarType type = types[number(std::size(types))];
    std::vector<int64_t> sizes;
    for (size_t left = number(4); left > 0; --left)
      sizes.push_back(static_cast<int64_t>(number(5)));
    Result<Tensor> tensor = Tensor::allocate(type, std::move(sizes));
    if (!tensor)
      std::abort();
    tensor->setRequiresGrad(number(2) == 1);
    return Value(std::move(*tensor));
  }

  std::span<const uint8_t> bytes;
};

} // namespace

/// A spec that was read, or comes from a key, is the one that its text says.
static void checkText(const CallSpec &spec) {
  std::string text = spec.str();
  Result<CallSpec> again = CallSpec::parse(text);
  if (again && *again == spec)
    return;
  std::fprintf(stderr, "%s: %s\n", text.c_str(),
               again ? again->str().c_str() : again.error().str().c_str());
  std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(data), size);
  if (Result<CallSpec> spec = CallSpec::parse(text))
    checkText(*spec);
  if (Result<ValueSpec> input = parseInput(text))
    (void)input->str();
  for (SizePolicy sizes : {SizePolicy::Static, SizePolicy::Symbolic}) {
    CallKey key;
    if (appendRecord(ValueMaker({data, size}).value(), {.sizes = sizes, .strides = true}, key))
      checkText({readRecords(key.words())});
  }
  return 0;
}

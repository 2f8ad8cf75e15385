//===- InputValues.cpp - values written on the command line ---------------===//

#include "InputValues.h"
#include "jit/CallSpec/CallSpec.h"
#include "jit/NarrowFloats.h"
#include "jit/Runtime/Npy.h"
#include "llvm/ADT/STLExtras.h"

#include <complex>

namespace jit {
using namespace runtime;
namespace {

class ValueMaker {
public:
  explicit ValueMaker(std::mt19937_64 &random) : random(random) {}

  Result<Value> make(const ValueSpec &spec) {
    using Kind = ValueSpec::Kind;
    if (spec.isOpen)
      return expectedValue(spec);
    switch (spec.kind) {
    case Kind::None:
      return Value();
    case Kind::Int:
      return Value(spec.intValue);
    case Kind::Float:
      return Value(spec.floatValue);
    case Kind::Bool:
      return Value(spec.boolValue);
    case Kind::Str:
      return Value(spec.text);
    case Kind::Undefined:
      return Value(Tensor());
    case Kind::Tensor:
      return makeTensor(spec);
    case Kind::File:
      return marked(readNpy(spec.text), spec);
    case Kind::Tuple:
      return makeContainer<Tuple>(spec);
    case Kind::List:
      return makeList(spec);
    case Kind::Default:
      break;
    }
    return expectedValue(spec);
  }

private:
  Result<Value> makeList(const ValueSpec &spec) {
    auto list = makeContainer<List>(spec);
    return list && spec.isDict ? Result<Value>(std::move(*list).as(Value::Meaning::Dict)) : list;
  }

  static Error expectedValue(const ValueSpec &spec) {
    return {ErrorCode::InvalidArgument,
            "expected a value such as @x.npy, f32[1,3,224,224], 16000, 1.5, true, none, [1,2] or "
            "(A, B), got '" +
                spec.str() + "'"};
  }

  static Result<Value> marked(Result<Tensor> tensor, const ValueSpec &spec) {
    if (!tensor)
      return tensor.takeError();
    tensor->setRequiresGrad(spec.requiresGrad);
    return Value(std::move(*tensor));
  }

  template <typename Container> Result<Value> makeContainer(const ValueSpec &spec) {
    Container made;
    for (const ValueSpec &element : spec.elements) {
      auto item = make(element);
      if (!item)
        return item;
      made.items.push_back(std::move(*item));
    }
    return Value(std::move(made));
  }

  /// A row-major one of the host's with random elements.
  Result<Value> makeTensor(const ValueSpec &spec) {
    bool isKnown = llvm::none_of(spec.sizes, [](int64_t size) { return size < 0; });
    if (!isKnown || !spec.strides.empty() || spec.part || spec.device != "cpu")
      return expectedValue(spec);
    auto tensor = Tensor::allocate(spec.dtype, spec.sizes);
    if (tensor)
      if (auto done = fill(*tensor); !done)
        return done.takeError();
    return marked(std::move(tensor), spec);
  }

  template <typename T, typename Draw> void fillWith(Tensor &tensor, Draw draw) {
    T *elements = tensor.mutableAs<T>();
    for (int64_t i = 0; i < tensor.numElements(); ++i)
      elements[i] = static_cast<T>(draw(random));
  }

  Result<void> fill(Tensor &tensor) {
    std::normal_distribution<double> normal;
    std::uniform_int_distribution<int> digits(0, 9), coin(0, 1);
    auto complex = [&](auto &source) {
      double real = normal(source);
      return std::complex<double>(real, normal(source));
    };
    if (const llvm::fltSemantics *format = narrowFormatOf(tensor.type())) {
      auto *bytes = static_cast<char *>(tensor.mutableData());
      for (int64_t i = 0; i < tensor.numElements(); ++i, bytes += elementSize(tensor.type()))
        writeNarrow(*format, normal(random), bytes);
      return {};
    }
    switch (tensor.type()) {
    case ScalarType::Float:
      fillWith<float>(tensor, normal);
      return {};
    case ScalarType::Double:
      fillWith<double>(tensor, normal);
      return {};
    case ScalarType::ComplexFloat:
      fillWith<std::complex<float>>(tensor, complex);
      return {};
    case ScalarType::ComplexDouble:
      fillWith<std::complex<double>>(tensor, complex);
      return {};
    case ScalarType::Byte:
    case ScalarType::Char:
      fillWith<int8_t>(tensor, digits);
      return {};
    case ScalarType::Short:
    case ScalarType::UInt16:
      fillWith<int16_t>(tensor, digits);
      return {};
    case ScalarType::Int:
    case ScalarType::UInt32:
      fillWith<int32_t>(tensor, digits);
      return {};
    case ScalarType::Long:
    case ScalarType::UInt64:
      fillWith<int64_t>(tensor, digits);
      return {};
    case ScalarType::Bool:
      fillWith<uint8_t>(tensor, coin);
      return {};
    default:
      return Error{ErrorCode::Unsupported,
                   "expected random input of a floating type, bool or an integer, got " +
                       std::string(shortName(tensor.type())) + "; give a file"};
    }
  }

  std::mt19937_64 &random;
};

} // namespace

Result<Value> makeInput(std::string_view text, std::mt19937_64 &random) {
  auto spec = parseInput(text);
  if (!spec)
    return spec.takeError();
  return ValueMaker(random).make(*spec);
}

Result<std::vector<Value>> makeInputs(const std::vector<std::string> &texts, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Value> values;
  for (const std::string &text : texts) {
    auto value = makeInput(text, random);
    if (!value) {
      Error error = value.takeError();
      error.where = "input '" + text + "'" + (error.where.empty() ? "" : ": " + error.where);
      return error;
    }
    values.push_back(std::move(*value));
  }
  return values;
}

} // namespace jit

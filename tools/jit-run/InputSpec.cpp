//===- InputSpec.cpp - values written on the command line -----------------===//

#include "InputSpec.h"
#include "jit/QuotedText.h"
#include "jit/Runtime/Npy.h"
#include "jit/TensorLimits.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringRef.h"

#include <complex>

namespace jit {
using namespace runtime;
namespace {

/// The nearest number of a narrower format, as its bits.
uint16_t bits(double number, const llvm::fltSemantics &format) {
  llvm::APFloat narrow(number);
  bool lost;
  narrow.convert(format, llvm::APFloat::rmNearestTiesToEven, &lost);
  return static_cast<uint16_t>(narrow.bitcastToAPInt().getZExtValue());
}

class Parser {
public:
  Parser(llvm::StringRef text, std::mt19937_64 &random) : text(text), rest(text), random(random) {}

  Result<Value> parseAll() {
    auto value = parseOne(0);
    if (value && !rest.trim().empty())
      return expected("the end");
    return value;
  }

private:
  Error expected(const std::string &what) {
    return {ErrorCode::InvalidArgument,
            "expected " + what + " at character " + std::to_string(text.size() - rest.size())};
  }

  bool consume(llvm::StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }

  Result<Value> parseOne(int depth) {
    if (depth > 64)
      return expected("at most 64 nested lists");
    if (consume("@"))
      return parseFile();
    if (consume("\""))
      return parseText();
    if (consume("["))
      return parseItems(depth, "]", false);
    if (consume("("))
      return parseItems(depth, ")", true);
    rest = rest.ltrim();
    llvm::StringRef word =
        rest.take_until([](char c) { return llvm::StringRef("[,]) :").contains(c); });
    rest = rest.drop_front(word.size());
    return parseWord(word);
  }

  Result<Value> parseItems(int depth, llvm::StringRef close, bool isTuple) {
    std::vector<Value> items;
    while (!consume(close)) {
      if (!items.empty() && !consume(","))
        return expected("',' or '" + close.str() + "'");
      if (!items.empty() && consume(close))
        break;
      auto item = parseOne(depth + 1);
      if (!item)
        return item;
      items.push_back(std::move(*item));
    }
    return isTuple ? Value(Tuple{std::move(items)}) : Value(List{std::move(items)});
  }

  Result<Value> parseFile() {
    llvm::StringRef path = rest.take_until([](char c) { return c == ',' || c == ']' || c == ')'; });
    rest = rest.drop_front(path.size());
    bool requiresGrad = path.consume_back(":grad");
    auto tensor = readNpy(path.str());
    if (!tensor)
      return tensor.takeError();
    tensor->setRequiresGrad(requiresGrad);
    return Value(std::move(*tensor));
  }

  Result<Value> parseText() {
    std::string_view after = rest;
    std::optional<std::string> body = takeQuoted(after);
    if (!body)
      return expected(
          "a closing '\"', and \\\", \\\\ or \\xHH for what a string cannot hold as it is");
    rest = after;
    return Value(std::move(*body));
  }

  Result<Value> parseWord(llvm::StringRef word) {
    if (word == "none" || word == "None")
      return Value();
    for (bool flag : {true, false})
      if (word.equals_insensitive(flag ? "true" : "false"))
        return Value(flag);
    int64_t integer;
    if (!word.getAsInteger(10, integer))
      return Value(integer);
    double number;
    if (!word.getAsDouble(number))
      return Value(number);
    return parseRandom(word);
  }

  /// "f32[2,3]": random; "f32[]" is a tensor of rank 0.
  Result<Value> parseRandom(llvm::StringRef word) {
    auto type = scalarTypeFromShortName({word.data(), word.size()});
    if (!type || !consume("["))
      return expected(
          "a value such as @x.npy, f32[1,3,224,224], 16000, 1.5, true, none, [1,2] or (A, B)");
    auto sizes = parseSizes();
    if (!sizes)
      return sizes.takeError();
    auto tensor = Tensor::allocate(*type, std::move(*sizes));
    if (!tensor)
      return tensor.takeError();
    if (auto done = fill(*tensor); !done)
      return done.takeError();
    tensor->setRequiresGrad(consume(":grad"));
    return Value(std::move(*tensor));
  }

  Result<std::vector<int64_t>> parseSizes() {
    std::vector<int64_t> sizes;
    while (!consume("]")) {
      if (!sizes.empty() && !consume(","))
        return expected("',' or ']'");
      rest = rest.ltrim();
      int64_t size;
      if (rest.consumeInteger(10, size) || size < 0)
        return expected("a size");
      if (sizes.size() == maxTensorRank)
        return expected("at most " + std::to_string(maxTensorRank) + " sizes");
      sizes.push_back(size);
    }
    return sizes;
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
    case ScalarType::Half:
      fillWith<uint16_t>(
          tensor, [&](auto &source) { return bits(normal(source), llvm::APFloat::IEEEhalf()); });
      return {};
    case ScalarType::BFloat16:
      fillWith<uint16_t>(
          tensor, [&](auto &source) { return bits(normal(source), llvm::APFloat::BFloat()); });
      return {};
    case ScalarType::Byte:
    case ScalarType::Char:
      fillWith<int8_t>(tensor, digits);
      return {};
    case ScalarType::Short:
      fillWith<int16_t>(tensor, digits);
      return {};
    case ScalarType::Int:
      fillWith<int32_t>(tensor, digits);
      return {};
    case ScalarType::Long:
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

  llvm::StringRef text, rest;
  std::mt19937_64 &random;
};

} // namespace

Result<Value> parseInput(std::string_view text, std::mt19937_64 &random) {
  return Parser(llvm::StringRef(text.data(), text.size()), random).parseAll();
}

} // namespace jit

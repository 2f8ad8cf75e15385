//===- ArgSpec.cpp - the text form of a call's spec -----------------------===//

#include "jit/Specialize/ArgSpec.h"
#include "jit/QuotedText.h"
#include "jit/TensorLimits.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

namespace jit {
namespace {

/// Recursive descent over the grammar in ArgSpec.h, its depth bounded.
class Parser {
public:
  explicit Parser(llvm::StringRef text) : rest(text), length(text.size()) {}

  llvm::Expected<std::vector<ArgSpec>> parseAll() {
    auto specs = parseList("");
    if (specs && !rest.empty())
      return expected("',' or the end");
    return specs;
  }

private:
  static constexpr int maxDepth = 64;

  llvm::Error expected(const llvm::Twine &what) {
    return llvm::createStringError(
        "expected " + what + " at character " + llvm::Twine(length - rest.size()) +
        " of the argument spec" +
        (rest.empty() ? llvm::Twine() : ", got '" + rest.take_front(12) + "'"));
  }

  bool consume(llvm::StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }

  /// Specs up to `close`, which is consumed; an empty `close` is the end of the text.
  llvm::Expected<std::vector<ArgSpec>> parseList(llvm::StringRef close) {
    std::vector<ArgSpec> specs;
    auto atEnd = [&] { return close.empty() ? rest.ltrim().empty() : consume(close); };
    if (atEnd())
      return specs;
    do {
      auto spec = parseOne();
      if (!spec)
        return spec.takeError();
      specs.push_back(std::move(*spec));
      if (atEnd())
        return specs;
    } while (consume(","));
    return expected("',' or '" + close + "'");
  }

  llvm::Expected<ArgSpec> parseOne() {
    using Kind = ArgSpec::Kind;
    for (auto [open, close, kind] :
         {std::tuple("(", ")", Kind::Tuple), std::tuple("[", "]", Kind::List)})
      if (consume(open))
        return parseElements(close, kind);
    for (auto [word, kind] :
         {std::pair("none", Kind::None), std::pair("default", Kind::Default),
          std::pair("undef", Kind::Undefined), std::pair("?int", Kind::AnyInt),
          std::pair("?float", Kind::AnyFloat), std::pair("?bool", Kind::AnyBool)})
      if (consume(word))
        return ArgSpec{.kind = kind};
    for (bool value : {true, false})
      if (consume(value ? "true" : "false"))
        return ArgSpec{.kind = Kind::Bool, .intValue = value};
    if (consume("\""))
      return parseString();
    llvm::StringRef word = rest.take_while(
        [](char c) { return llvm::isAlnum(c) || c == '.' || c == '-' || c == '+'; });
    if (auto dtype = scalarTypeFromShortName(std::string_view(word.data(), word.size())))
      return parseTensor(*dtype, word.size());
    return parseNumber(word);
  }

  llvm::Expected<ArgSpec> parseElements(llvm::StringRef close, ArgSpec::Kind kind) {
    if (++depth > maxDepth)
      return expected("at most " + llvm::Twine(maxDepth) + " nested containers");
    auto elements = parseList(close);
    --depth;
    if (!elements)
      return elements.takeError();
    return ArgSpec{.kind = kind, .elements = std::move(*elements)};
  }

  llvm::Expected<ArgSpec> parseString() {
    std::string_view after = rest;
    std::optional<std::string> text = takeQuoted(after);
    if (!text)
      return expected(
          "a closing '\"', and \\\", \\\\ or \\xHH for what a string cannot hold as it is");
    rest = after;
    return ArgSpec{.kind = ArgSpec::Kind::Str, .text = std::move(*text)};
  }

  /// A letter and what letters and digits follow it; empty where there is none.
  llvm::StringRef takeName() {
    llvm::StringRef name = rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (name.empty() || !llvm::isAlpha(name.front()))
      return {};
    rest = rest.drop_front(name.size());
    return name;
  }

  llvm::Expected<ArgSpec> parseTensor(ScalarType dtype, size_t nameLength) {
    rest = rest.drop_front(nameLength);
    ArgSpec spec{.kind = ArgSpec::Kind::Tensor, .dtype = dtype};
    if (!consume("["))
      return expected("'[' and the sizes");
    while (!consume("]")) {
      if (!spec.sizes.empty() && !consume(","))
        return expected("',' or ']'");
      rest = rest.ltrim();
      int64_t size = mlir::ShapedType::kDynamic;
      llvm::StringRef name = takeName();
      if (name.empty() && !rest.consume_front("?") && (rest.consumeInteger(10, size) || size < 0))
        return expected("a size, a name or '?'");
      if (spec.sizes.size() == maxTensorRank)
        return expected("at most " + llvm::Twine(maxTensorRank) + " sizes");
      spec.sizes.push_back(size);
      spec.sizeNames.push_back(name.str());
    }
    if (consume("@")) {
      spec.device = takeName().str();
      if (spec.device.empty())
        return expected("a device such as cuda or cuda:0");
      int64_t index;
      llvm::StringRef before = rest;
      if (rest.consume_front(":") && !rest.consumeInteger(10, index))
        spec.device += ":" + std::to_string(index);
      else
        rest = before;
    }
    if (consume(":strides["))
      if (auto error = parseInts(spec.strides))
        return std::move(error);
    if (!spec.strides.empty() && spec.strides.size() != spec.sizes.size())
      return expected("a stride for each size");
    if (consume(":part["))
      if (auto error = parsePart(spec))
        return std::move(error);
    spec.requiresGrad = consume(":grad");
    return spec;
  }

  llvm::Error parseInts(llvm::SmallVectorImpl<int64_t> &into) {
    while (!consume("]")) {
      if (!into.empty() && !consume(","))
        return expected("',' or ']'");
      rest = rest.ltrim();
      if (rest.consume_front("?"))
        into.push_back(mlir::ShapedType::kDynamic);
      else if (rest.consumeInteger(10, into.emplace_back()))
        return expected("an int or '?'");
    }
    return llvm::Error::success();
  }

  llvm::Error parsePart(ArgSpec &spec) {
    llvm::SmallVector<int64_t> ints;
    if (auto error = parseInts(ints))
      return error;
    if (ints.size() != 3 || spec.strides.size() != spec.sizes.size() || !isInside(spec, ints))
      return expected("a memory's number, an offset and an extent that hold the tensor");
    spec.part = ArgSpec::Part{ints[0], ints[1], ints[2]};
    return llvm::Error::success();
  }

  /// Whether all elements lie in the memory that `ints` tell of.
  static bool isInside(const ArgSpec &spec, llvm::ArrayRef<int64_t> ints) {
    int64_t last = ints[1];
    for (auto [size, stride] : llvm::zip(spec.sizes, spec.strides)) {
      int64_t reach;
      if (size <= 0 || stride < 0 || llvm::MulOverflow(size - 1, stride, reach) ||
          llvm::AddOverflow(last, reach, last))
        return false;
    }
    return ints[1] >= 0 && last < ints[2];
  }

  llvm::Expected<ArgSpec> parseNumber(llvm::StringRef word) {
    ArgSpec spec{.kind = ArgSpec::Kind::Int};
    if (!word.empty() && word.getAsInteger(10, spec.intValue)) {
      spec.kind = ArgSpec::Kind::Float;
      if (word.getAsDouble(spec.floatValue))
        return expected("a spec such as f32[1,512], 16000, none or (f32[2], true)");
    } else if (word.empty()) {
      return expected("a spec");
    }
    rest = rest.drop_front(word.size());
    return spec;
  }

  llvm::StringRef rest;
  size_t length;
  int depth = 0;
};

} // namespace

llvm::Expected<std::vector<ArgSpec>> parseArgSpecs(llvm::StringRef text) {
  return Parser(text).parseAll();
}

} // namespace jit

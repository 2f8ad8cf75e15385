//===- Schema.cpp - what PyTorch's schemas say ----------------------------===//

#include "jit/Dialect/Aten/Schema.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace jit {

namespace {
/// Reads one schema from left to right. Every function returns false where the text is not what it
/// expects.
class SchemaParser {
public:
  explicit SchemaParser(llvm::StringRef text) : rest(text) {}

  bool parse(Schema &schema) {
    size_t open = rest.find('(');
    if (open == llvm::StringRef::npos)
      return false;
    llvm::StringRef qualified = rest.take_front(open);
    size_t overload = qualified.find('.', qualified.find("::"));
    schema.name = qualified.take_front(overload).str();
    rest = rest.drop_front(open + 1);
    if (!parseArguments(schema) || !take("->"))
      return false;
    if (!take("("))
      return parseResult(schema) && rest.trim().empty();
    while (!take(")")) {
      if (rest.empty() || !parseResult(schema))
        return false;
      take(",");
    }
    return rest.trim().empty();
  }

private:
  bool take(llvm::StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }

  llvm::StringRef word() {
    rest = rest.ltrim();
    llvm::StringRef name =
        rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
    rest = rest.drop_front(name.size());
    return name;
  }

  bool parseResult(Schema &schema) {
    if (!parseType(schema.results.emplace_back()))
      return false;
    schema.resultNames.push_back(word().str());
    return true;
  }

  bool parseArguments(Schema &schema) {
    bool keywordOnly = false;
    while (!take(")")) {
      if (rest.empty())
        return false;
      if (take("*")) {
        keywordOnly = true;
      } else {
        SchemaArgument &argument = schema.arguments.emplace_back();
        argument.keywordOnly = keywordOnly;
        if (!parseType(argument.type))
          return false;
        argument.name = word().str();
        if (take("="))
          argument.defaultText = defaultText();
      }
      take(",");
    }
    return true;
  }

  /// Up to the comma or parenthesis that ends the argument.
  std::string defaultText() {
    rest = rest.ltrim();
    size_t depth = 0, end = 0;
    char quote = 0;
    for (; end < rest.size(); ++end) {
      char c = rest[end];
      if (quote)
        quote = c == quote ? 0 : quote;
      else if (c == '\'' || c == '"')
        quote = c;
      else if (c == '[' || c == '(')
        ++depth;
      else if (depth == 0 && (c == ',' || c == ')'))
        break;
      else if (c == ']' || c == ')')
        --depth;
    }
    std::string text = rest.take_front(end).str();
    rest = rest.drop_front(end);
    return text;
  }

  bool parseParts(SchemaType &type) {
    while (!take(")")) {
      if (rest.empty() || !parseType(type.parts.emplace_back()))
        return false;
      take(",");
    }
    return true;
  }

  bool parseType(SchemaType &type) {
    if (take("(")) {
      type.kind = SchemaType::Kind::Tuple;
      if (!parseParts(type))
        return false;
    } else {
      llvm::StringRef name = word();
      if (name.empty())
        return false;
      if (name == "Dict" && take("(")) {
        type.kind = SchemaType::Kind::Dict;
        if (!parseParts(type) || type.parts.size() != 2)
          return false;
      } else {
        type.kind = kindOf(name);
        type.name = name.str();
      }
    }
    return parseSuffixes(type);
  }

  /// `(a!)`, `[]`, `[2]`, `?` in any order.
  bool parseSuffixes(SchemaType &type) {
    for (;;) {
      if (rest.starts_with("(")) {
        size_t close = rest.find(')');
        if (close == llvm::StringRef::npos)
          return false;
        rest = rest.drop_front(close + 1);
        type.isAlias = true;
      } else if (rest.consume_front("[")) {
        int64_t length = 0;
        if (!rest.starts_with("]") && rest.consumeInteger(10, length))
          return false;
        if (!rest.consume_front("]"))
          return false;
        wrap(type, SchemaType::Kind::List);
        type.fixedLength = length;
      } else if (rest.consume_front("?")) {
        wrap(type, SchemaType::Kind::Optional);
      } else {
        return true;
      }
    }
  }

  static void wrap(SchemaType &type, SchemaType::Kind kind) {
    SchemaType outer;
    outer.kind = kind;
    outer.parts.push_back(std::move(type));
    type = std::move(outer);
  }

  static SchemaType::Kind kindOf(llvm::StringRef name) {
    using Kind = SchemaType::Kind;
    Kind kind = llvm::StringSwitch<Kind>(name)
                    .Case("Tensor", Kind::Tensor)
                    .Cases({"int", "SymInt", "ScalarType", "Layout", "MemoryFormat"}, Kind::Int)
                    .Case("float", Kind::Float)
                    .Cases({"bool", "SymBool"}, Kind::Bool)
                    .Case("complex", Kind::Complex)
                    .Cases({"Scalar", "number"}, Kind::Number)
                    .Case("str", Kind::Str)
                    .Case("Device", Kind::Device)
                    .Case("NoneType", Kind::None)
                    .Case("Any", Kind::Any)
                    .Default(Kind::Other);
    // A variable is a lower-case letter, perhaps numbered.
    if (kind == Kind::Other &&
        (name.drop_front().empty() || llvm::all_of(name.drop_front(), llvm::isDigit) ||
         name == "tVal" || name == "key") &&
        llvm::isLower(name[0]))
      kind = Kind::Variable;
    return kind;
  }

  llvm::StringRef rest;
};
} // namespace

std::optional<Schema> Schema::parse(llvm::StringRef text) {
  Schema schema;
  if (!SchemaParser(text).parse(schema))
    return std::nullopt;
  return schema;
}

} // namespace jit

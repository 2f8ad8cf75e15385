//===- ModuleParser.cpp - directives, variables, functions' heads ---------===//
#include "Parser.h"

#include <charconv>
#include <cstring>

using namespace ptx;

uint64_t ptx::roundUp(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

bool ptx::parseNumber(Lexer &lexer, uint64_t &bits) {
  bool isNegative = lexer.takeIf("-");
  std::string_view word = lexer.word();
  int base = 10;
  if (word.size() > 2 && word[0] == '0' && std::strchr("fFdDxX", word[1])) {
    base = 16;
    word.remove_prefix(2);
  }
  if (word.size() > 1 && word.back() == 'U')
    word.remove_suffix(1);
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), bits, base);
  if (error != std::errc() || end != word.data() + word.size()) {
    lexer.fail("expected a number, got '" + std::string(lexer.word()) + "'");
    return false;
  }
  lexer.take();
  bits = isNegative ? -bits : bits;
  return true;
}

static void parseInitial(Lexer &lexer, Variable &variable, size_t elementBytes) {
  lexer.expect("{");
  do {
    uint64_t bits = 0;
    if (!parseNumber(lexer, bits))
      return;
    for (size_t i = 0; i < elementBytes; ++i)
      variable.initial.push_back(static_cast<uint8_t>(bits >> (8 * i)));
  } while (lexer.takeIf(","));
  lexer.expect("}");
}

Variable ptx::parseVariable(Lexer &lexer, Space space) {
  Variable variable;
  variable.space = space;
  std::optional<Type> type;
  size_t alignment = 0;
  while (!type && !lexer.isAtEnd()) {
    std::string_view word = lexer.take();
    uint64_t number = 0;
    if (word == ".align" && parseNumber(lexer, number))
      alignment = number;
    else if (word.starts_with('.'))
      type = parseType(word.substr(1));
    if (!type && word != ".align")
      lexer.fail("expected a type, got '" + std::string(word) + "'");
  }
  if (!type)
    return variable;
  // What a pointer points to, of which ".align" says something else.
  if (lexer.takeIf(".ptr")) {
    while (!lexer.isAtEnd() && lexer.word().starts_with('.')) {
      uint64_t ignored;
      if (lexer.take() == ".align")
        parseNumber(lexer, ignored);
    }
  }
  size_t elementBytes = bytesOf(*type);
  variable.bytes = elementBytes;
  variable.alignment = alignment ? alignment : elementBytes;
  variable.name = lexer.take();
  while (lexer.takeIf("[")) {
    uint64_t count = 0;
    if (lexer.word() != "]")
      parseNumber(lexer, count);
    variable.bytes *= count;
    lexer.expect("]");
  }
  if (lexer.takeIf("="))
    parseInitial(lexer, variable, elementBytes);
  return variable;
}

namespace {
class ModuleParser {
public:
  ModuleParser(const std::string &text) : lexer(text), module(std::make_unique<Module>()) {}

  std::unique_ptr<Module> parse(std::string &error);

private:
  void parseDirective();
  void parseFunction(bool isEntry);
  void parseParameters(Function &function);
  void parseLimits(Function &function);
  void declare(Space space, bool isExtern);

  Lexer lexer;
  std::unique_ptr<Module> module;
};
} // namespace

void ModuleParser::declare(Space space, bool isExtern) {
  auto variable = std::make_unique<Variable>(parseVariable(lexer, space));
  variable->isExtern = isExtern;
  lexer.expect(";");
  if (space == Space::Shared && !isExtern) {
    variable->address = roundUp(module->sharedBytes, variable->alignment);
    module->sharedBytes = variable->address + variable->bytes;
  }
  module->variables.push_back(std::move(variable));
}

void ModuleParser::parseParameters(Function &function) {
  lexer.expect("(");
  while (!lexer.isAtEnd() && lexer.word() != ")") {
    lexer.expect(".param");
    Variable parameter = parseVariable(lexer, Space::Param);
    parameter.address = roundUp(function.parameterBytes, parameter.alignment);
    function.parameterBytes = parameter.address + parameter.bytes;
    function.parameters.push_back(std::move(parameter));
    if (lexer.word() != ")")
      lexer.expect(",");
  }
  lexer.expect(")");
}

void ModuleParser::parseLimits(Function &function) {
  while (lexer.word().starts_with('.')) {
    std::string_view word = lexer.take();
    uint64_t number = 0, threads = 1;
    do {
      parseNumber(lexer, number);
      threads *= number;
    } while (lexer.takeIf(","));
    if (word == ".reqntid")
      function.requiredThreads = static_cast<uint32_t>(threads);
    else if (word == ".maxntid")
      function.mostThreads = static_cast<uint32_t>(threads);
    else if (word != ".maxnreg" && word != ".minnctapersm" && word != ".maxnctapersm")
      lexer.fail("expected a limit of a kernel, got '" + std::string(word) + "'");
  }
}

void ModuleParser::parseFunction(bool isEntry) {
  auto function = std::make_unique<Function>();
  function->isEntry = isEntry;
  function->name = lexer.take();
  parseParameters(*function);
  parseLimits(*function);
  BodyParser(lexer, *module, *function).parse();
  if (!lexer.hasFailed())
    findMeetings(*function);
  std::string name = function->name;
  module->functions[name] = std::move(function);
}

void ModuleParser::parseDirective() {
  bool isExtern = false;
  while (lexer.word() == ".visible" || lexer.word() == ".extern" || lexer.word() == ".weak")
    isExtern |= lexer.take() == ".extern";
  std::string_view word = lexer.take();
  if (word == ".version" || word == ".address_size") {
    lexer.take();
  } else if (word == ".target") {
    module->target = lexer.take();
  } else if (word == ".global") {
    declare(Space::Global, isExtern);
  } else if (word == ".const") {
    declare(Space::Const, isExtern);
  } else if (word == ".shared") {
    declare(Space::Shared, isExtern);
  } else if (word == ".entry") {
    parseFunction(/*isEntry=*/true);
  } else {
    lexer.fail("expected a directive of a module, got '" + std::string(word) + "'");
  }
}

std::unique_ptr<Module> ModuleParser::parse(std::string &error) {
  if (lexer.word() != ".version")
    lexer.fail("expected '.version', got '" + std::string(lexer.word().substr(0, 20)) + "'");
  while (!lexer.isAtEnd())
    parseDirective();
  if (lexer.hasFailed()) {
    error = lexer.error();
    return nullptr;
  }
  // Memory whose size a launch says begins where what is declared here ends.
  for (auto &variable : module->variables)
    if (variable->space == Space::Shared && variable->isExtern)
      variable->address = roundUp(module->sharedBytes, variable->alignment);
  return std::move(module);
}

std::unique_ptr<Module> ptx::parseModule(const std::string &text, std::string &error) {
  return ModuleParser(text).parse(error);
}

//===- BodyParser.cpp - the statements of a function ----------------------===//
#include "Parser.h"

#include <cctype>
#include <charconv>

using namespace ptx;

BodyParser::BodyParser(Lexer &lexer, Module &module, Function &function)
    : lexer(lexer), module(module), function(function), scopes(1) {
  // The first slot takes what nobody reads.
  newSlot();
}

int BodyParser::findRegister(std::string_view name) const {
  for (int at = scope; at >= 0; at = scopes[static_cast<size_t>(at)].parent)
    if (auto found = scopes[static_cast<size_t>(at)].registers.find(name);
        found != scopes[static_cast<size_t>(at)].registers.end())
      return found->second;
  return -1;
}

const Variable *BodyParser::findVariable(std::string_view name) const {
  for (const Variable &parameter : function.parameters)
    if (parameter.name == name)
      return &parameter;
  for (auto it = module.variables.rbegin(); it != module.variables.rend(); ++it)
    if ((*it)->name == name)
      return it->get();
  return nullptr;
}

int BodyParser::constant(uint64_t bits) {
  auto [found, isNew] = constantSlots.try_emplace(bits, 0);
  if (isNew) {
    found->second = newSlot();
    function.constants.push_back({found->second, bits});
  }
  return found->second;
}

int BodyParser::symbol(const Variable *variable) {
  auto [found, isNew] = symbolSlots.try_emplace(variable, 0);
  if (isNew) {
    found->second = newSlot();
    function.symbols.push_back({found->second, variable});
  }
  return found->second;
}

int BodyParser::special(std::string_view name) {
  static const std::map<std::string_view, Special> known = {
      {"%tid.x", Special::TidX},       {"%tid.y", Special::TidY},
      {"%tid.z", Special::TidZ},       {"%ntid.x", Special::NtidX},
      {"%ntid.y", Special::NtidY},     {"%ntid.z", Special::NtidZ},
      {"%ctaid.x", Special::CtaidX},   {"%ctaid.y", Special::CtaidY},
      {"%ctaid.z", Special::CtaidZ},   {"%nctaid.x", Special::NctaidX},
      {"%nctaid.y", Special::NctaidY}, {"%nctaid.z", Special::NctaidZ},
      {"%laneid", Special::LaneId},    {"%warpid", Special::WarpId}};
  auto which = known.find(name);
  if (which == known.end())
    return -1;
  auto [found, isNew] = specialSlots.try_emplace(std::string(name), 0);
  if (isNew) {
    found->second = newSlot();
    function.specials.push_back({found->second, which->second});
  }
  return found->second;
}

void BodyParser::declareRegisters() {
  std::string_view type = lexer.take();
  if (!type.starts_with('.') || !parseType(type.substr(1)))
    return lexer.fail("expected a register's type, got '" + std::string(type) + "'");
  do {
    std::string name(lexer.take());
    auto &registers = scopes[static_cast<size_t>(scope)].registers;
    if (!lexer.takeIf("<")) {
      registers[name] = newSlot();
      continue;
    }
    uint64_t count = 0;
    parseNumber(lexer, count);
    lexer.expect(">");
    for (uint64_t i = 0; i < count; ++i)
      registers[name + std::to_string(i)] = newSlot();
  } while (lexer.takeIf(","));
  lexer.expect(";");
}

int BodyParser::parseValue() {
  std::string_view word = lexer.word();
  if (word == "_") {
    lexer.take();
    return 0;
  }
  uint64_t bits = 0;
  if (word == "-" || (!word.empty() && std::isdigit(static_cast<unsigned char>(word[0]))))
    return parseNumber(lexer, bits) ? constant(bits) : 0;
  int slot = findRegister(word);
  if (slot < 0)
    slot = special(word);
  if (const Variable *variable = slot < 0 ? findVariable(word) : nullptr)
    slot = symbol(variable);
  if (slot < 0)
    lexer.fail("expected a register, a number or a name, got '" + std::string(word) + "'");
  lexer.take();
  return slot;
}

void BodyParser::parseOffset(Operand &address) {
  if (lexer.word() != "+" && lexer.word() != "-")
    return;
  lexer.takeIf("+");
  uint64_t bits = 0;
  parseNumber(lexer, bits);
  address.offset = static_cast<int64_t>(bits);
}

Operand BodyParser::parseAddress() {
  Operand address;
  address.kind = Operand::Kind::Address;
  lexer.expect("[");
  address.base = findRegister(lexer.word()) < 0 ? -1 : findRegister(lexer.word());
  if (address.base < 0)
    address.variable = findVariable(lexer.word());
  if (address.base < 0 && !address.variable)
    lexer.fail("expected a register or a variable, got '" + std::string(lexer.word()) + "'");
  lexer.take();
  parseOffset(address);
  if (lexer.takeIf(",")) {
    lexer.expect("{");
    do
      address.coordinates.push_back(parseValue());
    while (lexer.takeIf(","));
    lexer.expect("}");
  }
  lexer.expect("]");
  return address;
}

Operand BodyParser::parseVector(const Instruction &) {
  Operand vector;
  lexer.expect("{");
  do
    vector.slots.push_back(parseValue());
  while (lexer.takeIf(","));
  lexer.expect("}");
  return vector;
}

Operand BodyParser::parseOperand(const Instruction &instruction) {
  if (lexer.word() == "{")
    return parseVector(instruction);
  if (lexer.word() == "[")
    return parseAddress();
  Operand operand;
  if (instruction.opcode.starts_with("bra")) {
    operand.kind = Operand::Kind::Label;
    operand.name = lexer.take();
    return operand;
  }
  operand.isNegated = lexer.takeIf("!");
  operand.slots.push_back(parseValue());
  if (lexer.takeIf("|"))
    operand.otherSlot = parseValue();
  return operand;
}

void BodyParser::parseInstruction() {
  Instruction instruction;
  instruction.line = lexer.line();
  if (lexer.takeIf("@")) {
    instruction.isGuardNegated = lexer.takeIf("!");
    instruction.guard = parseValue();
  }
  instruction.opcode = lexer.take();
  for (bool isFirst = true; !lexer.isAtEnd() && lexer.word() != ";"; isFirst = false) {
    if (!isFirst)
      lexer.expect(",");
    Operand operand = parseOperand(instruction);
    if (operand.kind == Operand::Kind::Label)
      references.push_back({function.code.size(), instruction.operands.size(), scope});
    instruction.operands.push_back(std::move(operand));
  }
  lexer.expect(";");
  if (!lexer.hasFailed() && !findHandler(instruction))
    lexer.fail("expected a known opcode, got '" + instruction.opcode + "'");
  function.hasWarpgroups |= instruction.opcode.starts_with("wgmma");
  function.code.push_back(std::move(instruction));
}

void BodyParser::parseStatement() {
  std::string_view word = lexer.word();
  if (lexer.takeIf("{")) {
    scopes.push_back({.parent = scope, .registers = {}, .labels = {}});
    scope = static_cast<int>(scopes.size()) - 1;
  } else if (lexer.takeIf("}")) {
    scope = scopes[static_cast<size_t>(scope)].parent;
  } else if (lexer.takeIf(".reg")) {
    declareRegisters();
  } else if (word == ".local" || word == ".shared") {
    lexer.take();
    auto variable = std::make_unique<Variable>(
        parseVariable(lexer, word == ".local" ? Space::Local : Space::Shared));
    lexer.expect(";");
    size_t &bytes = word == ".local" ? function.localBytes : module.sharedBytes;
    variable->address = roundUp(bytes, variable->alignment);
    bytes = variable->address + variable->bytes;
    module.variables.push_back(std::move(variable));
  } else if (word == ".pragma") {
    while (!lexer.isAtEnd() && lexer.take() != ";") {
    }
  } else if (word.starts_with('.')) {
    lexer.fail("expected a statement, got '" + std::string(word) + "'");
  } else {
    parseInstruction();
  }
}

void BodyParser::resolveLabels() {
  for (const Reference &reference : references) {
    Operand &operand = function.code[reference.instruction].operands[reference.operand];
    bool isFound = false;
    for (int at = reference.scope; at >= 0 && !isFound;
         at = scopes[static_cast<size_t>(at)].parent) {
      auto &labels = scopes[static_cast<size_t>(at)].labels;
      auto found = labels.find(operand.name);
      isFound = found != labels.end();
      operand.target = isFound ? found->second : 0;
    }
    if (!isFound)
      lexer.fail("expected a label '" + operand.name + "', got none");
  }
}

void BodyParser::parse() {
  lexer.expect("{");
  while (!lexer.isAtEnd() && scope >= 0) {
    // A label is a word before a colon.
    Lexer ahead = lexer;
    std::string_view word = ahead.take();
    if (word.size() > 1 && ahead.takeIf(":")) {
      scopes[static_cast<size_t>(scope)].labels[std::string(word)] =
          static_cast<uint32_t>(function.code.size());
      lexer = ahead;
      continue;
    }
    parseStatement();
  }
  if (scope >= 0)
    lexer.fail("expected '}', got the end");
  resolveLabels();
}

//===- Parser.h - modules, functions and their scopes -----------*- C++ -*-===//
#ifndef JIT_UNITTESTS_PTX_PARSER_H
#define JIT_UNITTESTS_PTX_PARSER_H

#include "Lexer.h"
#include "Module.h"

#include <map>

namespace ptx {

/// Reads the statements of one function.
class BodyParser {
public:
  BodyParser(Lexer &lexer, Module &module, Function &function);

  /// From the brace that opens the body to the one that closes it.
  void parse();

private:
  struct Scope {
    int parent = -1;
    std::map<std::string, int, std::less<>> registers;
    std::map<std::string, uint32_t, std::less<>> labels;
  };
  struct Reference {
    size_t instruction, operand;
    int scope;
  };

  void parseStatement();
  void declareRegisters();
  void parseInstruction();
  Operand parseOperand(const Instruction &instruction);
  Operand parseVector(const Instruction &instruction);
  Operand parseAddress();
  int parseValue();
  void parseOffset(Operand &address);
  void resolveLabels();

  int newSlot() { return function.slots++; }
  int findRegister(std::string_view name) const;
  /// The slot of what has the same value all along.
  int constant(uint64_t bits);
  int special(std::string_view name);
  int symbol(const Variable *variable);
  const Variable *findVariable(std::string_view name) const;

  Lexer &lexer;
  Module &module;
  Function &function;
  std::vector<Scope> scopes;
  int scope = 0;
  std::vector<Reference> references;
  std::map<uint64_t, int> constantSlots;
  std::map<std::string, int, std::less<>> specialSlots;
  std::map<const Variable *, int> symbolSlots;
};

/// Says of each instruction how far from the function's end it is.
void findMeetings(Function &function);

/// After the words that say its linkage and space: ".align 4 .b8 name[24] = {1, 2}".
Variable parseVariable(Lexer &lexer, Space space);
/// "12", "0x1F", "0f3F800000" and "-3" as bits.
bool parseNumber(Lexer &lexer, uint64_t &bits);
uint64_t roundUp(uint64_t value, uint64_t alignment);

} // namespace ptx

#endif // JIT_UNITTESTS_PTX_PARSER_H

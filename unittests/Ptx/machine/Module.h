//===- Module.h - a PTX text, parsed ----------------------------*- C++ -*-===//
#ifndef JIT_UNITTESTS_PTX_MODULE_H
#define JIT_UNITTESTS_PTX_MODULE_H

#include "Types.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ptx {

class Warp;
struct Instruction;

constexpr int warpSize = 32;
/// The lanes of a warp, a bit each.
using Lanes = uint32_t;
/// Does an instruction for some lanes of a warp.
using Handler = void (*)(Warp &warp, const Instruction &instruction, Lanes lanes);

/// Memory with a name.
struct Variable {
  std::string name;
  Space space = Space::Global;
  size_t bytes = 0, alignment = 1;
  bool isExtern = false;
  /// The bytes that it begins with; the rest are zeros.
  std::vector<uint8_t> initial;
  /// In its space; for what lies in device memory the machine fills it in.
  uint64_t address = 0;
};

/// All values live in slots of 64 bits, of which an instruction takes as many as its type has:
/// registers, and the constants and special registers that a function names.
struct Operand {
  enum class Kind { Value, Address, Label, Name } kind = Kind::Value;
  /// A value's; of a vector one for each element.
  std::vector<int> slots;
  /// A predicate that is taken the other way round.
  bool isNegated = false;
  /// The second destination of `d|p`.
  int otherSlot = -1;
  /// An address: a slot or none, and what is added.
  int base = -1;
  int64_t offset = 0;
  /// Its variable, or the name of a function.
  const Variable *variable = nullptr;
  std::string name;
  /// Coordinates in a tensor's map.
  std::vector<int> coordinates;
  /// A label's instruction.
  uint32_t target = 0;
};

struct Instruction {
  /// With all of its words: "add.s32".
  std::string opcode;
  unsigned line = 0;
  /// The slot of its predicate, or none.
  int guard = -1;
  bool isGuardNegated = false;
  std::vector<Operand> operands;

  Handler run = nullptr;
  /// The lanes that have to come together: none, those that have not ended, all of the warp, or
  /// those of the mask that an operand is.
  enum class Meeting { None, Live, All, Mask } meeting = Meeting::None;
  size_t maskOperand = 0;
  /// What a handler needs to know of the words: type, space, comparison, sizes.
  Type type = Type::B32, fromType = Type::B32;
  Space space = Space::Generic;
  int mode = 0;
  bool flag = false;
  /// How an access or a fence orders others for the whole device; None too for one that reaches
  /// no further than its block.
  enum class Order { None, Relaxed, Acquire, Release, AcquireRelease } order = Order::None;
  /// How many places all ways from here to the end go through; 0 where no way leads there.
  uint32_t fromEnd = 0;
};

/// A value that a slot has from the start.
struct Constant {
  int slot;
  uint64_t bits;
};

enum class Special {
  TidX,
  TidY,
  TidZ,
  NtidX,
  NtidY,
  NtidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  LaneId,
  WarpId
};

struct SpecialSlot {
  int slot;
  Special which;
};

struct Function {
  std::string name;
  bool isEntry = false;
  std::vector<Variable> parameters;
  size_t parameterBytes = 0;
  std::vector<Instruction> code;
  int slots = 0;
  std::vector<Constant> constants;
  std::vector<SpecialSlot> specials;
  /// Where slots hold addresses of variables, which are known once these have memory.
  std::vector<std::pair<int, const Variable *>> symbols;
  size_t localBytes = 0;
  /// Of .reqntid and .maxntid; 0 where nothing is said.
  uint32_t requiredThreads = 0, mostThreads = 0;
  /// True if wgmma occurs, whose registers are watched.
  bool hasWarpgroups = false;
};

struct Module {
  std::string target;
  /// Of the module and of its functions.
  std::vector<std::unique_ptr<Variable>> variables;
  std::map<std::string, std::unique_ptr<Function>> functions;
  size_t sharedBytes = 0;
};

/// Reads a text. Null, with what is wrong and its line, where it is not understood.
std::unique_ptr<Module> parseModule(const std::string &text, std::string &error);

/// Finds the handler of an instruction by its opcode; false for one that is not known.
bool findHandler(Instruction &instruction);

} // namespace ptx

#endif // JIT_UNITTESTS_PTX_MODULE_H

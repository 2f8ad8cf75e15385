//===- Opcodes.cpp - which family an opcode belongs to --------------------===//
#include "Opcode.h"

#include <map>

using namespace ptx;

/// By an opcode's first word; the first family that takes all words has it.
bool ptx::findHandler(Instruction &instruction) {
  using Family = Handler (*)(Instruction &, Words &);
  static const std::multimap<std::string_view, Family> families = [] {
    std::multimap<std::string_view, Family> result;
    auto add = [&](Family family, std::initializer_list<std::string_view> names) {
      for (std::string_view name : names)
        result.insert({name, family});
    };
    add(findIntegers, {"add", "sub", "mul", "mad", "div", "rem", "abs", "neg", "min", "max"});
    add(findBits, {"and", "or", "xor", "not", "shl", "shr", "shf", "prmt", "bfe", "bfi", "popc",
                   "clz", "brev"});
    add(findFloats,
        {"add", "sub", "mul", "fma", "div", "rcp", "sqrt", "neg", "abs", "min", "max", "copysign"});
    add(findNarrowFloats, {"add", "sub", "mul", "fma", "neg", "abs", "min", "max"});
    add(findApproximations, {"div", "rcp", "sqrt", "rsqrt", "ex2", "lg2", "sin", "cos", "tanh"});
    add(findComparisons, {"setp", "set", "selp", "testp"});
    add(findConversions, {"cvt"});
    add(findMoves, {"mov", "cvta"});
    add(findLoadsAndStores, {"ld", "st"});
    add(findAtomics, {"atom", "red"});
    add(findControl,
        {"bra", "ret", "exit", "trap", "bar", "barrier", "fence", "membar", "setmaxnreg"});
    add(findWarpExchange, {"shfl", "vote", "redux", "activemask", "elect"});
    add(findThreadCopies, {"cp"});
    add(findTensorCopies, {"cp"});
    add(findMatrices, {"ldmatrix", "mma"});
    add(findWarpgroupProducts, {"wgmma"});
    add(findCountingBarriers, {"mbarrier"});
    return result;
  }();
  std::string_view opcode = instruction.opcode;
  auto [begin, end] = families.equal_range(opcode.substr(0, opcode.find('.')));
  for (auto it = begin; it != end; ++it) {
    Instruction tried = instruction;
    Words words(instruction.opcode);
    tried.run = it->second(tried, words);
    if (tried.run && words.isAtEnd()) {
      instruction = std::move(tried);
      return true;
    }
  }
  return false;
}

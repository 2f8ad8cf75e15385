//===- Opcode.h - the words of an opcode, and loops over lanes --*- C++ -*-===//
#ifndef JIT_UNITTESTS_PTX_OPCODE_H
#define JIT_UNITTESTS_PTX_OPCODE_H

#include "Block.h"

#include <bit>

namespace ptx {

/// The words between an opcode's dots, taken one by one. An opcode is known where all are taken.
class Words {
public:
  explicit Words(std::string_view opcode) {
    for (size_t start = 0; start <= opcode.size();) {
      size_t end = std::min(opcode.find('.', start), opcode.size());
      words.push_back(opcode.substr(start, end - start));
      start = end + 1;
    }
  }

  bool take(std::string_view expected) {
    if (isAtEnd() || words[place] != expected)
      return false;
    ++place;
    return true;
  }
  std::string_view word() const { return isAtEnd() ? std::string_view() : words[place]; }
  void skip() { ++place; }
  std::optional<Type> takeType() {
    std::optional<Type> type = isAtEnd() ? std::nullopt : parseType(words[place]);
    place += type ? 1 : 0;
    return type;
  }
  bool isAtEnd() const { return place >= words.size(); }

private:
  std::vector<std::string_view> words;
  size_t place = 0;
};

/// How far a fence or an atomic access reaches. Of clusters there is none with two blocks here.
enum class Scope { Missing, Block, Device };
inline Scope takeScope(Words &words) {
  if (words.take("cta") || words.take("cluster"))
    return Scope::Block;
  return words.take("gpu") || words.take("gl") || words.take("sys") ? Scope::Device
                                                                    : Scope::Missing;
}

// What an atomic access of a lane to device memory lets it know, and lets others know, by
// `i.order`. A write that reads what was there goes on with what that let others know.
void orderRead(Warp &warp, const Instruction &i, int lane, uint64_t address);
void orderWrite(Warp &warp, const Instruction &i, int lane, uint64_t address, bool isModifying);
/// A fence's handler; null without a scope.
Handler fenceOf(Scope scope);

template <typename F> void forLanes(Lanes lanes, F f) {
  if (lanes == ~Lanes(0)) {
    for (int lane = 0; lane < warpSize; ++lane)
      f(lane);
    return;
  }
  for (; lanes; lanes &= lanes - 1)
    f(std::countr_zero(lanes));
}

// Each finds the handlers of one family, for an instruction whose words it takes; null where it is
// of another one.
Handler findIntegers(Instruction &i, Words &words);
Handler findBits(Instruction &i, Words &words);
Handler findFloats(Instruction &i, Words &words);
Handler findNarrowFloats(Instruction &i, Words &words);
Handler findApproximations(Instruction &i, Words &words);
Handler findComparisons(Instruction &i, Words &words);
Handler findConversions(Instruction &i, Words &words);
Handler findMoves(Instruction &i, Words &words);
Handler findLoadsAndStores(Instruction &i, Words &words);
Handler findAtomics(Instruction &i, Words &words);
Handler findControl(Instruction &i, Words &words);
Handler findWarpExchange(Instruction &i, Words &words);
Handler findThreadCopies(Instruction &i, Words &words);
Handler findMatrices(Instruction &i, Words &words);
Handler findWarpgroupProducts(Instruction &i, Words &words);
Handler findCountingBarriers(Instruction &i, Words &words);
Handler findTensorCopies(Instruction &i, Words &words);

} // namespace ptx

#endif // JIT_UNITTESTS_PTX_OPCODE_H

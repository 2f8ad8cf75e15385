//===- Meetings.cpp - where lanes that parted come together ---------------===//
//
// Assemblers have lanes wait where all ways from a branch come together again, wherever that stands
// in the text. Here those lanes go first that are farther from the function's end, counted in
// places that all ways to it go through: the others then wait for them at the next such place.
//
//===----------------------------------------------------------------------===//
#include "Parser.h"

#include <algorithm>

using namespace ptx;

namespace {
/// A tree of the instructions: each one's parent is the first that all ways to the end go through
/// behind it. The root is one behind the last instruction.
class Meetings {
public:
  explicit Meetings(const std::vector<Instruction> &code)
      : code(code), end(static_cast<uint32_t>(code.size())), numbers(code.size() + 1, unknown),
        parents(code.size() + 1, unknown) {}

  /// How many ancestors each instruction has.
  std::vector<uint32_t> depths();

private:
  static constexpr uint32_t unknown = ~uint32_t(0);

  std::vector<uint32_t> nextOf(uint32_t at) const;
  void numberBackwards();
  uint32_t common(uint32_t a, uint32_t b) const;

  const std::vector<Instruction> &code;
  uint32_t end;
  /// Instructions in the order in which a search from the end leaves them, and their places in it.
  std::vector<uint32_t> order, numbers, parents;
};
} // namespace

std::vector<uint32_t> Meetings::nextOf(uint32_t at) const {
  const Instruction &i = code[at];
  bool isBranch = i.opcode == "bra" || i.opcode.starts_with("bra."),
       isEnd = i.opcode == "ret" || i.opcode == "exit" || i.opcode.starts_with("ret.") ||
               i.opcode.starts_with("exit.");
  std::vector<uint32_t> next;
  if (isBranch)
    next.push_back(i.operands[0].target);
  if (isEnd)
    next.push_back(end);
  if ((!isBranch && !isEnd) || i.guard >= 0)
    next.push_back(at + 1);
  return next;
}

void Meetings::numberBackwards() {
  std::vector<std::vector<uint32_t>> before(code.size() + 1);
  for (uint32_t at = 0; at < end; ++at)
    for (uint32_t next : nextOf(at))
      before[next].push_back(at);
  std::vector<std::pair<uint32_t, size_t>> path = {{end, 0}};
  std::vector<bool> isSeen(code.size() + 1);
  isSeen[end] = true;
  while (!path.empty()) {
    auto &[at, taken] = path.back();
    if (taken < before[at].size()) {
      uint32_t further = before[at][taken++];
      if (!isSeen[further]) {
        isSeen[further] = true;
        path.emplace_back(further, 0);
      }
    } else {
      numbers[at] = static_cast<uint32_t>(order.size());
      order.push_back(at);
      path.pop_back();
    }
  }
}

uint32_t Meetings::common(uint32_t a, uint32_t b) const {
  while (a != b)
    (numbers[a] < numbers[b] ? a : b) = parents[numbers[a] < numbers[b] ? a : b];
  return a;
}

std::vector<uint32_t> Meetings::depths() {
  numberBackwards();
  parents[end] = end;
  for (bool changes = true; changes;) {
    changes = false;
    for (auto at = order.rbegin() + 1; at != order.rend(); ++at) {
      uint32_t found = unknown;
      for (uint32_t next : nextOf(*at))
        if (parents[next] != unknown)
          found = found == unknown ? next : common(found, next);
      changes |= parents[*at] != found;
      parents[*at] = found;
    }
  }
  std::vector<uint32_t> depths(code.size(), 0);
  for (auto at = order.rbegin() + 1; at != order.rend(); ++at)
    depths[*at] = parents[*at] == end ? 1 : depths[parents[*at]] + 1;
  return depths;
}

void ptx::findMeetings(Function &function) {
  std::vector<uint32_t> depths = Meetings(function.code).depths();
  for (size_t at = 0; at < depths.size(); ++at)
    function.code[at].fromEnd = depths[at];
}

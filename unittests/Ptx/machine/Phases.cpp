//===- Phases.cpp - what blocks do between their meetings, counted --------===//
#include "Phases.h"

#include <algorithm>

using namespace ptx;

Counter *Phases::beginBlock() {
  ++begun;
  entered = 0;
  hasComeAround = false;
  return enter(nullptr);
}

Counter *Phases::arrive(const Instruction &arrival) { return enter(&arrival); }

Counter *Phases::enter(const Instruction *arrival) {
  auto phase = std::ranges::find(phases, arrival, &Phase::arrival);
  if (phase == phases.end()) {
    phases.emplace_back().arrival = arrival;
    phase = phases.end() - 1;
  }
  phase->times += begun == 1 ? 1 : 0;
  if (phase->counter.blocks() == begun) {
    hasComeAround = entered == phases.size();
    return &repeated;
  }
  phase->counter.beginBlock();
  ++entered;
  return &phase->counter;
}

//===- Coalescing.cpp - sectors and wavefronts of a warp's access ---------===//
#include "Counter.h"
#include "Opcode.h"

#include <algorithm>

using namespace ptx;

static uint64_t roundedUp(uint64_t value, uint64_t by) { return (value + by - 1) / by; }

/// The pieces of `grain` bytes that lanes `lanes` touch, each once.
static std::vector<uint64_t> piecesOf(const WarpAccess &access, Lanes lanes, uint64_t grain) {
  std::vector<uint64_t> pieces;
  forLanes(lanes, [&](int lane) {
    uint64_t address = access.addresses[static_cast<size_t>(lane)];
    uint64_t last = (address + access.bytes - 1) / grain;
    for (uint64_t piece = address / grain; piece <= last; ++piece)
      pieces.push_back(piece);
  });
  std::ranges::sort(pieces);
  auto same = std::ranges::unique(pieces);
  pieces.erase(same.begin(), same.end());
  return pieces;
}

Cost ptx::sectorsOf(const WarpAccess &access) {
  // The smallest accesses are of a byte, and of what is larger all are aligned.
  uint64_t grain = std::min(access.bytes, sectorBytes);
  uint64_t bytes = piecesOf(access, access.lanes, grain).size() * grain;
  return {piecesOf(access, access.lanes, sectorBytes).size(), roundedUp(bytes, sectorBytes)};
}

/// Lanes that read the same word are served together; words of one bank take turns.
static uint64_t turnsOf(const std::vector<uint64_t> &words) {
  std::array<uint64_t, banks> perBank = {};
  for (uint64_t word : words)
    ++perBank[word % banks];
  return std::ranges::max(perBank);
}

Cost ptx::wavefrontsOf(const WarpAccess &access) {
  constexpr uint64_t atOnce = banks * bankBytes;
  int group = static_cast<int>(std::min<uint64_t>(warpSize, atOnce / access.bytes));
  Lanes first = group == warpSize ? ~Lanes(0) : (Lanes(1) << group) - 1;
  Cost cost;
  for (int lane = 0; lane < warpSize; lane += group)
    if (Lanes together = access.lanes & first << lane)
      cost.transactions += turnsOf(piecesOf(access, together, bankBytes));
  cost.least = roundedUp(piecesOf(access, access.lanes, bankBytes).size(), banks);
  return cost;
}

void Traffic::add(const Cost &cost, uint64_t ofBytes) {
  ++requests;
  transactions += cost.transactions;
  least += cost.least;
  bytes += ofBytes;
}

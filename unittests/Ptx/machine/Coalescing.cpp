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

/// What one lane is given is broadcast to others with its address.
static Lanes firstOfEachAddress(const WarpAccess &access) {
  std::vector<uint64_t> seen;
  Lanes first = 0;
  forLanes(access.lanes, [&](int lane) {
    uint64_t address = access.addresses[static_cast<size_t>(lane)];
    if (std::ranges::find(seen, address) != seen.end())
      return;
    seen.push_back(address);
    first |= Lanes(1) << lane;
  });
  return first;
}

Cost ptx::wavefrontsOf(const WarpAccess &access) {
  constexpr uint64_t atOnce = banks * bankBytes;
  auto most = static_cast<int>(std::min<uint64_t>(warpSize, atOnce / access.bytes));
  Cost cost;
  Lanes together = 0;
  auto serve = [&] {
    cost.transactions += together ? turnsOf(piecesOf(access, together, bankBytes)) : 0;
    together = 0;
  };
  forLanes(firstOfEachAddress(access), [&](int lane) {
    together |= Lanes(1) << lane;
    if (std::popcount(together) == most)
      serve();
  });
  serve();
  cost.least = roundedUp(piecesOf(access, access.lanes, bankBytes).size(), banks);
  return cost;
}

void Traffic::add(const Cost &cost, uint64_t ofBytes) {
  ++requests;
  transactions += cost.transactions;
  least += cost.least;
  bytes += ofBytes;
}

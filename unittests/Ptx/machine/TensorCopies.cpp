//===- TensorCopies.cpp - cp.async.bulk.tensor, by tensors' maps ----------===//
#include "LaneLoops.h"
#include "TensorMap.h"

#include <cstring>

using namespace ptx;

namespace {
constexpr uint64_t elementBytes = 2, rowBytes = 128;

/// One box, which the engine of a barrier copies some time.
struct BoxCopy {
  Warp &warp;
  const Instruction &i;
  int lane;
  TensorMap map;
  uint64_t to;
  int32_t origin[3];
  CountingBarrier *barrier;
  /// The engine's, which has seen what the thread had that asked.
  Clock clock;

  void run();
  void copyRow(uint64_t row);
  uint64_t rows() const { return map.dims[1].box * map.dims[2].box; }
};
} // namespace

/// A row of 64 elements, whose pieces of 16 bytes change places; elements outside are zeros.
void BoxCopy::copyRow(uint64_t row) {
  int64_t at[3] = {origin[0], origin[1] + static_cast<int64_t>(row % map.dims[1].box),
                   origin[2] + static_cast<int64_t>(row / map.dims[1].box)};
  auto isInside = [&](int dim) {
    return at[dim] >= 0 && at[dim] < static_cast<int64_t>(map.dims[dim].size);
  };
  uint8_t bytes[rowBytes] = {};
  bool isRowInside = isInside(1) && isInside(2);
  for (uint64_t e = 0; e < map.dims[0].box; ++e, ++at[0]) {
    if (!isRowInside || !isInside(0))
      continue;
    uint64_t from = map.address + static_cast<uint64_t>(at[0]) * elementBytes +
                    static_cast<uint64_t>(at[1]) * map.dims[0].stride +
                    static_cast<uint64_t>(at[2]) * map.dims[1].stride;
    const uint8_t *data =
        warp.reachAs(i, clock, lane, Space::Global, from, elementBytes, Access::AsyncRead);
    if (!data)
      return;
    std::memcpy(bytes + e * elementBytes, data, elementBytes);
  }
  constexpr uint64_t piece = 16;
  for (uint64_t place = 0; place < rowBytes; place += piece) {
    uint64_t address = to + row * rowBytes + place;
    address ^= (address >> 7 & 7) << 4;
    uint8_t *data = warp.reachAs(i, clock, lane, Space::Shared, address, piece, Access::AsyncWrite);
    if (!data)
      return;
    std::memcpy(data, bytes + place, piece);
  }
}

void BoxCopy::run() {
  for (uint64_t row = 0; row < rows() && !warp.block.hasFailed(); ++row)
    copyRow(row);
  barrier->bytes -= static_cast<int64_t>(rows() * rowBytes);
  warp.block.clocks.release(clock, barrier->gathering);
  warp.block.endPhaseIfDone(*barrier);
}

/// What the manual demands of a map of rows of 128 bytes that are swizzled.
static const char *checkMap(const TensorMap &map, uint64_t to) {
  if (map.magic != TensorMap::expectedMagic)
    return "expected a tensor map of the driver's making";
  if (map.dims[0].box * elementBytes != rowBytes)
    return "expected rows of 128 bytes";
  if (to % 128 != 0)
    return "expected a destination aligned to 128 bytes";
  return nullptr;
}

static void askOne(Warp &warp, const Instruction &i, int lane) {
  Block &block = warp.block;
  TensorMap map;
  uint64_t from = warp.address(i, 1, lane), to = warp.address(i, 0, lane);
  constexpr size_t half = sizeof map / 2;
  for (size_t at = 0; at < sizeof map; at += half) {
    const uint8_t *data = warp.reach(i, lane, Space::Generic, from + at, half, Access::Read);
    if (!data)
      return;
    std::memcpy(reinterpret_cast<uint8_t *>(&map) + at, data, half);
  }
  if (const char *wrong = checkMap(map, to))
    return warp.fail(i, lane, wrong);
  CountingBarrier *barrier = block.findBarrier(warp, i, lane, warp.address(i, 2, lane));
  if (!barrier)
    return;
  if (barrier->madeAt > warp.clock(lane).fencedOf(barrier->madeBy))
    return warp.fail(i, lane, "expected a fence of the async proxy after mbarrier.init");
  BoxCopy copy{warp, i, lane, map, to, {}, barrier, {}};
  for (size_t dim = 0; dim < 3; ++dim)
    copy.origin[dim] = static_cast<int32_t>(warp.slot(i.operands[1].coordinates[dim])[lane]);
  std::shared_ptr<const Times> seen;
  block.clocks.release(warp.clock(lane), seen);
  Clock &engine = block.agents[barrier->agent];
  copy.clock = {.agent = engine.agent, .time = engine.time++, .seen = seen};
  block.engineCopies.push_back({[copy]() mutable { copy.run(); }});
}

static void ask(Warp &warp, const Instruction &i, Lanes lanes) {
  forLanes(lanes, [&](int l) { askOne(warp, i, l); });
}

Handler ptx::findTensorCopies(Instruction &i, Words &words) {
  for (std::string_view word : {"cp", "async", "bulk", "tensor", "3d"})
    if (!words.take(word))
      return nullptr;
  if ((!words.take("shared::cluster") && !words.take("shared::cta")) || !words.take("global"))
    return nullptr;
  words.take("tile");
  bool isKnown = words.take("mbarrier::complete_tx::bytes") && i.operands.size() == 3 &&
                 i.operands[1].coordinates.size() == 3;
  return isKnown ? ask : Handler(nullptr);
}

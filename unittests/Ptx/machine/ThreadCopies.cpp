//===- ThreadCopies.cpp - cp.async and its groups -------------------------===//
#include "LaneLoops.h"

#include <algorithm>
#include <cstring>

using namespace ptx;

static void askForCopy(Warp &warp, const Instruction &i, Lanes lanes) {
  int first = std::countr_zero(lanes);
  auto bytes = static_cast<size_t>(warp.operand(i, 2)[first]);
  // .cg knows 16 bytes only.
  if (i.flag ? bytes != 16 : bytes != 4 && bytes != 8 && bytes != 16)
    return warp.fail(i, first, "expected a copy of 4, 8 or 16 bytes");
  forLanes(lanes, [&](int l) {
    size_t read = i.operands.size() > 3 ? static_cast<uint32_t>(warp.operand(i, 3)[l]) : bytes;
    if (read > bytes)
      return warp.fail(i, l, "expected no more bytes of the source than are written");
    // It may be done at once, or when it is waited for.
    uint64_t to = warp.address(i, 0, l);
    if (warp.block.isUnderWay(to, bytes))
      return warp.fail(i, l, "expected shared memory that no product under way reads");
    warp.copies[static_cast<size_t>(l)].push_back({to, warp.address(i, 1, l), bytes, read, &i});
  });
}

/// What is read beside the source's bytes is zeros.
static void finish(Warp &warp, int lane, const std::vector<ThreadCopy> &copies) {
  for (const ThreadCopy &copy : copies) {
    const Instruction &i = *copy.instruction;
    uint8_t *to = warp.reach(i, lane, Space::Shared, copy.to, copy.bytes, Access::Write);
    if (!to)
      return;
    std::memset(to, 0, copy.bytes);
    if (copy.from % copy.bytes)
      return warp.fail(i, lane, "expected an aligned source");
    // As wide as what is read allows.
    size_t step = copy.read % 16 == 0 ? 16 : copy.read % 4 == 0 ? 4 : copy.read % 2 == 0 ? 2 : 1;
    for (size_t at = 0; at < copy.read; at += step) {
      size_t bytes = std::min(step, copy.bytes);
      const uint8_t *from = warp.reach(i, lane, Space::Global, copy.from + at, bytes, Access::Read);
      if (!from)
        return;
      std::memcpy(to + at, from, bytes);
    }
  }
}

static void commit(Warp &warp, const Instruction &, Lanes lanes) {
  forLanes(lanes, [&](int l) {
    auto lane = static_cast<size_t>(l);
    warp.copyGroups[lane].push_back(std::move(warp.copies[lane]));
    warp.copies[lane].clear();
  });
}

/// Until no more than so many groups are under way.
static void waitForGroups(Warp &warp, const Instruction &i, Lanes lanes) {
  forLanes(lanes, [&](int l) {
    auto &groups = warp.copyGroups[static_cast<size_t>(l)];
    for (auto left = static_cast<size_t>(warp.operand(i, 0)[l]); groups.size() > left;) {
      finish(warp, l, groups.front());
      groups.pop_front();
    }
  });
}

static void waitForAll(Warp &warp, const Instruction &i, Lanes lanes) {
  commit(warp, i, lanes);
  forLanes(lanes, [&](int l) {
    for (auto &groups = warp.copyGroups[static_cast<size_t>(l)]; !groups.empty();
         groups.pop_front())
      finish(warp, l, groups.front());
  });
}

Handler ptx::findThreadCopies(Instruction &i, Words &words) {
  words.skip();
  if (!words.take("async"))
    return nullptr;
  if (words.take("commit_group"))
    return commit;
  if (words.take("wait_group"))
    return waitForGroups;
  if (words.take("wait_all"))
    return waitForAll;
  i.flag = words.take("cg");
  if (!i.flag && !words.take("ca"))
    return nullptr;
  bool isKnown = (words.take("shared") || words.take("shared::cta")) && words.take("global");
  return isKnown ? askForCopy : Handler(nullptr);
}

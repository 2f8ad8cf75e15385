//===- Races.cpp - who touched which bytes when ---------------------------===//
#include "Races.h"

#include <algorithm>
#include <bit>

using namespace ptx;

Clocks::Clocks(uint32_t count)
    : count(count), none(std::make_shared<Times>(size_t(2) * count, 0)) {}

static std::shared_ptr<const Times> uniteTimes(const Times &a, const Times &b) {
  auto result = std::make_shared<Times>(a);
  result->others = unite(a.others, b.others);
  for (size_t i = 0; i < b.size(); ++i)
    (*result)[i] = std::max((*result)[i], b[i]);
  return result;
}

std::shared_ptr<const BlockTimes> ptx::unite(const std::shared_ptr<const BlockTimes> &a,
                                             const std::shared_ptr<const BlockTimes> &b) {
  if (!a || !b || a == b)
    return a ? a : b;
  auto result = std::make_shared<BlockTimes>(*a);
  for (size_t i = 0; i < b->size(); ++i) {
    std::shared_ptr<const Times> &one = (*result)[i];
    const std::shared_ptr<const Times> &other = (*b)[i];
    if (one && other && one != other)
      one = uniteTimes(*one, *other);
    else if (!one)
      one = other;
  }
  return result;
}

std::shared_ptr<const BlockTimes> Clocks::publish(Clock &clock, uint32_t block,
                                                  uint32_t blocks) const {
  const auto &others = clock.seen->others;
  auto all = others ? std::make_shared<BlockTimes>(*others) : std::make_shared<BlockTimes>(blocks);
  auto own = std::make_shared<Times>(*clock.seen);
  // Or else each state would keep all earlier ones.
  own->others = nullptr;
  (*own)[clock.agent] = clock.time++;
  (*own)[count + clock.agent] = clock.fenced;
  (*all)[block] = std::move(own);
  return all;
}

void Clocks::learn(Clock &clock, const std::shared_ptr<const BlockTimes> &from, uint32_t block) {
  if (!from)
    return;
  auto more = std::make_shared<Times>((*from)[block] ? *(*from)[block] : *none);
  more->others = from;
  acquire(clock, more);
}

void Clocks::release(Clock &clock, std::shared_ptr<const Times> &to) const {
  // Nobody else holds a union that is being collected.
  auto collected = to && to.use_count() == 1 ? std::const_pointer_cast<Times>(to)
                                             : std::make_shared<Times>(to ? *to : *none);
  for (size_t i = 0; i < collected->size(); ++i)
    (*collected)[i] = std::max((*collected)[i], (*clock.seen)[i]);
  collected->others = unite(collected->others, clock.seen->others);
  (*collected)[clock.agent] = std::max((*collected)[clock.agent], clock.time);
  uint32_t &fenced = (*collected)[count + clock.agent];
  fenced = std::max(fenced, clock.fenced);
  to = collected;
  ++clock.time;
}

void Clocks::acquire(Clock &clock, const std::shared_ptr<const Times> &from) {
  if (!from || from == clock.seen)
    return;
  if (clock.seen == none) {
    clock.seen = from;
    return;
  }
  if (left != clock.seen || right != from) {
    left = clock.seen;
    right = from;
    both = uniteTimes(*left, *right);
  }
  clock.seen = both;
}

void Clocks::fence(Clock &clock) const {
  auto fenced = std::make_shared<Times>(*clock.seen);
  for (uint32_t i = 0; i < count; ++i)
    (*fenced)[count + i] = std::max((*fenced)[count + i], (*fenced)[i]);
  clock.seen = fenced;
  clock.fenced = clock.time++;
}

AccessLog::AccessLog(size_t bytes) : bytes(bytes), cells((bytes + grain - 1) / grain) {}

/// Cells become as small as what is accessed.
void AccessLog::refine(size_t offset, size_t count) {
  size_t wanted = grain;
  while ((offset | count) % wanted != 0)
    wanted /= 2;
  if (wanted == grain)
    return;
  size_t factor = grain / wanted;
  std::vector<Cell> finer((bytes + wanted - 1) / wanted);
  for (size_t i = 0; i < finer.size(); ++i)
    finer[i] = cells[i / factor];
  for (size_t i = 0; i < finer.size(); ++i)
    if (uint32_t list = finer[i].moreReads; list && i % factor) {
      finer[i].moreReads = makeList();
      lists[finer[i].moreReads] = lists[list];
    }
  grain = wanted;
  cells = std::move(finer);
}

static bool isAtomic(Access access) {
  return access == Access::Atomic || access == Access::AtomicRead || access == Access::AtomicWrite;
}

/// True if `clock`, of a thread of block `block`, has seen an access.
template <typename MarkT>
static bool hasSeen(const Clock &clock, uint32_t block, const MarkT &mark) {
  if (mark.block == block)
    return mark.time <= clock.seenOf(mark.agent);
  const auto &others = clock.seen->others;
  return others && (*others)[mark.block] && mark.time <= (*(*others)[mark.block])[mark.agent];
}

static std::string thread(uint32_t agent, uint32_t block) {
  return "thread " + std::to_string(agent) + " of block " + std::to_string(block);
}

static bool isAsync(Access access) {
  return access == Access::AsyncRead || access == Access::AsyncWrite;
}

/// Whether an access of `clock` comes behind what wrote the cell, if anything did: of nearly all
/// nothing more is to be asked.
bool AccessLog::isBehindWrite(const Cell &cell, Access access, const Clock &clock, uint32_t block) {
  if (!cell.isWritten || (cell.isAtomic && isAtomic(access)))
    return true;
  if (access == Access::ReadOnlyPath || !hasSeen(clock, block, cell.write))
    return false;
  return !isAsync(access) || cell.isAsyncWrite ||
         cell.write.time <= clock.fencedOf(cell.write.agent);
}

/// By the access of `clock` to a cell, where it is not ordered.
Race AccessLog::checkWrite(size_t number, Access access, const Clock &clock, uint32_t block) const {
  const Cell &cell = cells[number];
  std::string writer = thread(cell.write.agent, cell.write.block);
  Race race;
  if (!isWriting(access) && access != Access::LastRead)
    race.reads.push_back({block, clock.agent, clock.time, number * grain});
  if (access == Access::ReadOnlyPath)
    race.text = "a load through the read-only path of what " + writer + " wrote";
  else if (!hasSeen(clock, block, cell.write))
    race.text = "a race with a write of " + writer;
  else
    race = {"no fence of the async proxy after a write of " + writer, {}};
  return race;
}

template <typename F> static void forAgents(uint32_t warp, uint32_t agents, F f) {
  for (; agents; agents &= agents - 1)
    f(32 * warp + static_cast<uint32_t>(std::countr_zero(agents)));
}

bool AccessLog::hasSeenAll(const Clock &clock, uint32_t block, const Reads &reads) {
  for (uint32_t rest = reads.agents; rest; rest &= rest - 1) {
    uint32_t agent = 32 * reads.warp + static_cast<uint32_t>(std::countr_zero(rest));
    if (!hasSeen(clock, block, Mark{reads.block, agent, reads.time}))
      return false;
  }
  return true;
}

bool AccessLog::isBehindReads(const Cell &cell, const Clock &clock, uint32_t block) const {
  auto isSeen = [&](const Reads &reads) { return hasSeenAll(clock, block, reads); };
  return !cell.isReadOnly && !cell.hasManyReads && !cell.hasUnknownReads && isSeen(cell.read) &&
         std::ranges::all_of(lists[cell.moreReads], isSeen);
}

/// By a write of `clock` to a cell that was read, where it is not behind all reads.
Race AccessLog::checkReads(size_t number, const Clock &clock, uint32_t block) const {
  const Cell &cell = cells[number];
  Race race;
  auto check = [&](const Reads &reads) {
    forAgents(reads.warp, reads.agents, [&](uint32_t agent) {
      Mark mark = {reads.block, agent, reads.time};
      bool isSame = mark.block == block && mark.agent == clock.agent;
      if (hasSeen(clock, block, mark) && !(cell.isReadOnly && !isSame))
        return;
      race.text = "a race with a read of " + thread(mark.agent, mark.block);
      race.reads.push_back({mark.block, mark.agent, mark.time, number * grain});
    });
  };
  check(cell.read);
  std::ranges::for_each(lists[cell.moreReads], check);
  if (cell.hasManyReads)
    race = {"a race with reads of many threads", {}};
  race.needsReaders = cell.hasUnknownReads;
  return race;
}

void AccessLog::addRead(size_t number, const Clock &clock, uint32_t block) {
  Cell &cell = cells[number];
  Reads read = {block, clock.agent / 32, clock.time, uint32_t(1) << clock.agent % 32};
  bool isSame =
      cell.read.block == block && cell.read.warp == read.warp && cell.read.time == read.time;
  if (isSame)
    cell.read.agents |= read.agents;
  else if (hasSeenAll(clock, block, cell.read))
    cell.read = read;
  else if (!keepsReaders)
    cell.hasUnknownReads = true;
  else
    addFurtherRead(cell, read, clock);
}

uint32_t AccessLog::makeList() {
  if (freeLists.empty()) {
    lists.emplace_back();
    return static_cast<uint32_t>(lists.size() - 1);
  }
  uint32_t list = freeLists.back();
  freeLists.pop_back();
  return list;
}

/// The lanes of a warp come one behind the other.
void AccessLog::addFurtherRead(Cell &cell, const Reads &read, const Clock &clock) {
  if (!cell.moreReads)
    cell.moreReads = makeList();
  std::vector<Reads> &more = lists[cell.moreReads];
  if (!more.empty()) {
    Reads &last = more.back();
    if (last.block == read.block && last.warp == read.warp && last.time == read.time) {
      last.agents |= read.agents;
      return;
    }
    if (hasSeenAll(clock, read.block, last)) {
      last = read;
      return;
    }
  }
  constexpr size_t many = 4096;
  auto isCovered = [&](const Reads &old) { return hasSeenAll(clock, read.block, old); };
  // Not at each read: a list has at most twice as many as it needs.
  if (std::has_single_bit(more.size()))
    std::erase_if(more, isCovered);
  cell.hasManyReads |= more.size() >= many;
  if (more.size() < many)
    more.push_back(read);
}

void AccessLog::forgetReads(Cell &cell) {
  if (cell.moreReads) {
    lists[cell.moreReads].clear();
    freeLists.push_back(cell.moreReads);
  }
  cell.read = {};
  cell.moreReads = 0;
  cell.hasManyReads = cell.hasUnknownReads = cell.isReadOnly = false;
}

static void merge(Race &race, Race &&found) {
  if (!found)
    return;
  bool needsReaders = race.needsReaders || found.needsReaders;
  // One that is an error by itself says more, and stays one.
  if (!race || found.reads.empty())
    race = std::move(found);
  else if (!race.reads.empty())
    race.reads.insert(race.reads.end(), found.reads.begin(), found.reads.end());
  race.needsReaders = needsReaders;
}

void AccessLog::noteCell(size_t number, Access access, const Clock &clock, uint32_t block,
                         Race &race) {
  if (!isBehindWrite(cells[number], access, clock, block))
    merge(race, checkWrite(number, access, clock, block));
  // Which atomic writes come after an atomic read nobody has to order.
  if (access == Access::AtomicRead && (cells[number].isAtomic || !cells[number].isWritten))
    return;
  if (!isWriting(access)) {
    addRead(number, clock, block);
    cells[number].isReadOnly |= access == Access::ReadOnlyPath;
    return;
  }
  Cell &cell = cells[number];
  if (cell.read.agents) {
    if (!isBehindReads(cell, clock, block))
      merge(race, checkReads(number, clock, block));
    forgetReads(cell);
  }
  cell.isWritten = true;
  cell.isAtomic = isAtomic(access);
  cell.isAsyncWrite = access == Access::AsyncWrite;
  cell.write = {block, clock.agent, clock.time};
}

Race AccessLog::note(size_t offset, size_t count, Access access, const Clock &clock, uint32_t block,
                     uint32_t launch, bool keeps) {
  keepsReaders = keeps;
  refine(offset, count);
  Race race;
  for (size_t number = offset / grain; number < (offset + count) / grain; ++number) {
    if (cells[number].launch != launch) {
      forgetReads(cells[number]);
      cells[number] = Cell();
      cells[number].launch = launch;
    }
    noteCell(number, access, clock, block, race);
  }
  return race;
}

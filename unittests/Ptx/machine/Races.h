//===- Races.h - who touched which bytes when -------------------*- C++ -*-===//
//
// Vector clocks: a thread's time grows where it lets others know what it did (a barrier, an
// arrival), and others then have seen it. Two accesses of which one writes are a race where neither
// thread has seen the other's. Between blocks that run side by side, what a thread knows travels
// by atomic operations and fences that reach the whole device. Accesses by the device's copy
// engines and tensor cores (the async proxy) must besides have seen a fence after what threads
// wrote.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_UNITTESTS_PTX_RACES_H
#define JIT_UNITTESTS_PTX_RACES_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ptx {

/// What an agent (a thread, or a copy engine) has seen of all agents: their times, then the times
/// up to which what they wrote is known to the async proxy.
struct Times;
/// What is known of each block, by its number; null for nothing.
using BlockTimes = std::vector<std::shared_ptr<const Times>>;
struct Times : std::vector<uint32_t> {
  using std::vector<uint32_t>::vector;
  /// Of other blocks; null where nothing came from them.
  std::shared_ptr<const BlockTimes> others;
};

/// Of one agent. What came by barriers is shared by those who came there.
struct Clock {
  uint32_t agent = 0, time = 1, fenced = 0;
  std::shared_ptr<const Times> seen;
  /// What the last fence of the device lets others know by atomic writes after it, and what atomic
  /// reads found, which the next fence makes known.
  std::shared_ptr<const BlockTimes> released = nullptr, found = nullptr;

  uint32_t seenOf(uint32_t other) const { return other == agent ? time : (*seen)[other]; }
  uint32_t fencedOf(uint32_t other) const {
    return other == agent ? fenced : (*seen)[seen->size() / 2 + other];
  }
};

/// The clocks of a block's threads and copy engines.
class Clocks {
public:
  /// `count` agents that have seen nothing of each other.
  explicit Clocks(uint32_t count);

  /// Everything that `clock` knows becomes known to who acquires `to`.
  void release(Clock &clock, std::shared_ptr<const Times> &to) const;
  void acquire(Clock &clock, const std::shared_ptr<const Times> &from);
  /// What `clock` has seen is now seen by the async proxy.
  void fence(Clock &clock) const;
  /// All that an agent of block `block` of `blocks` knows, for other blocks.
  std::shared_ptr<const BlockTimes> publish(Clock &clock, uint32_t block, uint32_t blocks) const;
  /// An agent of block `block` learns what others published.
  void learn(Clock &clock, const std::shared_ptr<const BlockTimes> &from, uint32_t block);

  uint32_t count;
  std::shared_ptr<const Times> none;

private:
  /// The last union that was made: a warp's lanes make the same one after each other.
  std::shared_ptr<const Times> left, right, both;
};

/// Knows what either knows.
std::shared_ptr<const BlockTimes> unite(const std::shared_ptr<const BlockTimes> &a,
                                        const std::shared_ptr<const BlockTimes> &b);

/// LastRead is an asynchronous read that ends: what it read was read before. Atomic reads and
/// writes race with neither each other nor read-modify-writes.
enum class Access {
  Read,
  Write,
  ReadOnlyPath,
  Atomic,
  AtomicRead,
  AtomicWrite,
  AsyncRead,
  LastRead,
  AsyncWrite
};

inline bool isWriting(Access access) {
  return access == Access::Write || access == Access::AsyncWrite || access == Access::Atomic ||
         access == Access::AtomicWrite;
}

/// A read by an agent at some of its times, of the bytes from `address` on.
struct ReadMark {
  uint32_t block = 0, agent = 0, time = 0;
  uint64_t address = 0;
  auto operator<=>(const ReadMark &) const = default;
};

/// Accesses that nothing orders. What racing reads give is undefined, which matters where it is
/// used; anything else is an error by itself.
struct Race {
  std::string text;
  std::vector<ReadMark> reads;
  /// Who has read is not known, and has to be.
  bool needsReaders = false;
  explicit operator bool() const { return !text.empty() || needsReaders; }
};

/// Who was at which bytes of a piece of memory.
class AccessLog {
public:
  explicit AccessLog(size_t bytes);

  /// Notes an access of a thread of `block` in launch `launch`; what it races with, if anything.
  /// Unless `keepsReaders`, of many readers of what is not written it is known that they are there.
  Race note(size_t offset, size_t bytes, Access access, const Clock &clock, uint32_t block,
            uint32_t launch, bool keepsReaders);

private:
  struct Mark {
    uint32_t block = 0, agent = 0, time = 0;
  };
  /// Reads by agents of a warp, a bit each, at a time of theirs that is the same.
  struct Reads {
    uint32_t block = 0, warp = 0, time = 0, agents = 0;
  };
  struct Cell {
    uint32_t launch = 0;
    Mark write;
    /// Of no agents where nothing has been read; and the number of the list of others, or 0.
    Reads read;
    uint32_t moreReads = 0;
    bool isWritten = false, isReadOnly = false, isAsyncWrite = false, isAtomic = false,
         hasManyReads = false, hasUnknownReads = false;
  };

  void refine(size_t offset, size_t bytes);
  void noteCell(size_t number, Access access, const Clock &clock, uint32_t block, Race &race);
  static bool isBehindWrite(const Cell &cell, Access access, const Clock &clock, uint32_t block);
  static bool hasSeenAll(const Clock &clock, uint32_t block, const Reads &reads);
  bool isBehindReads(const Cell &cell, const Clock &clock, uint32_t block) const;
  Race checkWrite(size_t number, Access access, const Clock &clock, uint32_t block) const;
  Race checkReads(size_t number, const Clock &clock, uint32_t block) const;
  void addRead(size_t number, const Clock &clock, uint32_t block);
  void addFurtherRead(Cell &cell, const Reads &read, const Clock &clock);
  uint32_t makeList();
  void forgetReads(Cell &cell);

  /// Cells begin as large as accesses get, and become as small as they are.
  size_t bytes, grain = 16;
  bool keepsReaders = true;
  std::vector<Cell> cells;
  /// Further readers of cells. The first list is nobody's; then those that are free.
  std::vector<std::vector<Reads>> lists{1};
  std::vector<uint32_t> freeLists;
};

} // namespace ptx

#endif // JIT_UNITTESTS_PTX_RACES_H

//===- BarrierEmulation.h - barriers that copies come to ---------*- C++ -*-===//
#ifndef JIT_LIB_RUNTIME_GPU_BARRIEREMULATION_H
#define JIT_LIB_RUNTIME_GPU_BARRIEREMULATION_H

#include "jit/Runtime/Package.h"

#include <array>
#include <cstddef>
#include <span>
#include <unordered_map>
#include <vector>

namespace jit::runtime {

/// What an emulated kernel gets for an argument that is a map.
struct EmulatedMap {
  const std::byte *address;
  const jit_tensor_map *map;
};

/// Where the byte is that a box would have at `address` if its pieces were in order.
inline uintptr_t swizzled(uintptr_t address) { return address ^ (address >> 3 & 0x70); }

/// A box on its way to shared memory.
struct BoxCopy {
  std::byte *to;
  EmulatedMap from;
  std::array<int32_t, 3> at;
  const void *barrier;

  size_t bytes() const;
};

/// The barriers of one block, by where they are.
class BlockBarriers {
public:
  void clear();
  void init(const void *barrier, int32_t count);
  /// False where there is none.
  bool arrive(const void *barrier, int32_t bytes);
  bool isOver(const void *barrier, int32_t parity) const;
  void start(const BoxCopy &copy) { copies.push_back(copy); }
  /// Does what is under way; false where some of it comes to no barrier.
  bool finishCopies();

private:
  struct Barrier {
    int32_t count = 0, missing = 0;
    int64_t bytes = 0;
    int32_t phase = 0;

    void endPhase();
  };

  std::unordered_map<const void *, Barrier> barriers;
  std::vector<BoxCopy> copies;
};

} // namespace jit::runtime

#endif // JIT_LIB_RUNTIME_GPU_BARRIEREMULATION_H

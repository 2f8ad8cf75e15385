//===- WarpgroupEmulation.h - products of four warps -------------*- C++ -*-===//
#ifndef JIT_LIB_RUNTIME_GPU_WARPGROUPEMULATION_H
#define JIT_LIB_RUNTIME_GPU_WARPGROUPEMULATION_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace jit::runtime {

/// One factor of a product in shared memory, as its descriptor says: where it begins, how far apart
/// eight rows of 128 bytes are from the next eight, and rows of pieces from the next ones.
class WarpgroupFactor {
public:
  /// How elements lie there: their size, and whether rows or columns lie side by side instead of
  /// summands, as those of 4 bytes never do.
  struct Layout {
    size_t elementBytes = 2;
    bool isAcross = false;
  };
  /// `memory` is what the block shares. Nothing for a descriptor of another layout.
  static std::optional<WarpgroupFactor> decode(int64_t descriptor, Layout layout,
                                               std::span<const std::byte> memory);

  /// The summands of one product.
  size_t depth() const { return stepBytes / layout.elementBytes; }
  /// The bits of the element in this row or column; nothing outside of the memory.
  std::optional<uint32_t> element(size_t other, size_t at) const;

private:
  static constexpr size_t stepBytes = 32;

  std::span<const std::byte> memory;
  Layout layout;
  uintptr_t start = 0;
  size_t leading = 0, stride = 0;
};

/// What a product reads, and what it has read.
struct WarpgroupProduct {
  /// Nothing where the factor is in registers.
  std::optional<WarpgroupFactor> left;
  WarpgroupFactor right;
  size_t columns = 0;
  uint64_t checksum = 0;

  /// Nothing where a factor is not in the memory.
  std::optional<uint64_t> sumUp() const;
};

/// The products of one warpgroup that may still read memory, in groups.
class WarpgroupReads {
public:
  void add(WarpgroupProduct product) { open.push_back(product); }
  void commit();
  /// True if the memory that all but the last `pending` groups read is as it was; forgets them.
  bool finish(size_t pending);

private:
  std::vector<WarpgroupProduct> open;
  std::vector<std::vector<WarpgroupProduct>> groups;
};

} // namespace jit::runtime

#endif // JIT_LIB_RUNTIME_GPU_WARPGROUPEMULATION_H

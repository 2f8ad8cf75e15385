//===- Arena.h - bump allocation for syntax trees ---------------*- C++ -*-===//
//
// Holds only trivially destructible things, so that a tree of any depth is freed without recursion.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_ARCHIVE_ARENA_H
#define JIT_ARCHIVE_ARENA_H

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace jit {

class Arena {
public:
  template <typename T, typename... Args> T *create(Args &&...args) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (allocate(sizeof(T), alignof(T))) T(std::forward<Args>(args)...);
  }

  template <typename T> std::span<const T> copy(const std::vector<T> &items) {
    static_assert(std::is_trivially_destructible_v<T>);
    if (items.empty())
      return {};
    T *target = static_cast<T *>(allocate(items.size() * sizeof(T), alignof(T)));
    std::uninitialized_copy(items.begin(), items.end(), target);
    return {target, items.size()};
  }

  std::string_view copy(std::string_view text) {
    char *target = static_cast<char *>(allocate(text.size(), 1));
    std::copy(text.begin(), text.end(), target);
    return {target, text.size()};
  }

  size_t bytesUsed() const { return total; }

private:
  void *allocate(size_t size, size_t align) {
    size_t start = (used + align - 1) & ~(align - 1);
    if (blocks.empty() || start + size > capacity) {
      capacity = std::max(size, std::min<size_t>(std::max<size_t>(total, 4096), 1 << 20));
      blocks.push_back(std::make_unique_for_overwrite<std::byte[]>(capacity));
      total += capacity;
      start = 0;
    }
    used = start + size;
    return blocks.back().get() + start;
  }

  std::vector<std::unique_ptr<std::byte[]>> blocks;
  size_t used = 0;
  size_t capacity = 0;
  size_t total = 0;
};

} // namespace jit

#endif // JIT_ARCHIVE_ARENA_H

//===- SharedBytes.h - immutable bytes that several owners keep -*- C++ -*-===//
//
// A view into a mapped file or into a buffer, together with what keeps it alive: tensors outlive
// the reader that found them.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_ARCHIVE_SHAREDBYTES_H
#define JIT_ARCHIVE_SHAREDBYTES_H

#include "jit/Result.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace jit {

class SharedBytes {
public:
  SharedBytes() = default;
  SharedBytes(std::shared_ptr<const void> owner, std::span<const std::byte> bytes)
      : owner(std::move(owner)), bytes(bytes) {}

  /// A copy of \p text in memory of its own, aligned to 64 bytes.
  static SharedBytes copyOf(std::string_view text);
  /// Maps the file at \p path read-only; it must not be changed while it is in use, only replaced.
  /// One that a stranger may change is read instead: one of another user than the present one and
  /// the superuser, or that anybody may write.
  static Result<SharedBytes> mapFile(const std::string &path);
  /// Fresh writable memory of \p size bytes aligned to 64: \p fill is where to write it once. Gives
  /// empty bytes and a null \p fill if the memory is not to be had.
  static SharedBytes allocate(size_t size, std::byte *&fill);

  const std::byte *data() const { return bytes.data(); }
  size_t size() const { return bytes.size(); }
  std::span<const std::byte> span() const { return bytes; }
  std::string_view text() const {
    return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
  }

  /// The part [offset, offset + size), sharing ownership. The range must lie inside.
  SharedBytes slice(size_t offset, size_t size) const {
    return {owner, bytes.subspan(offset, size)};
  }

private:
  std::shared_ptr<const void> owner;
  std::span<const std::byte> bytes;
};

} // namespace jit

#endif // JIT_ARCHIVE_SHAREDBYTES_H

//===- FlatBuffer.h - tables in the FlatBuffers format ----------*- C++ -*-===//
//
// Every place is checked to lie in the bytes. What is not there is empty or 0; what reaches beyond
// the bytes is so too, and the buffer is damaged: whoever reads asks that before using anything.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_ARCHIVE_FLATBUFFER_H
#define JIT_LIB_ARCHIVE_FLATBUFFER_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace jit {

class FlatBuffer {
public:
  explicit FlatBuffer(std::span<const std::byte> bytes) : bytes(bytes) {}

  bool isDamaged() const { return damaged; }
  uint64_t size() const { return bytes.size(); }

  /// Whether [place, place + size) lies in the bytes; damaged if not.
  bool holds(uint64_t place, uint64_t size) {
    bool inside = place <= bytes.size() && size <= bytes.size() - place;
    damaged |= !inside;
    return inside;
  }
  template <typename T> T read(uint64_t place) {
    T value = 0;
    if (holds(place, sizeof(T)))
      std::memcpy(&value, bytes.data() + place, sizeof(T));
    return value;
  }
  std::string_view text(uint64_t place, uint64_t size) {
    if (!holds(place, size))
      return {};
    return {reinterpret_cast<const char *>(bytes.data()) + place, size};
  }

private:
  std::span<const std::byte> bytes;
  bool damaged = false;
};

/// Elements one after another.
struct FlatVector {
  uint64_t place = 0;
  uint32_t count = 0;
};

/// Fields by their numbers in the schema; one that is not there has its default.
class FlatTable {
public:
  /// The table that the offset at \p place leads to.
  static FlatTable at(FlatBuffer &buffer, uint64_t place) {
    return FlatTable(buffer, place + buffer.read<uint32_t>(place));
  }

  /// Where a field's value lies; 0 where it is not there.
  uint64_t find(unsigned field) const {
    uint64_t entry = 4 + 2 * uint64_t(field);
    int64_t vtable = int64_t(place) - buffer->read<int32_t>(place);
    if (vtable < 0)
      return buffer->holds(UINT64_MAX, 1), 0;
    if (entry + 2 > buffer->read<uint16_t>(vtable))
      return 0;
    uint16_t offset = buffer->read<uint16_t>(vtable + entry);
    return offset ? place + offset : 0;
  }
  bool has(unsigned field) const { return find(field) != 0; }

  template <typename T> T scalar(unsigned field, T otherwise = 0) const {
    uint64_t found = find(field);
    return found ? buffer->read<T>(found) : otherwise;
  }
  /// Requires has(field); of a union's struct also its fields' place.
  FlatTable table(unsigned field) const { return at(*buffer, find(field)); }
  uint64_t structure(unsigned field) const {
    uint64_t found = find(field);
    return found + buffer->read<uint32_t>(found);
  }
  FlatVector vector(unsigned field, uint64_t elementSize) const {
    uint64_t found = find(field);
    if (!found)
      return {};
    found += buffer->read<uint32_t>(found);
    FlatVector vector = {found + 4, buffer->read<uint32_t>(found)};
    if (!buffer->holds(vector.place, vector.count * elementSize))
      return {};
    return vector;
  }
  std::string_view string(unsigned field) const {
    FlatVector characters = vector(field, 1);
    return buffer->text(characters.place, characters.count);
  }

private:
  FlatTable(FlatBuffer &buffer, uint64_t place) : buffer(&buffer), place(place) {}

  FlatBuffer *buffer;
  uint64_t place;
};

} // namespace jit

#endif // JIT_LIB_ARCHIVE_FLATBUFFER_H

//===- ZipWriter.h - members to a zip, as they come -------------*- C++ -*-===//
//
// Members are stored, each at a multiple of 64 bytes, so that whoever maps the file can use them
// where they lie. A member's bytes go on at once and are not kept.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_ARCHIVE_ZIPWRITER_H
#define JIT_ARCHIVE_ZIPWRITER_H

#include "jit/Archive/ByteSink.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jit {

class ZipWriter {
public:
  /// All members are in the folder \p root.
  ZipWriter(ByteSink sink, std::string root) : sink(std::move(sink)), root(std::move(root)) {}

  void add(std::string_view name, std::string_view bytes);
  /// The directory; nothing may follow.
  void finish();

private:
  struct Member {
    std::string path;
    uint64_t size, offset;
    uint32_t checksum;
  };
  void put(std::string_view bytes);
  /// A number in its little-endian bytes.
  void number(uint64_t value, unsigned bytes);
  void describe(const Member &member, unsigned extraSize, bool isLarge);
  void listMember(const Member &member);

  ByteSink sink;
  std::string root;
  std::vector<Member> members;
  uint64_t at = 0;
};

/// As zips have it.
uint32_t crc32(std::string_view bytes);

} // namespace jit

#endif // JIT_ARCHIVE_ZIPWRITER_H

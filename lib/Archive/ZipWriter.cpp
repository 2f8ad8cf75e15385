//===- ZipWriter.cpp - members to a zip, as they come ---------------------===//

#include "jit/Archive/ZipWriter.h"

#include <algorithm>
#include <array>

namespace jit {

//===----------------------------------------------------------------------===//
// Checksums
//===----------------------------------------------------------------------===//

namespace {
/// What a byte does to the checksum of what follows it, for each of eight bytes in a row.
using ChecksumTables = std::array<std::array<uint32_t, 256>, 8>;
} // namespace

static constexpr ChecksumTables makeChecksumTables() {
  ChecksumTables tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit)
      value = (value & 1 ? 0xEDB88320u : 0) ^ (value >> 1);
    tables[0][byte] = value;
  }
  for (size_t row = 1; row < tables.size(); ++row)
    for (uint32_t byte = 0; byte < 256; ++byte) {
      uint32_t before = tables[row - 1][byte];
      tables[row][byte] = tables[0][before & 0xFF] ^ (before >> 8);
    }
  return tables;
}

uint32_t crc32(std::string_view bytes) {
  static constexpr ChecksumTables tables = makeChecksumTables();
  auto byteAt = [&](size_t place) { return static_cast<uint8_t>(bytes[place]); };
  uint32_t sum = ~0u;
  size_t at = 0;
  // Eight bytes a step: weights are large.
  for (; at + 8 <= bytes.size(); at += 8) {
    uint32_t next = 0;
    for (unsigned i = 0; i < 8; ++i) {
      uint8_t byte = byteAt(at + i) ^ (i < 4 ? static_cast<uint8_t>(sum >> (8 * i)) : 0);
      next ^= tables[7 - i][byte];
    }
    sum = next;
  }
  for (; at < bytes.size(); ++at)
    sum = tables[0][(sum ^ byteAt(at)) & 0xFF] ^ (sum >> 8);
  return ~sum;
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

static constexpr uint64_t alignment = 64;
static constexpr uint64_t largest32 = 0xFFFFFFFF;
/// Of the record before a member, without its name.
static constexpr uint64_t headerSize = 30;
static constexpr unsigned sizesId = 1;
/// Any that no reader knows.
static constexpr unsigned paddingId = 0x4246;

void ZipWriter::put(std::string_view bytes) {
  sink(bytes);
  at += bytes.size();
}

void ZipWriter::number(uint64_t value, unsigned bytes) {
  std::string text;
  for (unsigned i = 0; i < bytes; ++i)
    text += static_cast<char>(value >> (8 * i));
  put(text);
}

/// What a member's record and its line in the directory both say.
void ZipWriter::describe(const Member &member, unsigned extraSize, bool isLarge) {
  number(isLarge ? 45 : 20, 2); // the version that a reader needs
  number(1 << 11, 2);           // names are UTF-8
  number(0, 2);                 // stored
  number(0, 2);
  number(0x21, 2); // 1 January 1980: equal programs are equal files
  number(member.checksum, 4);
  uint64_t size = isLarge ? largest32 : member.size;
  number(size, 4);
  number(size, 4);
  number(member.path.size(), 2);
  number(extraSize, 2);
}

void ZipWriter::add(std::string_view name, std::string_view bytes) {
  Member member{root + "/" + std::string(name), bytes.size(), at, crc32(bytes)};
  bool isLarge = member.size >= largest32;
  uint64_t sizes = isLarge ? 20 : 0, padding = 4;
  uint64_t data = at + headerSize + member.path.size() + sizes + padding;
  padding += (alignment - data % alignment) % alignment;

  number(0x04034B50, 4);
  describe(member, sizes + padding, isLarge);
  put(member.path);
  if (isLarge) {
    number(sizesId, 2);
    number(16, 2);
    number(member.size, 8);
    number(member.size, 8);
  }
  number(paddingId, 2);
  number(padding - 4, 2);
  put(std::string(padding - 4, '\0'));
  put(bytes);
  members.push_back(std::move(member));
}

void ZipWriter::listMember(const Member &member) {
  bool isLarge = member.size >= largest32 || member.offset >= largest32;
  number(0x02014B50, 4);
  number(isLarge ? 45 : 20, 2);
  describe(member, isLarge ? 28 : 0, isLarge);
  number(0, 2); // no comment
  number(0, 2); // the disk
  number(0, 2);
  number(0, 4);
  number(isLarge ? largest32 : member.offset, 4);
  put(member.path);
  if (!isLarge)
    return;
  number(sizesId, 2);
  number(24, 2);
  number(member.size, 8);
  number(member.size, 8);
  number(member.offset, 8);
}

void ZipWriter::finish() {
  uint64_t start = at;
  for (const Member &member : members)
    listMember(member);
  uint64_t size = at - start, end = at;
  if (start >= largest32 || members.size() >= 0xFFFF) {
    number(0x06064B50, 4);
    number(44, 8);
    number(45, 2);
    number(45, 2);
    number(0, 4);
    number(0, 4);
    number(members.size(), 8);
    number(members.size(), 8);
    number(size, 8);
    number(start, 8);
    number(0x07064B50, 4);
    number(0, 4);
    number(end, 8);
    number(1, 4);
  }
  number(0x06054B50, 4);
  number(0, 4);
  number(std::min<uint64_t>(members.size(), 0xFFFF), 2);
  number(std::min<uint64_t>(members.size(), 0xFFFF), 2);
  number(std::min(size, largest32), 4);
  number(std::min(start, largest32), 4);
  number(0, 2);
}

} // namespace jit

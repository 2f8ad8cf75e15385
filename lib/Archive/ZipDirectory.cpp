//===- ZipDirectory.cpp - where a zip's members lie in the file -----------===//

#include "ZipDirectory.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace jit {
namespace {

constexpr uint32_t localHeader = 0x04034b50;
constexpr uint32_t centralHeader = 0x02014b50;
constexpr uint32_t endRecord = 0x06054b50;
constexpr uint32_t end64Record = 0x06064b50;
constexpr uint32_t end64Locator = 0x07064b50;
constexpr size_t localSize = 30, centralSize = 46, endSize = 22, end64Size = 56, locatorSize = 20;

class DirectoryReader {
public:
  DirectoryReader(std::span<const std::byte> bytes, const std::string &archive)
      : bytes(bytes), archive(archive) {}

  Result<std::vector<ZipEntry>> run();

private:
  /// The little-endian number at \p at, which must have been checked to lie inside.
  template <typename T> T read(uint64_t at) const {
    T value = 0;
    for (size_t i = 0; i < sizeof(T); ++i)
      value |= static_cast<T>(static_cast<T>(bytes[at + i]) << (8 * i));
    return value;
  }
  bool inside(uint64_t at, uint64_t size) const {
    return at <= bytes.size() && size <= bytes.size() - at;
  }
  bool startsWith(uint64_t at, uint32_t signature, uint64_t size) const {
    return inside(at, size) && read<uint32_t>(at) == signature;
  }
  std::string_view text(uint64_t at, size_t size) const {
    return {reinterpret_cast<const char *>(bytes.data()) + at, size};
  }
  Error malformed(uint64_t at, std::string message) const {
    return {ErrorCode::Malformed, std::move(message), archive + ": offset " + std::to_string(at)};
  }

  std::optional<uint64_t> findEnd() const;
  Result<void> readEnd();
  Result<void> readEntry(uint64_t &at, std::vector<ZipEntry> &entries) const;
  bool readZip64(uint64_t at, size_t size, ZipEntry &entry, uint64_t &headerOffset) const;
  Result<void> locate(ZipEntry &entry, uint64_t headerOffset) const;

  std::span<const std::byte> bytes;
  const std::string &archive;
  uint64_t entryCount = 0;
  uint64_t directoryOffset = 0;
  uint64_t directorySize = 0;
};

} // namespace

/// The end record stands last, but for a comment whose length it gives.
std::optional<uint64_t> DirectoryReader::findEnd() const {
  if (bytes.size() < endSize)
    return std::nullopt;
  uint64_t last = bytes.size() - endSize;
  uint64_t first = last > 0xffff ? last - 0xffff : 0;
  for (uint64_t at = last + 1; at-- > first;)
    if (startsWith(at, endRecord, endSize) &&
        at + endSize + read<uint16_t>(at + 20) == bytes.size())
      return at;
  return std::nullopt;
}

Result<void> DirectoryReader::readEnd() {
  std::optional<uint64_t> end = findEnd();
  if (!end)
    return Error{ErrorCode::Malformed, "expected a zip archive, found no end-of-directory record",
                 archive};
  entryCount = read<uint16_t>(*end + 10);
  directorySize = read<uint32_t>(*end + 12);
  directoryOffset = read<uint32_t>(*end + 16);
  uint64_t limit = *end;
  if (*end >= locatorSize && startsWith(*end - locatorSize, end64Locator, locatorSize)) {
    uint64_t at = read<uint64_t>(*end - locatorSize + 8);
    if (!startsWith(at, end64Record, end64Size))
      return malformed(*end - locatorSize, "zip64 locator points outside the archive");
    entryCount = read<uint64_t>(at + 32);
    directorySize = read<uint64_t>(at + 40);
    directoryOffset = read<uint64_t>(at + 48);
    limit = at;
  }
  if (directoryOffset > limit || directorySize > limit - directoryOffset)
    return malformed(*end, "central directory does not lie inside the archive");
  if (entryCount > directorySize / centralSize)
    return malformed(*end, "directory of " + std::to_string(directorySize) + " bytes cannot hold " +
                               std::to_string(entryCount) + " entries");
  return {};
}

/// Fields that did not fit 32 bits stand in the zip64 extra field, in a fixed order, only those.
bool DirectoryReader::readZip64(uint64_t at, size_t size, ZipEntry &entry,
                                uint64_t &headerOffset) const {
  uint64_t *fields[] = {&entry.size, &entry.compressedSize, &headerOffset};
  if (std::none_of(std::begin(fields), std::end(fields), [](auto *f) { return *f == 0xffffffff; }))
    return true;
  for (uint64_t end = at + size; end - at >= 4;) {
    uint16_t id = read<uint16_t>(at), length = read<uint16_t>(at + 2);
    at += 4;
    if (length > end - at)
      return false;
    if (id != 1) {
      at += length;
      continue;
    }
    for (uint64_t *field : fields) {
      if (*field != 0xffffffff)
        continue;
      if (length < 8)
        return false;
      *field = read<uint64_t>(at);
      at += 8;
      length -= 8;
    }
    return true;
  }
  return false;
}

/// Finds the data behind the local header, which repeats the name.
Result<void> DirectoryReader::locate(ZipEntry &entry, uint64_t headerOffset) const {
  std::string quoted = "member '" + std::string(entry.name) + "'";
  if (!startsWith(headerOffset, localHeader, localSize))
    return malformed(headerOffset, quoted + " has no local header here");
  uint64_t nameSize = read<uint16_t>(headerOffset + 26),
           extraSize = read<uint16_t>(headerOffset + 28);
  if (!inside(headerOffset + localSize, nameSize + extraSize))
    return malformed(headerOffset, quoted + " is cut short");
  if (text(headerOffset + localSize, nameSize) != entry.name)
    return malformed(headerOffset, quoted + " has another name in its local header");
  entry.dataOffset = headerOffset + localSize + nameSize + extraSize;
  if (!inside(entry.dataOffset, entry.compressedSize))
    return malformed(headerOffset, quoted + " claims " + std::to_string(entry.compressedSize) +
                                       " bytes, more than the archive holds");
  if (entry.method == 0 && entry.compressedSize != entry.size)
    return malformed(headerOffset, quoted + " is stored, but claims " + std::to_string(entry.size) +
                                       " bytes and holds " + std::to_string(entry.compressedSize));
  return {};
}

Result<void> DirectoryReader::readEntry(uint64_t &at, std::vector<ZipEntry> &entries) const {
  uint64_t end = directoryOffset + directorySize;
  if (end - at < centralSize || read<uint32_t>(at) != centralHeader)
    return malformed(at, "expected a central directory entry");
  ZipEntry entry;
  entry.flags = read<uint16_t>(at + 8);
  entry.method = read<uint16_t>(at + 10);
  entry.compressedSize = read<uint32_t>(at + 20);
  entry.size = read<uint32_t>(at + 24);
  uint64_t nameSize = read<uint16_t>(at + 28), extraSize = read<uint16_t>(at + 30);
  uint64_t commentSize = read<uint16_t>(at + 32);
  uint64_t headerOffset = read<uint32_t>(at + 42);
  uint64_t rest = nameSize + extraSize + commentSize;
  if (rest > end - at - centralSize)
    return malformed(at, "central directory entry is cut short");
  entry.name = text(at + centralSize, nameSize);
  if (!readZip64(at + centralSize + nameSize, extraSize, entry, headerOffset))
    return malformed(at, "member '" + std::string(entry.name) + "' lacks its zip64 sizes");
  if (Result<void> located = locate(entry, headerOffset); !located)
    return located;
  entries.push_back(entry);
  at += centralSize + rest;
  return {};
}

Result<std::vector<ZipEntry>> DirectoryReader::run() {
  if (Result<void> end = readEnd(); !end)
    return end.takeError();
  std::vector<ZipEntry> entries;
  entries.reserve(entryCount);
  uint64_t at = directoryOffset;
  for (uint64_t i = 0; i < entryCount; ++i)
    if (Result<void> entry = readEntry(at, entries); !entry)
      return entry.takeError();
  return entries;
}

Result<std::vector<ZipEntry>> readZipDirectory(std::span<const std::byte> bytes,
                                               const std::string &archive) {
  return DirectoryReader(bytes, archive).run();
}

} // namespace jit

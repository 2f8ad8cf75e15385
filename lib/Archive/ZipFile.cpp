//===- ZipFile.cpp - members of a PyTorch archive -------------------------===//

#include "jit/Archive/ZipFile.h"

#include "ZipDirectory.h"
#include "jit/OutOfMemory.h"

#include <cstring>
#include <memory>
#include <unordered_map>
#include <zip.h>

namespace jit {

/// Deflate cannot do better, so a member that claims more lies.
static constexpr uint64_t maxDeflateRatio = 1032;
static constexpr uint16_t encryptedFlag = 1;

class ZipFile::Impl {
public:
  Impl(SharedBytes bytes, std::string name, const ArchiveLimits &limits, ZipLayout layout)
      : bytes(std::move(bytes)), name(std::move(name)), limits(limits), layout(layout) {
    uint64_t unfolded;
    if (__builtin_mul_overflow(uint64_t(this->bytes.size()), limits.inflateRatio, &unfolded) ||
        __builtin_add_overflow(unfolded, limits.inflateBase, &budget))
      budget = UINT64_MAX;
  }
  ~Impl() {
    if (zip)
      zip_discard(zip);
  }
  Impl(const Impl &) = delete;
  Impl &operator=(const Impl &) = delete;

  Result<void> open();
  Result<void> openStored(std::vector<StoredMember> members);
  Result<SharedBytes> read(std::string_view member, uint64_t maxSize, bool align);

  SharedBytes bytes;
  std::string name;
  ArchiveLimits limits;
  ZipLayout layout;
  std::string root;
  std::vector<ZipEntry> entries;
  /// By name without the root folder.
  std::unordered_map<std::string_view, size_t> index;
  uint64_t budget = 0;

private:
  Result<void> openZip();
  Result<void> indexMembers();
  Result<std::string_view> withoutRoot(size_t entry);
  Result<SharedBytes> allocate(std::string_view member, uint64_t size, std::byte *&fill);
  Result<SharedBytes> inflate(std::string_view member, size_t entry);

  zip_t *zip = nullptr;
  /// Whose names the entries have, where the bytes do not hold them.
  std::vector<StoredMember> stored;
  uint64_t spent = 0;
};

namespace {
/// What libzip says of a failure, freed at the end.
struct ZipError {
  ZipError() { zip_error_init(&error); }
  ~ZipError() { zip_error_fini(&error); }
  ZipError(const ZipError &) = delete;
  ZipError &operator=(const ZipError &) = delete;

  zip_error_t error;
};
} // namespace

Result<void> ZipFile::Impl::openZip() {
  ZipError failure;
  std::unique_ptr<zip_source_t, void (*)(zip_source_t *)> source(
      zip_source_buffer_create(bytes.data(), bytes.size(), 0, &failure.error), zip_source_free);
  zip = source ? zip_open_from_source(source.get(), ZIP_RDONLY, &failure.error) : nullptr;
  if (zip) {
    (void)source.release(); // it is the archive's now
    return {};
  }
  if (zip_error_code_zip(&failure.error) == ZIP_ER_MEMORY)
    return outOfMemory();
  return Error{ErrorCode::Malformed,
               std::string("expected a zip archive: ") + zip_error_strerror(&failure.error), name};
}

/// The entry's name without the root folder, which has to be the one of all.
Result<std::string_view> ZipFile::Impl::withoutRoot(size_t entry) {
  std::string_view full = entries[entry].name;
  if (layout == ZipLayout::Flat)
    return full;
  size_t slash = full.find('/');
  if (slash == std::string_view::npos || slash == 0)
    return Error{ErrorCode::Malformed,
                 "expected every member in one root folder, got '" + std::string(full) + "'", name};
  if (entry == 0)
    root = full.substr(0, slash);
  if (full.substr(0, slash) != root)
    return Error{ErrorCode::Malformed,
                 "expected one root folder, got '" + root + "' and '" +
                     std::string(full.substr(0, slash)) + "'",
                 name};
  return full.substr(slash + 1);
}

Result<void> ZipFile::Impl::indexMembers() {
  for (size_t i = 0; i < entries.size(); ++i) {
    Result<std::string_view> member = withoutRoot(i);
    if (!member)
      return member.takeError();
    if (!index.emplace(*member, i).second)
      return Error{ErrorCode::Malformed, "member stands twice", std::string(*member)};
  }
  return {};
}

Result<void> ZipFile::Impl::open() {
  Result<std::vector<ZipEntry>> directory = readZipDirectory(bytes.span(), name);
  if (!directory)
    return directory.takeError();
  entries = std::move(*directory);
  if (entries.empty())
    return Error{ErrorCode::Malformed, "archive is empty", name};
  if (Result<void> opened = openZip(); !opened)
    return opened;
  // Two readings of one file must agree, or a member could be one thing to us and another to
  // libzip.
  bool agree = zip_get_num_entries(zip, 0) == static_cast<zip_int64_t>(entries.size());
  for (size_t i = 0; agree && i < entries.size(); ++i) {
    zip_stat_t stat;
    const char *raw = zip_get_name(zip, i, ZIP_FL_ENC_RAW);
    agree = raw && entries[i].name == raw && zip_stat_index(zip, i, 0, &stat) == 0 &&
            stat.size == entries[i].size && stat.comp_size == entries[i].compressedSize;
  }
  if (!agree)
    return Error{ErrorCode::Malformed, "central directory is ambiguous", name};
  return indexMembers();
}

Result<void> ZipFile::Impl::openStored(std::vector<StoredMember> members) {
  stored = std::move(members);
  for (const StoredMember &member : stored) {
    if (member.offset > bytes.size() || member.size > bytes.size() - member.offset)
      return Error{ErrorCode::Malformed, "member reaches beyond the end of the file", member.name};
    entries.push_back({.name = member.name,
                       .method = ZIP_CM_STORE,
                       .compressedSize = member.size,
                       .size = member.size,
                       .dataOffset = member.offset});
  }
  return indexMembers();
}

Result<SharedBytes> ZipFile::Impl::allocate(std::string_view member, uint64_t size,
                                            std::byte *&fill) {
  if (size > budget - spent)
    return Error{ErrorCode::LimitExceeded,
                 "unfolding " + std::to_string(size) + " bytes would exceed the limit of " +
                     std::to_string(budget) + " for this archive",
                 std::string(member)};
  SharedBytes memory = SharedBytes::allocate(size, fill);
  if (!fill)
    return Error{ErrorCode::LimitExceeded, "out of memory for " + std::to_string(size) + " bytes",
                 std::string(member)};
  spent += size;
  return memory;
}

Result<SharedBytes> ZipFile::Impl::inflate(std::string_view member, size_t entry) {
  uint64_t size = entries[entry].size;
  if (size / maxDeflateRatio > entries[entry].compressedSize)
    return Error{ErrorCode::Malformed,
                 "claims " + std::to_string(size) + " bytes, which " +
                     std::to_string(entries[entry].compressedSize) + " deflated bytes cannot hold",
                 std::string(member)};
  std::byte *fill;
  Result<SharedBytes> memory = allocate(member, size, fill);
  if (!memory)
    return memory;
  std::unique_ptr<zip_file_t, int (*)(zip_file_t *)> file(zip_fopen_index(zip, entry, 0),
                                                          zip_fclose);
  if (!file && zip_error_code_zip(zip_get_error(zip)) == ZIP_ER_MEMORY)
    return outOfMemory();
  if (!file)
    return Error{ErrorCode::Malformed, std::string("cannot inflate: ") + zip_strerror(zip),
                 std::string(member)};
  uint64_t done = 0;
  zip_int64_t got = 1;
  while (done < size && (got = zip_fread(file.get(), fill + done, size - done)) > 0)
    done += got;
  // One more read: the checksum is compared at the end of the data, and the data should end here.
  char extra;
  if (got > 0 || size == 0)
    got = zip_fread(file.get(), &extra, 1);
  std::string reason = got < 0 ? zip_file_strerror(file.get()) : "data and claimed size differ";
  if (done != size || got != 0)
    return Error{ErrorCode::Malformed, "cannot inflate: " + reason, std::string(member)};
  return memory;
}

Result<SharedBytes> ZipFile::Impl::read(std::string_view member, uint64_t maxSize, bool align) {
  auto found = index.find(member);
  if (found == index.end())
    return Error{ErrorCode::NotFound, "archive has no such member", std::string(member)};
  const ZipEntry &entry = entries[found->second];
  if (entry.size > maxSize)
    return Error{ErrorCode::LimitExceeded,
                 "expected at most " + std::to_string(maxSize) + " bytes, got " +
                     std::to_string(entry.size),
                 std::string(member)};
  if (entry.flags & encryptedFlag)
    return Error{ErrorCode::Unsupported, "member is encrypted", std::string(member)};
  if (entry.method == ZIP_CM_DEFLATE)
    return inflate(member, found->second);
  if (entry.method != ZIP_CM_STORE)
    return Error{ErrorCode::Unsupported,
                 "expected a stored or deflated member, got zip method " +
                     std::to_string(entry.method),
                 std::string(member)};
  SharedBytes stored = bytes.slice(entry.dataOffset, entry.size);
  if (!align || reinterpret_cast<uintptr_t>(stored.data()) % 64 == 0)
    return stored;
  std::byte *fill;
  Result<SharedBytes> memory = allocate(member, entry.size, fill);
  if (memory && entry.size)
    std::memcpy(fill, stored.data(), entry.size);
  return memory;
}

Result<ZipFile> ZipFile::openBytes(SharedBytes bytes, const std::string &name,
                                   const ArchiveLimits &limits, ZipLayout layout) {
  return orOutOfMemory([&]() -> Result<ZipFile> {
    auto impl = std::make_shared<Impl>(std::move(bytes), name, limits, layout);
    if (Result<void> opened = impl->open(); !opened)
      return opened.takeError();
    return ZipFile(std::move(impl));
  });
}

Result<ZipFile> ZipFile::ofStored(SharedBytes bytes, const std::string &name,
                                  std::vector<StoredMember> members, const ArchiveLimits &limits) {
  return orOutOfMemory([&]() -> Result<ZipFile> {
    auto impl = std::make_shared<Impl>(std::move(bytes), name, limits, ZipLayout::Flat);
    if (Result<void> opened = impl->openStored(std::move(members)); !opened)
      return opened.takeError();
    return ZipFile(std::move(impl));
  });
}

Result<ZipFile> ZipFile::open(const std::string &path, const ArchiveLimits &limits) {
  return orOutOfMemory([&]() -> Result<ZipFile> {
    Result<SharedBytes> mapped = SharedBytes::mapFile(path);
    if (!mapped)
      return mapped.takeError();
    return openBytes(std::move(*mapped), path, limits);
  });
}

const std::string &ZipFile::root() const { return impl->root; }
const ArchiveLimits &ZipFile::limits() const { return impl->limits; }
uint64_t ZipFile::budget() const { return impl->budget; }

std::vector<std::string> ZipFile::members() const {
  std::vector<std::string> names;
  for (const ZipEntry &entry : impl->entries)
    if (!entry.name.ends_with('/'))
      names.emplace_back(entry.name.substr(impl->root.empty() ? 0 : impl->root.size() + 1));
  return names;
}

bool ZipFile::contains(std::string_view member) const { return impl->index.contains(member); }

uint64_t ZipFile::sizeOf(std::string_view member) const {
  auto found = impl->index.find(member);
  return found == impl->index.end() ? 0 : impl->entries[found->second].size;
}

Result<SharedBytes> ZipFile::read(std::string_view member, uint64_t maxSize) const {
  return orOutOfMemory(
      [&]() -> Result<SharedBytes> { return impl->read(member, maxSize, /*align=*/false); });
}

Result<SharedBytes> ZipFile::readAligned(std::string_view member) const {
  return orOutOfMemory(
      [&]() -> Result<SharedBytes> { return impl->read(member, UINT64_MAX, /*align=*/true); });
}

} // namespace jit

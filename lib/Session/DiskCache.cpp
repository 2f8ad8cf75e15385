//===- DiskCache.cpp - what processes leave each other --------------------===//

#include "jit/Session/DiskCache.h"
#include "CacheFolder.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <tuple>
#include <unistd.h>

using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace jit {

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

CacheKeyBuilder &CacheKeyBuilder::add(uint64_t number) {
  hash.update(llvm::ArrayRef(reinterpret_cast<const uint8_t *>(&number), sizeof number));
  return *this;
}

CacheKeyBuilder &CacheKeyBuilder::add(StringRef text) {
  add(uint64_t(text.size()));
  hash.update(text);
  return *this;
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

namespace {
/// What a record begins with; then one size for each part, then the parts. Part 0 is the label.
struct Header {
  char magic[8];
  CacheKey key;
  uint64_t checksum[2]; ///< of all that follows it
  uint64_t count;
};
} // namespace

static constexpr char magic[8] = {'J', 'I', 'T', 'C', 'A', 'C', 'H', '1'};
static constexpr size_t checkedFrom = offsetof(Header, count);

static llvm::XXH128_hash_t checksumOf(StringRef record) {
  StringRef checked = record.drop_front(checkedFrom);
  return llvm::xxh3_128bits(llvm::arrayRefFromStringRef(checked));
}

static std::string encode(const CacheKey &key, StringRef label, llvm::ArrayRef<StringRef> parts) {
  Header header{{}, key, {}, 1 + parts.size()};
  std::memcpy(header.magic, magic, sizeof magic);
  std::string record(reinterpret_cast<const char *>(&header), sizeof header);
  auto addSize = [&](uint64_t size) {
    record.append(reinterpret_cast<const char *>(&size), sizeof size);
  };
  addSize(label.size());
  for (StringRef part : parts)
    addSize(part.size());
  record += label;
  for (StringRef part : parts)
    record += part;
  auto [low, high] = checksumOf(record);
  uint64_t checksum[] = {low, high};
  std::memcpy(record.data() + offsetof(Header, checksum), checksum, sizeof checksum);
  return record;
}

static std::optional<Header> headerOf(StringRef record) {
  Header header;
  if (record.size() < sizeof header)
    return std::nullopt;
  std::memcpy(&header, record.data(), sizeof header);
  return std::memcmp(header.magic, magic, sizeof magic) == 0 ? std::optional(header) : std::nullopt;
}

/// The parts of a record, its label first; none where it is not one, or not for this key.
static std::optional<std::vector<StringRef>> decode(StringRef record, const CacheKey &key) {
  auto found = headerOf(record);
  if (!found)
    return std::nullopt;
  const Header &header = *found;
  auto [low, high] = checksumOf(record);
  if (header.key != key || header.checksum[0] != low || header.checksum[1] != high)
    return std::nullopt;
  StringRef rest = record.drop_front(sizeof header);
  if (header.count == 0 || header.count > rest.size() / sizeof(uint64_t))
    return std::nullopt;
  StringRef sizes = rest.take_front(header.count * sizeof(uint64_t));
  rest = rest.drop_front(sizes.size());
  std::vector<StringRef> parts;
  for (; !sizes.empty(); sizes = sizes.drop_front(sizeof(uint64_t))) {
    uint64_t size;
    std::memcpy(&size, sizes.data(), sizeof size);
    if (size > rest.size())
      return std::nullopt;
    parts.push_back(rest.take_front(size));
    rest = rest.drop_front(size);
  }
  return rest.empty() ? std::optional(std::move(parts)) : std::nullopt;
}

/// The label of a record that begins so, read without a look at the rest: for people.
static std::optional<std::string> labelOf(StringRef start) {
  auto header = headerOf(start);
  StringRef rest = start.drop_front(std::min(start.size(), sizeof(Header)));
  uint64_t size;
  if (!header || rest.size() < sizeof size || header->count > rest.size() / sizeof size)
    return std::nullopt;
  std::memcpy(&size, rest.data(), sizeof size);
  return rest.substr(header->count * sizeof size, size).str();
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

namespace {
/// A file that is open, until its end.
struct OpenFile {
  explicit OpenFile(const std::string &path)
      : descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)) {}
  ~OpenFile() {
    if (descriptor >= 0)
      ::close(descriptor);
  }
  OpenFile(const OpenFile &) = delete;
  OpenFile &operator=(const OpenFile &) = delete;

  int descriptor;
};
} // namespace

/// The bytes of a file that nobody else can have written, and not more than `most`. They are read,
/// not mapped: what has been checked stays what it is.
static std::unique_ptr<llvm::MemoryBuffer> readOwn(const std::string &path, uint64_t most,
                                                   bool isUsed) {
  OpenFile file(path);
  fs::file_status status;
  if (file.descriptor < 0 || fs::status(file.descriptor, status))
    return nullptr;
  if (auto refusal = refusalOf(status, fs::file_type::regular_file)) {
    warnOnce(path + ": " + *refusal);
    return nullptr;
  }
  auto bytes = llvm::MemoryBuffer::getOpenFileSlice(
      file.descriptor, path, std::min<uint64_t>(status.getSize(), most), 0, /*IsVolatile=*/true);
  if (!bytes)
    return nullptr;
  // Which one is unused for longest; systems need not note by themselves when files are read.
  if (isUsed)
    std::ignore =
        fs::setLastAccessAndModificationTime(file.descriptor, std::chrono::system_clock::now());
  return std::move(*bytes);
}

/// Writes beside the file and then takes its name, so that it is never seen in part.
static void replaceFile(const std::string &path, StringRef bytes) {
  int descriptor = -1;
  llvm::SmallString<128> temporary;
  if (fs::createUniqueFile(path + ".%%%%%%%%", descriptor, temporary, fs::OF_None,
                           fs::owner_read | fs::owner_write))
    return;
  llvm::raw_fd_ostream file(descriptor, /*shouldClose=*/true);
  file << bytes;
  file.close();
  bool isWhole = !file.has_error();
  file.clear_error(); // else the destructor ends the program
  if (!isWhole || fs::rename(temporary, path))
    std::ignore = fs::remove(temporary);
}

//===----------------------------------------------------------------------===//
// The cache
//===----------------------------------------------------------------------===//

/// What our files are called, so that nothing else in the folder is ever touched.
static constexpr llvm::StringLiteral prefix = "jit-";
static constexpr size_t maxLabel = 1000;

std::unique_ptr<DiskCache> DiskCache::open(const std::string &setting) {
  auto folder = cacheFolder(setting);
  if (!folder)
    return nullptr;
  return std::unique_ptr<DiskCache>(new DiskCache(std::move(folder->path), folder->limit));
}

Result<std::unique_ptr<DiskCache>> DiskCache::makeTemporary() {
  llvm::SmallString<128> folder;
  fs::createUniquePath("jit-cache-%%%%%%%%%%%%", folder, /*MakeAbsolute=*/true);
  if (std::error_code error = fs::create_directory(folder, /*IgnoreExisting=*/false, fs::owner_all))
    return Error{ErrorCode::Io, "cannot make a temporary folder: " + error.message()};
  return std::unique_ptr<DiskCache>(
      new DiskCache(folder.str().str(), /*limit=*/UINT64_MAX, /*isTemporary=*/true));
}

DiskCache::~DiskCache() {
  if (isTemporary)
    std::ignore = fs::remove_directories(path);
}

std::string DiskCache::fileOf(const CacheKey &key) const {
  return path + "/" + prefix.str() + llvm::toHex(key, /*LowerCase=*/true);
}

std::optional<CacheRecord> DiskCache::find(const CacheKey &key) const {
  CacheRecord record{readOwn(fileOf(key), UINT64_MAX, /*isUsed=*/true), {}};
  auto parts = record.bytes ? decode(record.bytes->getBuffer(), key) : std::nullopt;
  if (!parts)
    return std::nullopt;
  record.parts.assign(parts->begin() + 1, parts->end());
  return record;
}

/// Whether the folder is looked through after this record: once for each 64th of its limit that is
/// written, on average, as keys happen to fall. Processes need no count in common for that, and
/// stores in a full folder do not each ask for the status of all files.
static bool isTimeToPrune(const CacheKey &key, uint64_t bytes, uint64_t limit) {
  uint64_t drawn;
  std::memcpy(&drawn, key.data(), sizeof drawn);
  return double(drawn) < std::ldexp(64.0 * double(bytes) / double(limit), 64);
}

void DiskCache::store(const CacheKey &key, StringRef label, llvm::ArrayRef<StringRef> parts) {
  std::string record = encode(key, label.take_front(maxLabel), parts);
  if (record.size() > limit)
    return;
  replaceFile(fileOf(key), record);
  if (isTimeToPrune(key, record.size(), limit))
    prune();
}

/// Whether it is not what was to become one.
static bool isRecord(StringRef file) { return !llvm::sys::path::has_extension(file); }

/// Calls `visit` with each of our files: records, and what was to become one.
static std::error_code
forEachFile(const std::string &folder,
            llvm::function_ref<void(const std::string &, const fs::basic_file_status &)> visit) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    auto status = entry->status();
    if (status && llvm::sys::path::filename(entry->path()).starts_with(prefix))
      visit(entry->path(), *status);
  }
  return error;
}

void DiskCache::prune() const {
  struct File {
    llvm::sys::TimePoint<> used;
    uint64_t bytes;
    std::string path;
  };
  std::vector<File> files;
  uint64_t total = 0;
  std::ignore =
      forEachFile(path, [&](const std::string &file, const fs::basic_file_status &status) {
        files.push_back({status.getLastModificationTime(), status.getSize(), file});
        total += status.getSize();
      });
  llvm::sort(files, [](const File &a, const File &b) { return a.used < b.used; });
  for (const File &file : files) {
    if (total <= limit)
      return;
    std::ignore = fs::remove(file.path);
    total -= file.bytes;
  }
}

std::vector<DiskCache::Listed> DiskCache::list() const {
  static constexpr uint64_t start =
      64 * 1024; // holds the label, which is no longer than `maxLabel`
  std::vector<Listed> records;
  std::ignore =
      forEachFile(path, [&](const std::string &file, const fs::basic_file_status &status) {
        auto bytes = isRecord(file) ? readOwn(file, start, /*isUsed=*/false) : nullptr;
        if (auto label = bytes ? labelOf(bytes->getBuffer()) : std::nullopt)
          records.push_back({*label, status.getSize(), status.getLastModificationTime()});
      });
  llvm::sort(records, [](const Listed &a, const Listed &b) { return a.used > b.used; });
  return records;
}

Result<size_t> DiskCache::clear() {
  size_t count = 0;
  std::error_code failed;
  auto remove = [&](const std::string &file, const fs::basic_file_status &) {
    if (std::error_code error = fs::remove(file))
      failed = error;
    else
      count += isRecord(file);
  };
  if (std::error_code error = forEachFile(path, remove))
    failed = error;
  if (failed)
    return Error{ErrorCode::Io, "cannot remove all records: " + failed.message(), path};
  return count;
}

} // namespace jit

//===- StorageRecords.cpp - the bytes of tensors, by their keys -----------===//

#include "jit/Archive/StorageRecords.h"

#include "ExportedLayout.h"
#include "jit/OutOfMemory.h"

namespace jit {

Result<StorageRecords> StorageRecords::open(const std::string &path, const ArchiveLimits &limits) {
  return orOutOfMemory([&]() -> Result<StorageRecords> {
    Result<SharedBytes> bytes = SharedBytes::mapFile(path);
    if (!bytes)
      return bytes.takeError();
    Result<ZipFile> zip = openAnyLayout(std::move(*bytes), path, limits);
    if (!zip)
      return zip.takeError();
    return StorageRecords(std::move(*zip));
  });
}

Result<ZipFile> StorageRecords::openInner(const std::string &member) {
  return orOutOfMemory([&]() -> Result<ZipFile> {
    if (auto known = inner.find(member); known != inner.end())
      return known->second;
    Result<SharedBytes> bytes = zip.readAligned(member);
    if (!bytes)
      return bytes.takeError();
    Result<ZipFile> opened = ZipFile::openBytes(std::move(*bytes), member, zip.limits());
    if (opened)
      inner.emplace(member, *opened);
    return opened;
  });
}

Result<SharedBytes> StorageRecords::read(const std::string &key) {
  return orOutOfMemory([&]() -> Result<SharedBytes> {
    for (std::string_view member : {layout::oldState, layout::oldConstants}) {
      if (!key.starts_with(std::string(member) + "/"))
        continue;
      Result<ZipFile> archive = openInner(std::string(member));
      if (!archive)
        return archive.takeError();
      return archive->readAligned(key.substr(member.size() + 1));
    }
    return zip.readAligned(key);
  });
}

} // namespace jit

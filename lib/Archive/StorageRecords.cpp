//===- StorageRecords.cpp - the bytes of tensors, by their keys -----------===//

#include "jit/Archive/StorageRecords.h"

#include "ExportedLayout.h"
#include "MobileModule.h"
#include "jit/OutOfMemory.h"

namespace jit {

Result<StorageRecords> StorageRecords::open(const std::string &path, const ArchiveLimits &limits) {
  return orOutOfMemory([&]() -> Result<StorageRecords> {
    Result<SharedBytes> bytes = SharedBytes::mapFile(path);
    if (!bytes)
      return bytes.takeError();
    return openBytes(std::move(*bytes), path, limits);
  });
}

Result<StorageRecords> StorageRecords::openBytes(SharedBytes bytes, const std::string &name,
                                                 const ArchiveLimits &limits) {
  return orOutOfMemory([&]() -> Result<StorageRecords> {
    Result<ZipFile> zip = MobileModule::recognizes(bytes)
                              ? MobileModule::openMembers(std::move(bytes), name, limits)
                              : openAnyLayout(std::move(bytes), name, limits);
    if (!zip)
      return zip.takeError();
    return StorageRecords(std::move(*zip));
  });
}

/// Whether a member can only be the record of a tensor: by its name, since nothing else is ever
/// looked for under one of these.
static bool isRecord(std::string_view member) {
  size_t slash = member.rfind('/');
  if (slash == std::string_view::npos)
    return false;
  std::string_view folder = member.substr(0, slash + 1), name = member.substr(slash + 1);
  bool isExported = folder == layout::weights || folder == layout::constants;
  if (!isExported && folder != "data/" && folder != "constants/")
    return false;
  for (std::string_view prefix : {"weight_", "tensor_"})
    if (isExported && name.starts_with(prefix))
      name.remove_prefix(prefix.size());
  return !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
}

Result<std::vector<SharedBytes>> StorageRecords::programParts() const {
  return orOutOfMemory([&]() -> Result<std::vector<SharedBytes>> {
    std::vector<SharedBytes> parts;
    for (const std::string &member : zip.members()) {
      // A number that PyTorch makes of the checksums of all others.
      if (member == ".data/serialization_id")
        continue;
      uint64_t size = zip.sizeOf(member);
      bool isLarge = isRecord(member) && size >= largeRecord;
      parts.push_back(SharedBytes::copyOf(member));
      Result<SharedBytes> bytes =
          isLarge ? SharedBytes::copyOf(std::to_string(size)) : zip.read(member);
      if (!bytes)
        return bytes.takeError();
      parts.push_back(std::move(*bytes));
    }
    return parts;
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

//===- TorchScriptArchive.cpp - a saved ScriptModule, opened --------------===//

#include "jit/Archive/TorchScriptArchive.h"

#include "MobileModule.h"
#include "ValueBuilder.h"
#include "jit/Archive/ZipFile.h"
#include "jit/OutOfMemory.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace jit {

/// The newest archive format that this reader knows.
static constexpr int64_t newestVersion = 10;

class TorchScriptArchive::Impl {
public:
  Impl(ZipFile zip, std::string name) : zip(std::move(zip)), name(std::move(name)) {}

  Result<void> open();
  Result<void> openMobile(const SharedBytes &bytes);
  Result<const torchscript::SourceFile *> file(const std::string &member);
  const DebugRanges *debugRanges(const std::string &member);

  ZipFile zip;
  std::string name;
  int64_t version = 0;
  ArchiveValues values;
  const ArchiveObject *root = nullptr;
  std::vector<ArchiveValue> constants;

private:
  Result<void> readVersion();
  Result<void> checkVersion(const std::string &where) const;
  Result<void> readByteOrder();
  Result<ArchiveValue> readPickle(const std::string &member, const std::string &folder);

  std::map<std::string, std::unique_ptr<torchscript::SourceFile>> files;
  std::map<std::string, std::optional<DebugRanges>> ranges;
};

static std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' '))
    text.remove_suffix(1);
  return text;
}

Result<void> TorchScriptArchive::Impl::readVersion() {
  // Programs without operators whose meaning changed may keep their version elsewhere.
  bool elsewhere = !zip.contains("version") && zip.contains(".data/version");
  Result<SharedBytes> bytes = zip.read(elsewhere ? ".data/version" : "version");
  if (!bytes)
    return bytes.takeError();
  std::string_view text = trimmed(bytes->text());
  auto parsed = std::from_chars(text.data(), text.data() + text.size(), version);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || version < 1)
    return Error{ErrorCode::Malformed,
                 "expected a positive number, got '" + std::string(text.substr(0, 40)) + "'",
                 "version"};
  return checkVersion("version");
}

Result<void> TorchScriptArchive::Impl::checkVersion(const std::string &where) const {
  if (version >= 1 && version <= newestVersion)
    return {};
  return Error{ErrorCode::Unsupported,
               "expected a version from 1 to " + std::to_string(newestVersion) + ", got " +
                   std::to_string(version),
               where};
}

Result<void> TorchScriptArchive::Impl::readByteOrder() {
  if (!zip.contains("byteorder"))
    return {};
  Result<SharedBytes> bytes = zip.read("byteorder");
  if (!bytes)
    return bytes.takeError();
  std::string_view order = trimmed(bytes->text());
  if (order == "little")
    return {};
  return Error{order == "big" ? ErrorCode::Unsupported : ErrorCode::Malformed,
               "expected byte order 'little', got '" + std::string(order.substr(0, 40)) + "'",
               "byteorder"};
}

Result<ArchiveValue> TorchScriptArchive::Impl::readPickle(const std::string &member,
                                                          const std::string &folder) {
  Result<SharedBytes> bytes = zip.read(member, zip.limits().maxPickleBytes);
  if (!bytes)
    return bytes.takeError();
  Result<PickleTree> tree = PickleTree::read(member, std::move(*bytes), zip.limits());
  if (!tree)
    return tree.takeError();
  TensorStorage storage(zip, folder);
  return ValueBuilder(*tree, storage, values).run();
}

Result<void> TorchScriptArchive::Impl::open() {
  if (Result<void> read = readVersion(); !read)
    return read;
  if (Result<void> read = readByteOrder(); !read)
    return read;
  auto isCode = [](std::string_view member) { return member.starts_with("code/"); };
  if (!zip.contains("constants.pkl") && zip.contains("data.pkl") &&
      std::ranges::none_of(zip.members(), isCode))
    return Error{
        ErrorCode::Unsupported,
        "expected a program, got an archive of torch.save, which holds weights or a pickled "
        "module and no code: in Python, torch.jit.script(module).save(path) writes a program",
        name};
  if (zip.contains("bytecode.pkl") && std::ranges::none_of(zip.members(), isCode))
    return MobileModule::withoutSource(name);
  Result<ArchiveValue> data = readPickle("data.pkl", "data");
  if (!data)
    return data.takeError();
  root = data->asObject();
  if (!root)
    return Error{ErrorCode::Malformed, "expected a module, got a " + std::string(data->kindName()),
                 "data.pkl"};
  Result<ArchiveValue> pool = readPickle("constants.pkl", "constants");
  if (!pool)
    return pool.takeError();
  const ArchiveTuple *tuple = pool->asTuple();
  if (!tuple)
    return Error{ErrorCode::Malformed, "expected a tuple, got a " + std::string(pool->kindName()),
                 "constants.pkl"};
  constants = tuple->items;
  return {};
}

Result<void> TorchScriptArchive::Impl::openMobile(const SharedBytes &bytes) {
  MobileModule module(bytes, zip, name, values);
  if (Result<void> read = module.read(); !read)
    return read;
  version = module.version();
  root = module.root();
  constants = module.constants();
  return checkVersion(name);
}

Result<const torchscript::SourceFile *> TorchScriptArchive::Impl::file(const std::string &member) {
  auto found = files.find(member);
  if (found != files.end())
    return found->second.get();
  Result<SharedBytes> text = zip.read(member, zip.limits().maxSourceBytes);
  if (!text)
    return text.takeError();
  auto parsed = torchscript::SourceFile::parse(member, std::move(*text), zip.limits());
  if (!parsed)
    return parsed.takeError();
  return (files[member] = std::move(*parsed)).get();
}

/// Null if there are none, or none that can be read: the program does not depend on them.
const DebugRanges *TorchScriptArchive::Impl::debugRanges(const std::string &member) {
  auto [found, isNew] = ranges.try_emplace(member);
  if (isNew) {
    Result<SharedBytes> bytes = zip.read(member, zip.limits().maxPickleBytes);
    if (bytes)
      if (Result<DebugRanges> read = DebugRanges::read(member, std::move(*bytes), zip.limits()))
        found->second = std::move(*read);
  }
  return found->second ? &*found->second : nullptr;
}

Result<TorchScriptArchive> TorchScriptArchive::openBytes(SharedBytes bytes, const std::string &name,
                                                         const ArchiveLimits &limits) {
  return orOutOfMemory([&]() -> Result<TorchScriptArchive> {
    bool isMobile = MobileModule::recognizes(bytes);
    Result<ZipFile> zip = isMobile ? MobileModule::openMembers(bytes, name, limits)
                                   : ZipFile::openBytes(bytes, name, limits);
    if (!zip)
      return zip.takeError();
    auto impl = std::make_shared<Impl>(std::move(*zip), name);
    if (Result<void> opened = isMobile ? impl->openMobile(bytes) : impl->open(); !opened)
      return opened.takeError();
    return TorchScriptArchive(std::move(impl));
  });
}

bool TorchScriptArchive::recognizesMobile(const SharedBytes &bytes) {
  return MobileModule::recognizes(bytes);
}

Result<TorchScriptArchive> TorchScriptArchive::open(const std::string &path,
                                                    const ArchiveLimits &limits) {
  return orOutOfMemory([&]() -> Result<TorchScriptArchive> {
    Result<SharedBytes> mapped = SharedBytes::mapFile(path);
    if (!mapped)
      return mapped.takeError();
    return openBytes(std::move(*mapped), path, limits);
  });
}

int64_t TorchScriptArchive::version() const { return impl->version; }
const ArchiveObject &TorchScriptArchive::root() const { return *impl->root; }
std::span<const ArchiveValue> TorchScriptArchive::constants() const { return impl->constants; }
std::vector<std::string> TorchScriptArchive::members() const { return impl->zip.members(); }
Result<SharedBytes> TorchScriptArchive::read(std::string_view member) const {
  return impl->zip.read(member);
}

/// "__torch__.a.b.C" as "__torch__.a.b" and "C".
static std::pair<std::string_view, std::string_view> splitQualified(std::string_view name) {
  size_t dot = name.rfind('.');
  return dot == name.npos ? std::pair(std::string_view(), name)
                          : std::pair(name.substr(0, dot), name.substr(dot + 1));
}

Result<const torchscript::SourceFile *>
TorchScriptArchive::findFile(std::string_view qualifiedName) const {
  return orOutOfMemory([&]() -> Result<const torchscript::SourceFile *> {
    std::string path(splitQualified(qualifiedName).first);
    std::replace(path.begin(), path.end(), '.', '/');
    return impl->file("code/" + path + ".py");
  });
}

Result<const torchscript::ClassDef *>
TorchScriptArchive::findClass(std::string_view qualifiedName) const {
  Result<const torchscript::SourceFile *> file = findFile(qualifiedName);
  if (!file)
    return file.takeError();
  std::string_view name = splitQualified(qualifiedName).second;
  if (const torchscript::ClassDef *found = (*file)->findClass(name))
    return found;
  return Error{ErrorCode::NotFound, "file has no class '" + std::string(name) + "'",
               (*file)->name()};
}

Result<const torchscript::FunctionDef *>
TorchScriptArchive::findFunction(std::string_view qualifiedName) const {
  Result<const torchscript::SourceFile *> file = findFile(qualifiedName);
  if (!file)
    return file.takeError();
  std::string_view name = splitQualified(qualifiedName).second;
  if (const torchscript::FunctionDef *found = (*file)->findFunction(name))
    return found;
  return Error{ErrorCode::NotFound, "file has no function '" + std::string(name) + "'",
               (*file)->name()};
}

std::optional<PythonLocation> TorchScriptArchive::locate(const torchscript::SourceFile &file,
                                                         torchscript::Position position) const {
  const DebugRanges *ranges = impl->debugRanges(file.name() + ".debug_pkl");
  return ranges ? ranges->find(position.offset) : std::nullopt;
}

} // namespace jit

//===- CacheFolder.cpp - where records may be kept ------------------------===//

#include "CacheFolder.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>
#include <unistd.h>

namespace fs = llvm::sys::fs;
using llvm::StringRef;

namespace jit {

static constexpr uint64_t defaultLimit = uint64_t(5) << 30;

void warnOnce(const llvm::Twine &why) {
  static std::once_flag once;
  std::call_once(once,
                 [&] { llvm::errs() << "jit: warning: not used as a cache: " << why << '\n'; });
}

std::optional<std::string> refusalOf(const fs::file_status &status, fs::file_type expected) {
  if (status.type() != expected)
    return expected == fs::file_type::directory_file ? "expected a folder"
                                                     : "expected a regular file";
  if (status.getUser() != ::geteuid())
    return "expected a file of user " + std::to_string(::geteuid()) + ", got one of user " +
           std::to_string(status.getUser());
  if (status.permissions() & (fs::group_write | fs::others_write))
    return "expected what its owner alone may write, got what others may write too";
  return std::nullopt;
}

/// "500M"; no number where it is none.
static std::optional<uint64_t> parseSize(StringRef text) {
  uint64_t number, factor = 1;
  for (auto [unit, bytes] :
       {std::pair("K", 1 << 10), std::pair("M", 1 << 20), std::pair("G", 1 << 30)})
    if (text.consume_back(unit)) {
      factor = uint64_t(bytes);
      break;
    }
  if (text.getAsInteger(10, number) || number > UINT64_MAX / factor)
    return std::nullopt;
  return number * factor;
}

/// The folder that a setting names; empty for none.
static std::string chosenFolder(const std::string &setting) {
  std::string chosen =
      setting.empty() ? llvm::sys::Process::GetEnv("JIT_CACHE").value_or("") : setting;
  if (chosen == "off")
    return {};
  llvm::SmallString<128> folder(chosen);
  if (folder.empty()) {
    if (!llvm::sys::path::cache_directory(folder) || !llvm::sys::path::is_absolute(folder))
      return {};
    llvm::sys::path::append(folder, "jit");
  }
  return fs::make_absolute(folder) ? std::string() : folder.str().str();
}

std::optional<CacheFolder> cacheFolder(const std::string &setting) {
  CacheFolder folder{chosenFolder(setting), defaultLimit};
  if (folder.path.empty())
    return std::nullopt;
  if (auto given = llvm::sys::Process::GetEnv("JIT_CACHE_SIZE")) {
    auto limit = parseSize(*given);
    if (!limit) {
      warnOnce(folder.path + ": expected JIT_CACHE_SIZE to be a size as 500M or 5G, got '" +
               *given + "'");
      return std::nullopt;
    }
    folder.limit = *limit;
  }
  // Where it cannot be made there is none: many a service has no home.
  fs::file_status status;
  if (fs::create_directories(folder.path, /*IgnoreExisting=*/true, fs::owner_all) ||
      fs::status(folder.path, status))
    return std::nullopt;
  if (auto refusal = refusalOf(status, fs::file_type::directory_file)) {
    warnOnce(folder.path + ": " + *refusal);
    return std::nullopt;
  }
  return folder;
}

} // namespace jit

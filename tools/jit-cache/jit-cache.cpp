//===- jit-cache.cpp - what compilations have left on disk ----------------===//

#include "Tools.h"
#include "jit/Pipeline/Version.h"
#include "jit/Session/DiskCache.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;
using namespace jit;

/// A line for each record, the one used last first.
static void list(const DiskCache &cache) {
  uint64_t bytes = 0;
  std::vector<DiskCache::Listed> records = cache.list();
  for (const DiskCache::Listed &record : records) {
    bytes += record.bytes;
    llvm::outs() << llvm::formatv("{0:%Y-%m-%d %H:%M} {1,8} KiB  {2}\n", record.used,
                                  (record.bytes + 1023) / 1024, record.label);
  }
  llvm::outs() << llvm::formatv("{0}: {1} records, {2} KiB\n", cache.folder(), records.size(),
                                (bytes + 1023) / 1024);
}

static int clear(DiskCache &cache) {
  auto count = cache.clear();
  if (!count) {
    llvm::errs() << "jit-cache: error: " << count.error().str() << '\n';
    return 1;
  }
  llvm::outs() << llvm::formatv("{0}: {1} records removed\n", cache.folder(), *count);
  return 0;
}

int jit_cache_main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ResetCommandLineParser();
  cl::OptionCategory category("jit-cache options");
  cl::opt<std::string> action(cl::Positional, cl::Required, cl::desc("list|clear"),
                              cl::cat(category));
  cl::opt<std::string> folder("cache", cl::value_desc("dir"), cl::cat(category),
                              cl::desc("The folder (JIT_CACHE, else the user's cache)"));
  cl::SetVersionPrinter(printVersion);
  cl::ParseCommandLineOptions(argc, argv,
                              "What compiled calls have left on disk\n\n"
                              "  jit-cache list     a line for each record\n"
                              "  jit-cache clear    removes them\n\n"
                              "Exit code: 0 done, 1 there is no cache, or not all could go.\n");
  if (action != "list" && action != "clear") {
    llvm::errs() << "jit-cache: error: expected list or clear, got '" << action << "'\n";
    return 1;
  }
  auto cache = DiskCache::open(folder);
  if (!cache) {
    llvm::errs() << "jit-cache: error: expected a cache, got none: it is off, or its folder is "
                    "refused or cannot be made\n";
    return 1;
  }
  if (action == "clear")
    return clear(*cache);
  list(*cache);
  return 0;
}

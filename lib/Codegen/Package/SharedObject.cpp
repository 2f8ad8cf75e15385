//===- SharedObject.cpp - linking without a compiler ----------------------===//
#include "jit/Codegen/Package.h"

#include "lld/Common/Driver.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/Path.h"

#include <cmath>
#include <cstdio>
#include <dlfcn.h>
#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace llvm;

/// The shared library that a function of this process is from. The user's machine has no compiler
/// and so no libm.so to link to; but this program runs with a C library.
static std::string libraryOf(void *function) {
  Dl_info info;
  return dladdr(function, &info) && info.dli_fname ? info.dli_fname : "";
}

Error jit::package::linkSharedObject(StringRef object, StringRef path, StringRef soname) {
  static std::mutex mutex; // lld keeps its state in globals
  std::lock_guard<std::mutex> lock(mutex);
  double (*exponential)(double) = std::exp;
  std::string libc = libraryOf(reinterpret_cast<void *>(&std::fflush));
  std::string libm = libraryOf(reinterpret_cast<void *>(exponential));
  std::string input = object.str(), output = path.str(), name = soname.str();
  std::vector<const char *> args = {"ld.lld",
                                    "-shared",
                                    "-o",
                                    output.c_str(),
                                    "-soname",
                                    name.c_str(),
                                    "--strip-all",
                                    "--gc-sections",
                                    "--build-id",
                                    "-Bsymbolic",
                                    "--no-undefined",
                                    "--hash-style=gnu",
                                    "-z",
                                    "now",
                                    "-z",
                                    "relro",
                                    "-z",
                                    "noexecstack",
                                    input.c_str(),
                                    "--as-needed",
                                    libm.c_str(),
                                    libc.c_str()};
  std::string errors;
  raw_string_ostream stream(errors);
  lld::Result result = lld::lldMain(args, nulls(), stream, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode != 0)
    return createStringError("cannot link " + path + ": " + StringRef(errors).trim());
  return Error::success();
}

Error jit::package::writeArchive(StringRef object, StringRef path) {
  auto member = NewArchiveMember::getFile(object, /*Deterministic=*/true);
  if (!member)
    return member.takeError();
  std::string name = (sys::path::stem(path) + ".o").str();
  member->MemberName = name;
  return llvm::writeArchive(path, *member, SymtabWritingMode::NormalSymtab, object::Archive::K_GNU,
                            /*Deterministic=*/true, /*Thin=*/false);
}

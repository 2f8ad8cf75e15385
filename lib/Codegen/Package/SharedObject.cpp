//===- SharedObject.cpp - linking without a compiler ----------------------===//
#include "Package/KeptSignals.h"
#include "jit/Codegen/Package.h"

#include "lld/Common/Driver.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/Path.h"

#include <cmath>
#include <cstdio>
#include <deque>
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

static Error runLinker(std::vector<const char *> args, ArrayRef<std::string> objects,
                       StringRef path) {
  static std::mutex mutex; // lld keeps its state in globals
  std::lock_guard<std::mutex> lock(mutex);
  jit::package::KeptSignals signals;
  for (const std::string &object : objects)
    args.push_back(object.c_str());
  std::string errors;
  raw_string_ostream stream(errors);
  lld::Result result = lld::lldMain(args, nulls(), stream, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode != 0)
    return createStringError("cannot link " + path + ": " + StringRef(errors).trim());
  return Error::success();
}

Error jit::package::linkSharedObject(ArrayRef<std::string> objects, StringRef path,
                                     StringRef soname, ArrayRef<std::string> libraries) {
  double (*exponential)(double) = std::exp;
  std::vector<std::string> inputs = objects.vec();
  inputs.push_back("--as-needed");
  // By their names alone: what is linked to a path is looked for there.
  for (StringRef library : libraries)
    inputs.insert(inputs.end(), {"-L" + sys::path::parent_path(library).str(),
                                 "-l:" + sys::path::filename(library).str()});
  if (!libraries.empty())
    inputs.push_back("-rpath=$ORIGIN");
  inputs.insert(inputs.end(), {libraryOf(reinterpret_cast<void *>(exponential)),
                               libraryOf(reinterpret_cast<void *>(&std::fflush))});
  std::string output = path.str(), name = soname.str();
  // By one thread: a forked child of a process that has linked waits for the pool's others, which
  // only its parent has.
  return runLinker({"ld.lld", "--threads=1", "-shared", "-o", output.c_str(), "-soname",
                    name.c_str(), "--strip-all", "--gc-sections", "--build-id", "-Bsymbolic",
                    "--no-undefined", "--hash-style=gnu", "-z", "now", "-z", "relro", "-z",
                    "noexecstack"},
                   inputs, path);
}

Error jit::package::joinObjects(ArrayRef<std::string> objects, StringRef path) {
  std::string output = path.str();
  return runLinker({"ld.lld", "-r", "-o", output.c_str()}, objects, path);
}

Error jit::package::writeArchive(ArrayRef<std::string> objects, StringRef path) {
  std::vector<NewArchiveMember> members;
  std::deque<std::string> names; // members refer to them
  for (auto [i, object] : llvm::enumerate(objects)) {
    auto member = NewArchiveMember::getFile(object, /*Deterministic=*/true);
    if (!member)
      return member.takeError();
    std::string number = i == 0 ? "" : "." + std::to_string(i);
    names.push_back((sys::path::stem(path) + number + ".o").str());
    member->MemberName = names.back();
    members.push_back(std::move(*member));
  }
  jit::package::KeptSignals signals;
  return llvm::writeArchive(path, members, SymtabWritingMode::NormalSymtab, object::Archive::K_GNU,
                            /*Deterministic=*/true, /*Thin=*/false);
}

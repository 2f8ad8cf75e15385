//===- Toolkit.cpp - where CUDA's tools are -------------------------------===//
#include "NVVM/Toolkit.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;

/// The folders nvidia/cu13, nvidia/cuda_nvcc and the like of a Python environment.
static void addPackages(StringRef environment, SmallVectorImpl<std::string> &folders) {
  auto addEach = [](const Twine &parent, auto add) {
    std::error_code error;
    for (sys::fs::directory_iterator it(parent, error), end; it != end && !error;
         it.increment(error))
      add(it->path());
  };
  addEach(environment + "/lib", [&](const std::string &python) {
    addEach(python + "/site-packages/nvidia",
            [&](const std::string &package) { folders.push_back(package); });
  });
}

static SmallVector<std::string> toolkitFolders() {
  SmallVector<std::string> folders;
  // A folder that is named is the only one that counts.
  if (auto home = sys::Process::GetEnv("CUDA_HOME")) {
    folders.push_back(*home);
    return folders;
  }
  folders.push_back("/usr/local/cuda");
  if (auto environment = sys::Process::GetEnv("VIRTUAL_ENV"))
    addPackages(*environment, folders);
  return folders;
}

std::optional<std::string> jit::codegen::findInToolkit(StringRef file) {
  for (const std::string &folder : toolkitFolders()) {
    SmallString<128> path(folder);
    sys::path::append(path, file);
    if (sys::fs::exists(path))
      return path.str().str();
  }
  return std::nullopt;
}

std::string jit::codegen::toolkitPlaces() {
  SmallVector<std::string> folders = toolkitFolders();
  return llvm::join(folders, ", ");
}

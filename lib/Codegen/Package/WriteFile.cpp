//===- WriteFile.cpp - files whose errors are told ------------------------===//
#include "jit/Codegen/Package.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

/// Writes to a file that is open, which is closed at the end.
static std::error_code fill(int descriptor, function_ref<void(raw_pwrite_stream &)> write) {
  raw_fd_ostream file(descriptor, /*shouldClose=*/true);
  write(file);
  file.close();
  std::error_code code = file.error();
  file.clear_error(); // else the destructor ends the program
  return code;
}

llvm::Error jit::package::writeFile(StringRef path, function_ref<void(raw_pwrite_stream &)> write) {
  // A file of this name may be mapped by programs that run: they keep it, the new one takes its
  // name.
  SmallString<128> target, temporary;
  if (sys::fs::real_path(path, target))
    target = path;
  int descriptor = -1;
  std::error_code code =
      sys::fs::createUniqueFile(target + ".%%%%%%%%", descriptor, temporary, sys::fs::OF_None);
  if (!code) {
    code = fill(descriptor, write);
    if (!code)
      code = sys::fs::rename(temporary, target);
    if (code)
      (void)sys::fs::remove(temporary);
  }
  if (code)
    return createStringError("cannot write " + path + ": " + code.message());
  return llvm::Error::success();
}

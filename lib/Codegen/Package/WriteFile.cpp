//===- WriteFile.cpp - files whose errors are told ------------------------===//
#include "jit/Codegen/Package.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;

llvm::Error jit::package::writeFile(StringRef path, function_ref<void(raw_pwrite_stream &)> write) {
  std::error_code code;
  raw_fd_ostream file(path, code);
  if (!code) {
    write(file);
    file.close();
    code = file.error();
    file.clear_error(); // else the destructor ends the program
  }
  if (code)
    return createStringError("cannot write " + path + ": " + code.message());
  return llvm::Error::success();
}

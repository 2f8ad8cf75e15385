//===- WriteProgram.cpp - a program and its inputs as files ---------------===//

#include "Candidates.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Diff/Reduce.h"
#include "jit/Runtime/Npy.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace jit {

/// What --input says of a value; a tensor becomes a file.
static Result<std::string> specOf(const runtime::Value &value, const std::string &file) {
  if (auto *tensor = value.getIf<runtime::Tensor>()) {
    if (auto done = runtime::writeNpy(file, *tensor); !done)
      return done.takeError();
    return "@" + file;
  }
  if (auto *integer = value.getIf<int64_t>())
    return std::to_string(*integer);
  if (auto *flag = value.getIf<bool>())
    return std::string(*flag ? "true" : "false");
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto *number = value.getIf<double>())
    os << llvm::format("%.17g", *number);
  if (llvm::StringRef(text).find_first_not_of("-0123456789") == llvm::StringRef::npos)
    os << ".0"; // a float all the same
  return text;
}

Result<std::vector<std::string>> writeProgram(const CallProgram &program, const std::string &path,
                                              const std::string &comment) {
  CallProgram copy = copyOf(program);
  // Where arguments came from in the call that this was a part of.
  entryOf(copy).removeArgAttrsAttr();
  (*copy.module)->removeAttr(archiveAttr);
  llvm::SmallString<128> prefix(path);
  llvm::sys::path::replace_extension(prefix, "");
  std::vector<std::string> specs;
  for (size_t i = 0; i < program.inputs.size(); ++i) {
    auto spec = specOf(program.inputs[i], (prefix + "." + llvm::Twine(i) + ".npy").str());
    if (!spec)
      return spec.takeError();
    specs.push_back(std::move(*spec));
  }
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  if (error)
    return Error{ErrorCode::Io, error.message(), path};
  std::string inputs;
  for (const std::string &spec : specs)
    inputs += " --input=" + spec;
  file << "// " << comment << inputs << "\n";
  copy.module->print(file, OpPrintingFlags().enableDebugInfo(true, false));
  return specs;
}

} // namespace jit

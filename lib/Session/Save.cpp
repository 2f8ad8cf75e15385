//===- Save.cpp - a package's files ---------------------------------------===//

#include "PackageBuilder.h"
#include "SharedArguments.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace jit {
using namespace runtime;

Result<PackagedCall> PackagedCall::parse(const std::string &text) {
  llvm::StringRef rest = llvm::StringRef(text).trim();
  auto [method, arguments] = rest.split('(');
  method = method.trim();
  bool gradients = method.consume_back(".grad");
  if (method.empty() || !arguments.consume_back(")"))
    return Error{ErrorCode::InvalidArgument,
                 "expected a call as 'method(arguments)', got '" + text + "'"};
  return PackagedCall{method.str(), arguments.str(), gradients};
}

Result<PackagedCall> PackagedCall::of(std::string method, std::vector<Value> arguments) {
  markSharedMemory(arguments);
  CallKey records;
  for (const Value &argument : arguments)
    if (auto done = appendRecord(argument, ModuleState::keyPolicy, records); !done)
      return done.takeError();
  CallSpec spec{readRecords(records.words())};
  return PackagedCall{std::move(method), spec.str()};
}

std::string PackagedCall::str() const {
  return method + (gradients ? ".grad(" : "(") + arguments + ")";
}

static Error ioError(llvm::Error error) {
  return {ErrorCode::Io, llvm::toString(std::move(error))};
}

/// "libsilero.so" is called "silero".
static std::string nameFor(const PackageOptions &options) {
  llvm::StringRef stem = llvm::sys::path::stem(options.output);
  stem.consume_front("lib");
  std::string name = options.name.empty() ? stem.str() : options.name;
  for (char &c : name)
    if (!llvm::isAlnum(c))
      c = '_';
  return name.empty() || llvm::isDigit(name[0]) ? "_" + name : name;
}

/// The objects in one, in an archive, or linked.
static llvm::Error writeCode(package::Code &code, llvm::ArrayRef<package::Package> packages,
                             const std::string &path, const CustomOperators &operators) {
  llvm::SmallString<128> folder;
  if (std::error_code made = llvm::sys::fs::createUniqueDirectory("jit", folder))
    return llvm::createStringError("cannot make a temporary folder: " + made.message());
  auto remove = llvm::make_scope_exit(
      [&] { [[maybe_unused]] std::error_code kept = llvm::sys::fs::remove_directories(folder); });
  auto objects = code.writeObjects(packages, folder);
  if (!objects)
    return objects.takeError();
  llvm::StringRef ending = llvm::sys::path::extension(path);
  if (ending == ".o")
    return package::joinObjects(*objects, path);
  return ending == ".a" ? package::writeArchive(*objects, path)
                        : package::linkSharedObject(*objects, path, llvm::sys::path::filename(path),
                                                    operators.files());
}

static bool isKnownEnding(llvm::StringRef path) {
  llvm::StringRef name = llvm::sys::path::filename(path);
  return name.ends_with(".o") || name.ends_with(".a") || name.ends_with(".so") ||
         name.contains(".so.");
}

/// With the compiler's lock held.
static Result<void> writePackage(Session::Impl &impl, const PackageOptions &options) {
  Compilation compilation(impl.options);
  PackageBuilder builder(impl, options, nameFor(options));
  if (auto done = builder.build(); !done)
    return done;
  for (package::Package &package : builder.packages) {
    package.name = builder.name;
    package.weightsPath = options.weightsFile;
  }
  if (!options.weightsFile.empty())
    if (llvm::Error error = package::writeFile(options.weightsFile, [&](llvm::raw_ostream &file) {
          builder.packages.back().blobs.write(file);
        }))
      return ioError(std::move(error));
  {
    Phase phase(impl, "package", "write");
    if (llvm::Error error =
            writeCode(*builder.code, builder.packages, options.output, *impl.operators))
      return ioError(std::move(error));
  }
  llvm::SmallString<128> header(options.output);
  llvm::sys::path::replace_extension(header, ".h");
  std::string text = packageHeader(builder.packages.front(), impl);
  if (llvm::Error error =
          package::writeFile(header, [&](llvm::raw_ostream &file) { file << text; }))
    return ioError(std::move(error));
  return {};
}

Result<void> Session::save(const PackageOptions &options) {
  return orOutOfMemory([&]() -> Result<void> {
    if (!isKnownEnding(options.output))
      return Error{ErrorCode::InvalidArgument,
                   "expected a file called .so, .o or .a, got '" + options.output + "'"};
    if (options.calls.empty())
      return Error{ErrorCode::InvalidArgument, "expected at least one call to compile, got none"};
    auto lock = impl->lockCompiler();
    auto write = [&]() -> Result<void> {
      if (auto done = impl->importAgain(); !done)
        return done;
      return writePackage(*impl, options);
    };
    return impl->compiling([&]() -> Result<void> {
      return impl->isIsolated() ? impl->apart("to compile " + options.output, write) : write();
    });
  });
}

} // namespace jit

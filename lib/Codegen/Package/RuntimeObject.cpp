//===- RuntimeObject.cpp - the runtime of a package -----------------------===//
//
// Its code is the same in all packages: as an object it is compiled once, when this library is.
//
//===----------------------------------------------------------------------===//
#include "Package/RuntimeObject.h"

#include "llvm/IR/Module.h"
#include "llvm/ObjCopy/ConfigManager.h"
#include "llvm/ObjCopy/ObjCopy.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;
using namespace jit::package;

// NOLINTBEGIN(readability-identifier-naming): names of the assembler
extern "C" const char jit_package_runtime[], jit_package_runtime_end[];
// NOLINTEND(readability-identifier-naming)

static MemoryBufferRef runtimeBytes() {
  return {{jit_package_runtime, size_t(jit_package_runtime_end - jit_package_runtime)}, "runtime"};
}

/// What a symbol of the runtime is called in the package `name`: the functions of
/// jit_artifact_table begin with it, `jit_artifact` is found by any who open a package.
static std::string nameIn(StringRef symbol, StringRef name) {
  StringRef rest = symbol;
  if (rest.consume_front("jit_artifact_"))
    return (name + "_" + rest).str();
  return symbol == "jit_artifact" ? symbol.str() : (name + "." + symbol).str();
}

/// Whether it is one of ours, and no libc's: defined in the runtime, or by addTables.
static Expected<bool> isOwn(const object::ELFSymbolRef &symbol) {
  auto flags = symbol.getFlags();
  if (!flags)
    return flags.takeError();
  if (!(*flags & object::SymbolRef::SF_Global))
    return false;
  auto name = symbol.getName();
  if (!name)
    return name.takeError();
  return name->starts_with("jit_");
}

llvm::Error jit::package::writeRuntime(StringRef name, StringRef path) {
  auto object = object::ObjectFile::createObjectFile(runtimeBytes());
  if (!object)
    return object.takeError();
  BumpPtrAllocator memory;
  StringSaver names(memory);
  objcopy::ConfigManager config;
  for (const object::ELFSymbolRef symbol : cast<object::ELFObjectFileBase>(**object).symbols()) {
    auto own = isOwn(symbol);
    if (!own)
      return own.takeError();
    if (!*own)
      continue;
    StringRef found = cantFail(symbol.getName());
    config.Common.SymbolsToRename[found] = names.save(nameIn(found, name));
  }
  llvm::Error failed = llvm::Error::success();
  auto copy = [&](raw_ostream &file) {
    failed = joinErrors(std::move(failed), objcopy::executeObjcopyOnBinary(config, **object, file));
  };
  return joinErrors(writeFile(path, copy), std::move(failed));
}

/// Whether the runtime has it or asks for it.
static bool isShared(const GlobalValue &value) {
  StringRef name = value.getName();
  return (value.isDeclaration() && name.starts_with("jit_rt_")) ||
         is_contained({"jit_cuda_functions", "jit_packages", "jit_package_count"}, name);
}

void jit::package::nameRuntimeSymbols(Module &module, StringRef name) {
  for (GlobalValue &value : module.global_values()) {
    if (isShared(value)) {
      value.setName(nameIn(value.getName(), name));
      value.setVisibility(GlobalValue::HiddenVisibility);
    } else if (!value.isDeclaration()) {
      value.setLinkage(GlobalValue::InternalLinkage);
    }
  }
}

//===- VariantStore.h - compilations that later processes find --*- C++ -*-===//
#ifndef JIT_LIB_SESSION_VARIANTSTORE_H
#define JIT_LIB_SESSION_VARIANTSTORE_H

#include "jit/Codegen/Target.h"
#include "jit/Import/Importers.h"
#include "jit/Pipeline/Pipeline.h"
#include "jit/Session/DiskCache.h"
#include "jit/Session/Session.h"

namespace jit {

/// What was said of a compilation as it went (SessionOptions::explain).
using ExplainedLines = std::vector<std::string>;

/// What calls need to know of a program (declareProgram).
struct KeptProgram {
  mlir::OwningOpRef<mlir::ModuleOp> declarations;
  ExplainedLines explained;
};

/// What a variant is made of.
struct KeptVariant {
  mlir::OwningOpRef<mlir::ModuleOp> signatures; ///< the specialised entries, declared
  codegen::CodeImage image;
  ExplainedLines explained;
};

/// One program's records in the disk's cache. The key of the program is made of all that its import
/// depends on, that of a variant of this one and all that its compilation depends on.
class VariantStore {
public:
  /// `operators` is the digest of the user's own. Null where `options` want no cache or ask to see
  /// what compiling does, and where there is none.
  static std::unique_ptr<VariantStore> open(const SessionOptions &options,
                                            llvm::StringRef operators, const ProgramFile &file);
  /// The same in a folder that ends with it, whatever is wanted.
  static Result<std::unique_ptr<VariantStore>>
  makeTemporary(const SessionOptions &options, llvm::StringRef operators, const ProgramFile &file);

  std::optional<KeptProgram> findProgram(mlir::MLIRContext &context) const;
  void keepProgram(mlir::ModuleOp declarations, const ExplainedLines &explained);

  std::optional<KeptVariant> findVariant(const PipelineOptions &what,
                                         const codegen::CodegenOptions &codegen,
                                         mlir::MLIRContext &context) const;
  void keepVariant(const PipelineOptions &what, const codegen::CodegenOptions &codegen,
                   const KeptVariant &variant);

private:
  static std::unique_ptr<VariantStore> make(const SessionOptions &options,
                                            llvm::StringRef operators, const ProgramFile &file,
                                            std::unique_ptr<DiskCache> cache);
  VariantStore(std::unique_ptr<DiskCache> cache, const codegen::Target &target, std::string name,
               CacheKey programKey)
      : cache(std::move(cache)), target(target), name(std::move(name)), programKey(programKey) {}
  CacheKey keyOf(const PipelineOptions &what, const codegen::CodegenOptions &codegen) const;

  std::unique_ptr<DiskCache> cache;
  const codegen::Target &target;
  std::string name; // of the file, for people
  CacheKey programKey;
};

} // namespace jit

#endif // JIT_LIB_SESSION_VARIANTSTORE_H

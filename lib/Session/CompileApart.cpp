//===- CompileApart.cpp - what a session has child processes do -----------===//

#include "Isolation.h"
#include "SessionImpl.h"

using namespace mlir;

namespace jit {

/// The disk was full, say.
static Error recordIsMissing() {
  return {ErrorCode::Io, "expected a child process to leave what it has compiled, got nothing"};
}

Result<void> Session::Impl::apart(const std::string &what,
                                  llvm::function_ref<Result<void>()> body) {
  use.reset();
  auto done = inChildProcess(what, [&] {
    options.explain = {}; // what is said goes into the record
    options.progress = {};
    return body();
  });
  use.emplace();
  return done;
}

Result<OwningOpRef<ModuleOp>> Session::Impl::importApart() {
  auto done = apart("to import " + file.path, [&]() -> Result<void> {
    auto declarations = import();
    if (!declarations)
      return declarations.takeError();
    exchange->keepProgram(**declarations, explained);
    return {};
  });
  if (!done)
    return done.takeError();
  auto kept = findProgram(*exchange);
  if (!kept)
    return recordIsMissing();
  explained = std::move(kept->explained);
  return std::move(kept->declarations);
}

Result<std::shared_ptr<Variant>> Session::Impl::compileApart(const PipelineOptions &what) {
  auto done = apart("to compile " + what.entry + "(" + what.args + ")", [&]() -> Result<void> {
    auto variant = compileHere(what, exchange.get());
    return variant ? Result<void>() : variant.takeError();
  });
  if (!done)
    return done.takeError();
  auto variant = findKept(what, *exchange);
  return variant ? Result<std::shared_ptr<Variant>>(std::move(variant)) : recordIsMissing();
}

} // namespace jit

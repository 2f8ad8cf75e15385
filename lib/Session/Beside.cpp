//===- Beside.cpp - what is compiled beside calls -------------------------===//

#include "SessionImpl.h"
#include "llvm/Support/Format.h"

using namespace mlir;

namespace jit {
using namespace codegen;
using namespace runtime;

Result<void> Session::Impl::compileBeside(Method &method, std::span<const Value> args,
                                          CallKind kind) {
  // A child process is waited for, and quick code for one size is no better than good code for any.
  if (exchange || options.sizes != SizePolicy::Automatic || options.tier == Tier::Baseline)
    return {};
  auto key = std::make_shared<CallKey>();
  if (auto done = method.encode(args, kind, *state, *key); !done)
    return done.takeError();
  auto spec = method.specOf(*key, *state);
  if (!spec)
    return spec.takeError();
  later.add([this, what = pipelineFor(method, *spec, kind.mode), key = std::move(key)] {
    std::unique_lock lock(compilerMutex, std::try_to_lock);
    if (!lock)
      return false;
    auto made = compiling([&] { return compileLocked(what, key); });
    if (!made && options.explain)
      options.explain(what.entry + " stays with code for several sizes: " + made.error().str());
    return true;
  });
  return {};
}

void Session::Impl::useExact(const PipelineOptions &what, const CallKey &key,
                             std::shared_ptr<Variant> variant) {
  variants.replace(key.ref(), std::make_shared<Choice>(std::move(variant)));
  if (options.explain)
    options.explain(what.entry +
                    ": code for these sizes alone serves them from now on: " + what.args);
}

Result<void> Session::Impl::finish(const PipelineOptions &what, std::shared_ptr<Artifact> artifact,
                                   KeptVariant kept, const std::shared_ptr<Variant> &variant,
                                   const Beside &beside) {
  std::unique_ptr<OptimiseLater> later;
  if (beside || codegenOptions().tier == Tier::Both)
    later = findTarget(options.target)->optimiseLater(*artifact, std::move(kept.image));
  if (auto done = addCode(what, std::move(artifact), *variant); !done)
    return done.takeError();
  std::function<void()> then = [] {};
  if (beside)
    then = [this, what, beside, variant] { useExact(what, *beside, variant); };
  if (later)
    optimiseLater(what, std::move(later), std::move(kept), std::move(then));
  else
    then();
  return {};
}

void Session::Impl::optimiseLater(const PipelineOptions &what, std::unique_ptr<OptimiseLater> code,
                                  KeptVariant kept, std::function<void()> then) {
  auto shared = std::make_shared<KeptVariant>(std::move(kept));
  later.add(std::move(code), [this, what, shared, then](
                                 OptimiseLater &code, const std::string &failure, double seconds) {
    std::unique_lock lock(compilerMutex, std::try_to_lock);
    if (!lock)
      return false;
    KeptVariant kept = std::move(*shared);
    ++(failure.empty() ? optimised : stayed);
    if (options.time)
      timesStream << llvm::format("  %.4f seconds beside calls: ", seconds) << what.entry
                  << (failure.empty() ? ", optimised\n" : ", not optimised: " + failure + "\n");
    if (options.explain && !failure.empty())
      options.explain(what.entry + ": stays with a baseline's code: " + failure);
    if (failure.empty())
      then();
    kept.image = code.takeImage();
    if (store && failure.empty())
      store->keepVariant(what, codegenOptions(), kept);
    return true;
  });
}

} // namespace jit

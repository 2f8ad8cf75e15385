//===- Choice.cpp - which variant a call runs -----------------------------===//

#include "SessionImpl.h"

namespace jit {
using namespace codegen;
using namespace runtime;

Result<std::shared_ptr<Variant>> Session::Impl::compile(const Method &method, const CallKey &key,
                                                        GradientMode mode) {
  auto spec = method.specOf(key, *state);
  if (!spec)
    return spec.takeError();
  return compile(pipelineFor(method, *spec, mode));
}

Result<std::shared_ptr<Variant>> Session::Impl::findShared(Method &method,
                                                           std::span<const Value> args,
                                                           CallKind kind, const CallKey &own) {
  kind.sizes = SizePolicy::Symbolic;
  CallKey key;
  if (auto done = method.encode(args, kind, *state, key); !done)
    return done.takeError();
  // Tensors that lie in memory in their own way have their sizes in any key.
  if (std::ranges::equal(key.words(), own.words()))
    return std::shared_ptr<Variant>();
  auto found = shared.get(key.ref(), [&]() -> Result<std::shared_ptr<Variant>> {
    auto variant = compile(method, key, kind.mode);
    if (variant)
      return variant;
    std::lock_guard<std::mutex> lock(compilerMutex); // one explains at a time
    if (options.explain)
      options.explain(method.info().name +
                      (kind.open && kind.open->hasInts() ? " is compiled for each of its numbers: "
                                                         : " is compiled for each of its sizes: ") +
                      variant.error().str());
    return std::make_shared<Variant>();
  });
  if (found && !(*found)->executor)
    return std::shared_ptr<Variant>();
  return found;
}

std::vector<OpenParts> Session::Impl::openParts(const Method &method, GradientMode mode,
                                                const CallKey &key) {
  std::lock_guard<std::mutex> lock(historyMutex);
  const OpenParts &all = history[{&method, mode}].add(readRecords(key.words()));
  std::vector<OpenParts> made = {all};
  if (all.hasInts())
    made.push_back(all.sizes());
  llvm::erase_if(made, [](const OpenParts &open) { return open.empty(); });
  return made;
}

Result<std::shared_ptr<Variant>> Session::Impl::sharedVariantFor(Method &method,
                                                                 std::span<const Value> args,
                                                                 CallKind kind,
                                                                 const CallKey &own) {
  if (kind.exact)
    return std::shared_ptr<Variant>();
  if (options.sizes != SizePolicy::Automatic) {
    bool shares = options.sizes == SizePolicy::Symbolic || variants.isFull();
    return shares ? findShared(method, args, kind, own) : std::shared_ptr<Variant>();
  }
  for (const OpenParts &open : openParts(method, kind.mode, own)) {
    kind.open = &open;
    auto variant = findShared(method, args, kind, own);
    if (!variant || *variant)
      return variant;
  }
  return std::shared_ptr<Variant>();
}

Result<std::shared_ptr<Choice>>
Session::Impl::choiceFor(Method &method, std::span<const Value> args, CallKind kind) {
  CallKey key;
  if (auto done = method.encode(args, kind, *state, key); !done)
    return done.takeError();
  return variants.get(key.ref(), [&]() -> Result<std::shared_ptr<Choice>> {
    auto variant = sharedVariantFor(method, args, kind, key);
    bool isShared = variant && *variant;
    served += isShared;
    if (variant && !*variant)
      variant = compile(method, key, kind.mode);
    if (!variant)
      return variant.takeError();
    return std::make_shared<Choice>(std::move(*variant), isShared);
  });
}

} // namespace jit

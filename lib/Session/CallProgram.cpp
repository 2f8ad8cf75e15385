//===- CallProgram.cpp - one call as a program on values ------------------===//

#include "jit/Session/CallProgram.h"
#include "SessionImpl.h"

using namespace mlir;

namespace jit {
using namespace runtime;

Result<CallProgram> CallProgram::of(Session &session, const std::string &name,
                                    std::span<const Value> args, bool differentiate) {
  Session::Impl &impl = *session.impl;
  auto method = impl.findMethod(name, args);
  if (!method)
    return method.takeError();
  StateLock lock = impl.state->lock(StateAccess::Read);
  GradientMode mode = differentiate ? GradientMode::OfSum : GradientMode::None;
  CallKey key;
  if (auto done =
          (*method)->encode(args, {.mode = mode, .sizes = impl.options.sizes}, *impl.state, key);
      !done)
    return done.takeError();
  auto spec = (*method)->specOf(key, *impl.state);
  if (!spec)
    return spec.takeError();
  std::unique_lock<std::mutex> compiler = impl.lockCompiler();
  return impl.compiling([&]() -> Result<CallProgram> {
    if (auto done = impl.importAgain(); !done)
      return done.takeError();
    PipelineOptions what = impl.pipelineFor(**method, *spec, mode);
    auto module = impl.compileGraph(what, "graph", differentiate ? "autodiff" : "gradients");
    if (!module)
      return module.takeError();
    Variant variant;
    if (auto done =
            readSignature((*module)->lookupSymbol<func::FuncOp>(what.entry), *impl.state, variant);
        !done)
      return done.takeError();
    auto inputs = gatherInputs(variant, args, *impl.state);
    if (!inputs)
      return inputs.takeError();
    auto weights = [state = impl.state.get()](const std::string &path) {
      return state->weight(path);
    };
    return CallProgram{std::move(*module), what.entry, std::move(*inputs), weights};
  });
}

} // namespace jit

//===- SeededFault.cpp - miscompiles on purpose, for tests ----------------===//

#include "SeededFault.h"
#include "jit/Pipeline/SeedFault.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace jit {

Result<void> seedFault(const std::string &text, DiffOptions &options) {
  if (text.empty())
    return {};
  llvm::StringRef rest = text;
  if (!rest.consume_front("after="))
    return Error{ErrorCode::InvalidArgument,
                 "expected --seed-fault=after=STAGE ..., got '" + text + "'"};
  auto [stage, fault] = rest.split(' ');
  registerSeedFaultPass();
  options.afterStage = [after = stage.str(),
                        pipeline = "builtin.module(jit-seed-fault{" + fault.str() +
                                   "})"](llvm::StringRef stage, ModuleOp module) -> LogicalResult {
    if (stage != after)
      return success();
    auto parsed = parsePassPipeline(pipeline);
    if (failed(parsed))
      return failure();
    PassManager pm(module.getContext());
    static_cast<OpPassManager &>(pm) = std::move(*parsed);
    return pm.run(module);
  };
  return {};
}

} // namespace jit

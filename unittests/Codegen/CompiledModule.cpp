//===- CompiledModule.cpp - text in, callable entry out -------------------===//
#include "CompiledModule.h"

#include "jit/Codegen/Cpu.h"
#include "jit/Dialect/Jit/Jit.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include <cmath>

using namespace jit;
using namespace jit::codegen;
using namespace jit::runtime;

CompiledModule::CompiledModule(std::string_view text, std::map<std::string, Tensor> weights,
                               CodegenOptions options) {
  mlir::DialectRegistry registry;
  registry.insert<JitDialect>();
  registerCodegen(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    complaint += diagnostic.str() + "\n";
    return mlir::success();
  });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(llvm::StringRef(text), &context);
  if (!module)
    return;
  auto artifact = compileToArtifact(*module, options);
  if (mlir::failed(artifact))
    return;
  auto source = [&](const std::string &name) -> Result<Tensor> {
    auto weight = weights.find(name);
    if (weight == weights.end())
      return Error{ErrorCode::NotFound, "no weight " + name};
    return weight->second;
  };
  auto created = Executor::create(*artifact, "forward", source, &pool);
  if (!created)
    complaint += created.error().str();
  else
    executor = std::move(*created);
}

std::vector<float> CompiledModule::floats(std::vector<Value> inputs) {
  if (!executor)
    return {};
  auto results = executor->run(inputs);
  if (!results) {
    complaint = results.error().str();
    return {};
  }
  auto *tensor = (*results)[0].getIf<Tensor>();
  return std::vector<float>(tensor->as<float>(), tensor->as<float>() + tensor->numElements());
}

Tensor jit::floatTensor(std::vector<int64_t> sizes, const std::vector<float> &values) {
  return *Tensor::from<float>(ScalarType::Float, std::move(sizes), values);
}

std::vector<float> jit::noise(size_t count, unsigned seed) {
  std::vector<float> values(count);
  uint32_t state = seed * 2654435761u + 1;
  for (float &value : values) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<float>(state >> 8) / 8388608.0f - 1.0f;
  }
  return values;
}

float jit::distance(const std::vector<float> &a, const std::vector<float> &b) {
  if (a.size() != b.size())
    return std::numeric_limits<float>::infinity();
  float worst = 0;
  for (size_t i = 0; i < a.size(); ++i)
    if (!(std::abs(a[i] - b[i]) <= worst)) // a NaN is infinitely far
      worst =
          std::isnan(a[i] - b[i]) ? std::numeric_limits<float>::infinity() : std::abs(a[i] - b[i]);
  return worst;
}

//===- OperatorList.cpp - what the operators' records say -----------------===//

#include "jit/Import/OperatorList.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Import/SchemaIndex.h"
#include "llvm/Support/JSON.h"

using namespace mlir;

namespace jit {

static llvm::StringRef computedBy(OperationName name) {
  if (name.hasInterface<PointwiseOpInterface>())
    return "scalar";
  return name.hasInterface<DecomposableOpInterface>() ? "decompose" : "lowered";
}

static llvm::StringRef gradientBy(OperationName name) {
  if (name.hasInterface<DifferentiableOpInterface>())
    return "rule";
  if (name.hasInterface<ViewOpInterface>())
    return "scatter";
  return name.hasInterface<DecomposableOpInterface>() ? "body" : "none";
}

void printOperatorList(MLIRContext &context, llvm::raw_ostream &os) {
  SchemaIndex index(context);
  llvm::json::OStream json(os, /*IndentSize=*/1);
  json.array([&] {
    for (const Overload &overload : index.overloadsInOrder())
      json.object([&] {
        json.attribute("schema", overload.text);
        json.attribute("computed", computedBy(overload.operation));
        json.attribute("gradient", gradientBy(overload.operation));
        json.attribute("openSizes", overload.operation.hasTrait<TakesOpenSizes>());
      });
  });
  os << "\n";
}

} // namespace jit

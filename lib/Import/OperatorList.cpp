//===- OperatorList.cpp - what the operators' records say -----------------===//

#include "jit/Import/OperatorList.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/CustomOperators.h"
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

static void printOperator(const Overload &overload, const CustomOperators &customs,
                          llvm::json::OStream &json) {
  OperationName operation = overload.operation;
  const CustomOperator *custom = customs.find(overload.text);
  json.attribute("schema", overload.text);
  json.attribute("computed", custom ? "function" : computedBy(operation));
  json.attribute("gradient", !custom            ? gradientBy(operation)
                             : custom->gradient ? custom->gradient->name()
                                                : "none");
  json.attribute("openSizes", operation.hasTrait<TakesOpenSizes>());
}

void printOperatorList(MLIRContext &context, llvm::raw_ostream &os) {
  SchemaIndex index(context);
  llvm::json::OStream json(os, /*IndentSize=*/1);
  json.array([&] {
    for (const Overload &overload : index.overloadsInOrder())
      json.object([&] { printOperator(overload, CustomOperators::of(&context), json); });
  });
  os << "\n";
}

} // namespace jit

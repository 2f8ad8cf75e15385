//===- SchemaIndex.cpp - operators by their PyTorch schemas ---------------===//

#include "jit/Import/SchemaIndex.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/Custom.h"
#include "jit/Dialect/Aten/CustomOperators.h"
#include "mlir/IR/MLIRContext.h"

using namespace mlir;

namespace jit {

SchemaIndex::SchemaIndex(MLIRContext &context) {
  context.loadDialect<aten::AtenDialect>();
  // Not by dialect: with some other dialects loaded that search loses operations.
  for (RegisteredOperationName name : context.getRegisteredOperations()) {
    auto *interface = name.getInterface<AtenOpInterface>();
    if (!interface)
      continue;
    SmallVector<llvm::StringRef> schemas{interface->getSchema()};
    llvm::append_range(schemas, interface->getAliases());
    for (llvm::StringRef text : schemas)
      if (std::optional<Schema> schema = Schema::parse(text))
        overloads[schema->name].push_back({name, text, std::move(*schema)});
  }
  OperationName custom(aten::CustomOp::getOperationName(), &context);
  for (const CustomOperator &op : CustomOperators::of(&context).all())
    overloads[op.schema.name].push_back({custom, op.text, op.schema});
  // Of overloads that fit a call equally well the first counts: `pow.int` before `pow.int_to_int`.
  for (auto &entry : overloads)
    llvm::sort(entry.second, [](const Overload &a, const Overload &b) { return a.text < b.text; });
}

llvm::ArrayRef<Overload> SchemaIndex::find(llvm::StringRef name) const {
  auto found = overloads.find(name);
  if (found == overloads.end())
    return {};
  return found->second;
}

std::vector<Overload> SchemaIndex::overloadsInOrder() const {
  std::vector<Overload> all;
  for (auto &entry : overloads)
    llvm::append_range(all, entry.second);
  llvm::sort(all, [](const Overload &a, const Overload &b) { return a.text < b.text; });
  return all;
}

} // namespace jit

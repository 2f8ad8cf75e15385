//===- GraphOpaque.cpp - nodes that are kept as they are written ----------===//

#include "GraphImporter.h"
#include "jit/Dialect/Jit/Opaque.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace jit {

StringRef operatorName(const graphtext::Node &node) {
  StringRef name = node.name;
  return node.subgraph ? name.rtrim("0123456789").drop_back() : name;
}

bool runsItsGraph(const graphtext::Node &node) {
  return node.subgraph &&
         llvm::StringSwitch<bool>(operatorName(node))
             .Cases({"prim::DifferentiableGraph", "prim::FunctionalGraph", "prim::FallbackGraph"},
                    true)
             .Cases({"prim::FusionGroup", "prim::CudaFusionGroup", "prim::oneDNNFusionGroup"}, true)
             .Cases({"prim::TensorExprGroup", "prim::TensorExprDynamicGroup"}, true)
             .Cases({"prim::StaticSubgraph", "prim::fork", "prim::awaitable"}, true)
             .Default(false);
}

/// What \p build makes of a node is gone again where something is wrong with it.
ImportErrors::Attempt GraphImporter::attempt(llvm::function_ref<void()> build) {
  mlir::Block &block = *builder.getInsertionBlock();
  Operation *last = block.empty() ? nullptr : &block.back();
  ImportErrors::Attempt made = errors.attempt(context, [&] {
    build();
    auto first = last ? std::next(mlir::Block::iterator(last)) : block.begin();
    for (Operation &op : llvm::make_range(first, block.end()))
      (void)verify(&op);
  });
  if (made.message.empty())
    return made;
  while (!block.empty() && &block.back() != last) {
    for (Value result : block.back().getResults())
      forget(result);
    block.back().erase();
  }
  return made;
}

void GraphImporter::keep(const Node &node, Operands operands, const ImportErrors::Attempt &why,
                         Regions blocks, Location loc) {
  errors.kept(loc, why);
  SmallVector<Type> types;
  SmallVector<StringRef> written;
  for (const graphtext::Value &output : node.outputs) {
    Type declared = declaredType(output);
    types.push_back(declared ? declared : TensorType::get(context));
    written.push_back(output.type ? StringRef(output.type->text) : StringRef());
  }
  StringAttr attributes;
  if (!node.attributesText.empty())
    attributes = builder.getStringAttr(StringRef(node.attributesText));
  auto op = OpaqueOp::create(builder, loc, types, builder.getStringAttr(operatorName(node)),
                             attributes, operands, builder.getStringAttr(why.message),
                             builder.getStrArrayAttr(written),
                             node.subgraph ? builder.getUnitAttr() : UnitAttr(), blocks.size());
  for (auto [region, block] : llvm::zip(op->getRegions(), blocks))
    region.takeBody(*block);
  for (auto [output, value] : llvm::zip(node.outputs, op.getResults()))
    define(output.name, {value});
}

void GraphImporter::yieldOpaque(Region &region, ValueRange values, Location loc) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&region.front());
  // After an error some are unknown, and nothing comes of the program.
  bool isKnown = !llvm::is_contained(values, Value());
  OpaqueYieldOp::create(builder, loc, isKnown ? values : ValueRange());
}

std::unique_ptr<Region> GraphImporter::importRegion(const Block &block) {
  std::unique_ptr<Region> region;
  Values results;
  {
    OpenRegion open(builder, region);
    definitions.emplace_back();
    for (const graphtext::Value &input : block.inputs) {
      Type type = input.type ? typeOf(*input.type) : Type(TensorType::get(context));
      define(input.name, {region->front().addArgument(type, UnknownLoc::get(context))});
    }
    results = importBlock(block);
  }
  yieldOpaque(*region, results, UnknownLoc::get(context));
  return region;
}

void GraphImporter::keepWhole(const Node &node, Operands operands, const Twine &why, Location loc) {
  Regions blocks;
  for (const Block *block : node.blocks)
    blocks.push_back(importRegion(*block));
  if (node.subgraph) {
    llvm::StringMap<Binding> outer;
    std::swap(outer, scope);
    blocks.push_back(importRegion(*node.subgraph));
    scope = std::move(outer);
  }
  keep(node, operands, {Coverage::Kind::Operator, why.str(), {}, {}, 0}, std::move(blocks), loc);
}

} // namespace jit

//===- Epilogue.cpp - what surrounds a product ------------------------------===//

#include "Products/Epilogue.h"
#include "Analysis/Memory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace jit::codegen {

//===----------------------------------------------------------------------===//
// What comes before
//===----------------------------------------------------------------------===//

static bool isZeroFill(Operation *op) {
  auto fill = dyn_cast<linalg::FillOp>(op);
  auto value = fill ? fill.getInputs()[0].getDefiningOp<arith::ConstantOp>() : arith::ConstantOp();
  auto zero = value ? dyn_cast<FloatAttr>(value.getValue()) : FloatAttr();
  return zero && zero.getValue().isZero();
}

static bool isPointwise(linalg::LinalgOp op) {
  return op.getNumDpsInits() == 1 && op.getNumReductionLoops() == 0 &&
         op.hasPureBufferSemantics() &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity();
}

namespace {

/// A product whose surroundings are looked at.
struct Center {
  DestinationStyleOpInterface product;
  AffineMap outMap; ///< from the loops of the nest to the output's dimensions
  const ProductNest &nest;

  Value out() const { return DestinationStyleOpInterface(product).getDpsInits()[0]; }
  /// Whether the nest can read a buffer; `map` goes from the output's dimensions to those of it.
  bool isReadable(Value buffer, AffineMap map) const;
};

} // namespace

bool Center::isReadable(Value buffer, AffineMap map) const {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  return type && isa<FloatType>(type.getElementType()) &&
         map.getNumDims() == outMap.getNumResults() &&
         map.isProjectedPermutation(/*allowZeroInResults=*/true) &&
         succeeded(stridesFor(type, map.compose(outMap), nest));
}

/// Whether `op` sets its output to a buffer of fewer dimensions, repeated.
static bool isBroadcast(linalg::LinalgOp op, const Center &center) {
  return isPointwise(op) && op.getNumDpsInputs() == 1 &&
         op.getBlock()->getOperations().size() == 1 &&
         op.getBlock()->getTerminator()->getOperand(0) == op.getBlock()->getArgument(0) &&
         op.getBlock()->getArgument(0).getType() == center.nest.element &&
         center.isReadable(op.getDpsInputs()[0], op.getIndexingMapsArray()[0]);
}

/// The op that sets the product's whole output just before it, where nothing else sees it between.
static linalg::LinalgOp findInit(const Center &center) {
  Value out = center.out();
  SmallVector<Operation *> between;
  for (Operation *op = center.product->getPrevNode(); op; op = op->getPrevNode()) {
    auto init = dyn_cast<linalg::LinalgOp>(op);
    if (init && init.getNumDpsInits() == 1 && init.getDpsInits()[0] == out) {
      if (isZeroFill(op))
        return init;
      bool kept = isBroadcast(init, center) && llvm::none_of(between, [&](Operation *other) {
                    return mayTouch(other, init.getDpsInputs()[0]);
                  });
      return kept ? init : linalg::LinalgOp();
    }
    if (mayTouch(op, out))
      return {};
    between.push_back(op);
  }
  return {};
}

//===----------------------------------------------------------------------===//
// What comes after
//===----------------------------------------------------------------------===//

/// Whether the body can be computed on vectors: elementwise ops, not reading what it overwrites.
static bool worksOnVectors(linalg::GenericOp op) {
  Block &body = *op.getBody();
  if (!body.getArguments().back().use_empty())
    return false;
  for (Operation &nested : body.without_terminator())
    if (!isa<arith::ConstantOp>(nested) && !OpTrait::hasElementwiseMappableTraits(&nested))
      return false;
  return true;
}

/// The elementwise op that alone uses the finished output, right after the product.
static linalg::GenericOp findConsumer(const Center &center, linalg::LinalgOp init) {
  DestinationStyleOpInterface product = center.product;
  Value out = center.out();
  Operation *next = product->getNextNode();
  while (next && isHarmless(next) && !isa<linalg::LinalgOp>(next))
    next = next->getNextNode();
  auto consumer = dyn_cast_or_null<linalg::GenericOp>(next);
  if (!consumer || !isPointwise(consumer) || !worksOnVectors(consumer))
    return {};
  Value target = consumer.getDpsInits()[0];
  bool reads = false;
  for (OpOperand *input : consumer.getDpsInputOperands()) {
    AffineMap map = consumer.getMatchingIndexingMap(input);
    reads |= input->get() == out && map.isIdentity();
    bool scalar = isa<FloatType>(input->get().getType());
    if (!scalar && !center.isReadable(input->get(), map))
      return {};
    if (input->get() == out ? !map.isIdentity() : !scalar && mayAlias(input->get(), out))
      return {};
    // Read element by element it may be overwritten, but not read again later.
    if (!scalar && !map.isIdentity() && mayAlias(input->get(), target))
      return {};
  }
  if (!reads || !center.isReadable(target, AffineMap::getMultiDimIdentityMap(
                                               consumer.getNumLoops(), consumer.getContext())))
    return {};
  if (target == out)
    return consumer;
  // The output itself will never be written, so nobody else may want it.
  bool unseen =
      out.getDefiningOp<memref::AllocOp>() && llvm::all_of(out.getUsers(), [&](Operation *user) {
        return user == product || user == init || user == consumer;
      });
  bool overwrites =
      llvm::any_of(product.getDpsInputs(), [&](Value input) { return mayAlias(input, target); });
  return unseen && !overwrites && !mayAlias(target, out) ? consumer : linalg::GenericOp();
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

/// Enters how `buffer`, indexed by `map` from the output's dimensions, moves with the loops.
static void enterSteps(ProductNest &nest, AffineMap outMap, Operand operand, Value buffer,
                       AffineMap map) {
  auto strides = stridesFor(cast<MemRefType>(buffer.getType()), map.compose(outMap), nest);
  for (NestLoop &loop : nest.loops)
    loop.step[operand] = 0;
  for (auto [expr, stride] : llvm::zip_equal(map.getResults(), *strides))
    if (auto outDim = dyn_cast<AffineDimExpr>(expr)) // the others are of one element
      nest.loops[outMap.getDimPosition(outDim.getPosition())].step[operand] = stride;
  for (NestLoop &loop : nest.loops)
    loop.blockStep[operand] = loop.block * loop.step[operand];
}

Epilogue planEpilogue(DestinationStyleOpInterface product, AffineMap outMap, ProductNest &nest) {
  Epilogue epilogue;
  Center center{product, outMap, nest};
  epilogue.target = center.out();
  epilogue.init = findInit(center);
  if (!epilogue.init)
    return epilogue;
  auto addExtra = [&](Value buffer, AffineMap map) {
    enterSteps(nest, outMap, Operand(FirstExtra + epilogue.extras.size()), buffer, map);
    epilogue.extras.push_back(buffer);
  };
  epilogue.addsBias = !isa<linalg::FillOp>(epilogue.init);
  if (epilogue.addsBias)
    addExtra(epilogue.init.getDpsInputs()[0], epilogue.init.getIndexingMapsArray()[0]);

  linalg::GenericOp consumer = findConsumer(center, epilogue.init);
  if (!consumer || (epilogue.addsBias && mayAlias(epilogue.extras[0], consumer.getDpsInits()[0])))
    return epilogue;
  SmallVector<OpOperand *> others;
  for (OpOperand *input : consumer.getDpsInputOperands())
    if (input->get() != product.getDpsInits()[0] && isa<MemRefType>(input->get().getType()))
      others.push_back(input);
  if (FirstExtra + epilogue.extras.size() + others.size() > maxOperands)
    return epilogue;
  epilogue.consumer = consumer;
  epilogue.target = consumer.getDpsInits()[0];
  for (OpOperand *input : others)
    addExtra(input->get(), consumer.getMatchingIndexingMap(input));
  enterSteps(nest, outMap, Out, epilogue.target,
             consumer.getMatchingIndexingMap(consumer.getDpsInitOperand(0)));
  return epilogue;
}

bool Epilogue::hasFunctions() const {
  if (!consumer)
    return false;
  linalg::GenericOp op = consumer;
  return llvm::any_of(op.getBody()->without_terminator(), [](Operation &nested) {
    return isa<math::MathDialect>(nested.getDialect()) &&
           !isa<math::AbsFOp, math::FmaOp, math::SqrtOp>(nested);
  });
}

/// `value` in the shape of `like`: itself, or in every lane.
static Value spread(OpBuilder &builder, Location loc, Value value, Value like) {
  auto vector = dyn_cast<VectorType>(like.getType());
  if (!vector || isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(builder, loc,
                                     VectorType::get(vector.getShape(), value.getType()), value);
}

Value Epilogue::apply(OpBuilder &builder, Location loc, Value sum,
                      llvm::function_ref<Value(Operand)> read) const {
  unsigned extra = FirstExtra;
  if (addsBias)
    sum = arith::AddFOp::create(builder, loc, read(Operand(extra++)), sum);
  if (!consumer)
    return sum;
  linalg::GenericOp op = consumer;
  IRMapping map;
  Value out = linalg::LinalgOp(init).getDpsInits()[0];
  for (OpOperand *input : op.getDpsInputOperands()) {
    Value value = input->get();
    if (value == out)
      value = sum;
    else
      value = isa<MemRefType>(value.getType()) ? read(Operand(extra++))
                                               : spread(builder, loc, value, sum);
    map.map(op.getMatchingBlockArgument(input), value);
  }
  auto mapped = [&](Value value) { return spread(builder, loc, map.lookupOrDefault(value), sum); };
  for (Operation &nested : op.getBody()->without_terminator()) {
    if (isa<arith::ConstantOp>(nested)) {
      map.map(nested.getResult(0), builder.clone(nested)->getResult(0));
      continue;
    }
    SmallVector<Value> operands = llvm::map_to_vector(nested.getOperands(), mapped);
    SmallVector<Type> types;
    for (Type type : nested.getResultTypes())
      types.push_back(isa<VectorType>(sum.getType())
                          ? VectorType::get(cast<VectorType>(sum.getType()).getShape(), type)
                          : type);
    Operation *wide =
        Operation::create(loc, nested.getName(), types, operands, nested.getAttrDictionary(),
                          OpaqueProperties(nullptr), {}, 0u);
    wide->copyProperties(nested.getPropertiesStorage());
    builder.insert(wide);
    map.map(nested.getResults(), wide->getResults());
  }
  return mapped(op.getBody()->getTerminator()->getOperand(0));
}

void Epilogue::eraseFolded() const {
  if (!init)
    return;
  Operation *alloc = Value(linalg::LinalgOp(init).getDpsInits()[0]).getDefiningOp();
  if (consumer)
    linalg::GenericOp(consumer).erase();
  linalg::LinalgOp(init).erase();
  if (alloc && isa<memref::AllocOp>(alloc) && alloc->use_empty())
    alloc->erase();
}

} // namespace jit::codegen

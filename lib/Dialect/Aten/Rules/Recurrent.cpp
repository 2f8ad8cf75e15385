//===- Recurrent.cpp - builders for the rules of Recurrent.td -------------===//

#include "Rules/Recurrent.h"
#include "jit/Dialect/Aten/AutocastPolicy.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Lists.h"
#include "jit/Dialect/Aten/Matmul.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Quantize.h"
#include "jit/Dialect/Aten/Random.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/View.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace jit {

static constexpr int64_t unknown = TensorType::kDynamic;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type stateOf(TypeRules &infer, ListInfo state, size_t index) {
  if (!state.elements || index >= state.elements->size())
    return infer.tensor();
  TensorInfo info((*state.elements)[index]);
  return info ? info.tensor : infer.tensor();
}

/// What the outputs are one after the other.
static TensorInfo hiddenOf(AnyInfo state) {
  ListInfo list(state.value);
  return TensorInfo(list.elements && !list.elements->empty() ? list.elements->front()
                                                             : state.value);
}

/// Of the outputs; nullopt where nothing is known of them.
static std::optional<int64_t> widthOf(AnyInfo state, BoolInfo isBidirectional) {
  TensorInfo h = hiddenOf(state);
  if (!h || !h.hasRank() || h.rank() == 0 || !isBidirectional.known)
    return std::nullopt;
  int64_t width = h.size(-1);
  return width != unknown && *isBidirectional.known ? 2 * width : width;
}

Type sequenceOf(TypeRules &infer, TensorInfo input, AnyInfo state, BoolInfo isBidirectional) {
  auto width = widthOf(state, isBidirectional);
  Type dtype = hiddenOf(state).dtype();
  if (!input.hasRank() || input.rank() != 3 || !width)
    return infer.unranked(dtype);
  return infer.tensor({input.size(0), input.size(1), *width}, dtype);
}

Type packedSequenceOf(TypeRules &infer, TensorInfo data, AnyInfo state, BoolInfo isBidirectional) {
  auto width = widthOf(state, isBidirectional);
  Type dtype = hiddenOf(state).dtype();
  if (!data.hasRank() || data.rank() != 2 || !width)
    return infer.unranked(dtype);
  return infer.tensor({data.size(0), *width}, dtype);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

Tensor GateProduct::operator()(Tensor x) const {
  if (isPacked())
    return x.b->op<aten::LinearDynamicOp>(x, weight, isReduced);
  return x.b->op<aten::LinearOp>(x, weight, bias);
}

CellWeights packedCell(Any ih, Any hh, bool isReduced) {
  OptTensor none(*ih.b, ih.b->none().v);
  return {{ih, none, isReduced}, {hh, none, isReduced}};
}

/// Of gates laid side by side, number `index`, as wide as the state.
static Tensor gate(Tensor gates, int64_t index, int64_t width) {
  return gates.b->op<aten::SliceTensorOp>(gates, -1, index * width, (index + 1) * width, 1);
}

SmallVector<Tensor> lstmStep(Tensor fromInput, ArrayRef<Tensor> state, const CellWeights &weights) {
  GraphBuilder &build = *fromInput.b;
  Tensor h = state[0], c = state[1];
  Tensor gates = fromInput + weights.hh(h);
  int64_t width = h.info().size(-1);
  auto open = [&](int64_t index) { return build.op<aten::SigmoidOp>(gate(gates, index, width)); };
  Tensor value = build.op<aten::TanhOp>(gate(gates, 2, width));
  Tensor newC = open(1) * c + open(0) * value;
  return {open(3) * build.op<aten::TanhOp>(newC), newC};
}

SmallVector<Tensor> gruStep(Tensor fromInput, ArrayRef<Tensor> state, const CellWeights &weights) {
  GraphBuilder &build = *fromInput.b;
  Tensor h = state[0], s = weights.hh(h);
  int64_t width = h.info().size(-1);
  auto open = [&](int64_t index) {
    return build.op<aten::SigmoidOp>(gate(fromInput, index, width) + gate(s, index, width));
  };
  Tensor value = build.op<aten::TanhOp>(gate(fromInput, 2, width) + open(0) * gate(s, 2, width));
  return {(h - value) * open(1) + value};
}

SmallVector<Tensor> tanhStep(Tensor fromInput, ArrayRef<Tensor> state, const CellWeights &weights) {
  return {fromInput.b->op<aten::TanhOp>(fromInput + weights.hh(state[0]))};
}

SmallVector<Tensor> reluStep(Tensor fromInput, ArrayRef<Tensor> state, const CellWeights &weights) {
  return {fromInput.b->op<aten::ReluOp>(fromInput + weights.hh(state[0]))};
}

static SmallVector<Tensor> tensorsOf(GraphBuilder &build, ArrayRef<Value> values) {
  return llvm::map_to_vector(values, [&](Value value) { return Tensor(build, value); });
}

static Decomposition decompositionOf(GraphBuilder &build, ArrayRef<Tensor> tensors) {
  if (build.failed)
    return failure();
  Decomposition result(tensors.front());
  for (Tensor tensor : tensors.drop_front())
    result.values->push_back(tensor.v);
  return result;
}

Decomposition cell(Step step, Tensor input, ArrayRef<Value> state, const CellWeights &weights) {
  GraphBuilder &build = *input.b;
  auto states = tensorsOf(build, state);
  TensorInfo h = states[0].info();
  if (!h.hasRank() || h.rank() == 0 || h.size(-1) == unknown || !weights.ih.bias.isSettled() ||
      !weights.hh.bias.isSettled())
    return failure();
  auto next = step(weights.ih(input), states, weights);
  // Under autocast a state of one half type may become f32.
  for (auto [after, before] : llvm::zip(next, states))
    if (!build.failed && after.info().dtype() != promotedType({before.v}, step == tanhStep))
      return build.notYet("states of the element type that they have after the step");
  return decompositionOf(build, next);
}

//===----------------------------------------------------------------------===//
// Sequences
//===----------------------------------------------------------------------===//

namespace {

/// One layer in one direction over all steps.
struct Layer {
  Step step;
  CellWeights weights;
  bool isBackward;
  /// Which sequences have each step [steps, batch, 1]; the state of the others stays. None: all.
  std::optional<Tensor> mask = std::nullopt;

  /// The outputs [steps, batch, width], then the last state.
  SmallVector<Tensor> run(Tensor input, ArrayRef<Tensor> state) const;

private:
  /// What a trip of `loop`, in whose body `build` is, hands on; `rows` [steps, batch, width] are
  /// the inputs, or what packed parameters have made of them.
  SmallVector<Value> trip(GraphBuilder &build, Value rows, scf::ForOp loop) const;
};

} // namespace

SmallVector<Value> Layer::trip(GraphBuilder &build, Value rows, scf::ForOp loop) const {
  ValueRange args = loop.getRegionIterArgs();
  Int at(build, loop.getInductionVar());
  if (isBackward)
    at = build.i(TensorInfo(rows).size(0) - 1) - at;
  CellWeights own = weights.in(build);
  // A pass makes one product of all steps' where that is faster.
  Tensor row = build.op<aten::SelectIntOp>(Tensor(build, rows), 0, at);
  Tensor share = weights.ih.isPacked() ? row : own.ih(row);
  auto before = tensorsOf(build, llvm::to_vector(args.drop_front()));
  SmallVector<Tensor> next = step(share, before, own);
  if (mask) {
    Tensor goesOn = build.op<aten::SelectIntOp>(Tensor(build, mask->v), 0, at);
    for (auto [after, same] : llvm::zip(next, before))
      after = build.op<aten::WhereSelfOp>(goesOn, after, same);
  }
  SmallVector<Value> yielded = {
      build.op<aten::SelectScatterOp>(Tensor(build, args[0]), next[0], 0, at).v};
  for (Tensor tensor : next)
    yielded.push_back(tensor.v);
  return yielded;
}

SmallVector<Tensor> Layer::run(Tensor input, ArrayRef<Tensor> state) const {
  GraphBuilder &build = *input.b;
  OpBuilder &b = build.builder;
  int64_t steps = input.info().size(0);
  SmallVector<int64_t> sizes = {steps};
  llvm::append_range(sizes, state[0].info().sizes());
  // The range of what packed parameters are multiplied with is that of all steps.
  Value rows = weights.ih.isPacked() ? weights.ih(input).v : input.v;
  // Every step writes its slice.
  auto type = TensorType::get(b.getContext(), ArrayRef<int64_t>(sizes), state[0].info().dtype());
  SmallVector<Value> carried = {PoisonOp::create(b, build.loc, type)};
  for (Tensor tensor : state)
    carried.push_back(tensor.v);
  auto loop =
      scf::ForOp::create(b, build.loc, build.i(0).v, build.i(steps).v, build.i(1).v, carried);
  if (DictionaryAttr autocast = autocastAround(b))
    loop->setAttr(autocastAttr, autocast);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    GraphBuilder nested{b, build.loc};
    SmallVector<Value> yielded = trip(nested, rows, loop);
    build.failed |= nested.failed || TypeRange(ValueRange(yielded)) != loop.getResultTypes();
    scf::YieldOp::create(b, build.loc, yielded);
  }
  loop->removeAttr(autocastAttr);
  return tensorsOf(build, llvm::to_vector(ValueRange(loop.getResults())));
}

/// From one tuple for each layer and direction.
static FailureOr<SmallVector<CellWeights>> packedWeightsOf(GraphBuilder &build,
                                                           ArrayRef<Value> params, int64_t count) {
  SmallVector<CellWeights> weights;
  for (Value cell : params)
    if (auto tuple = withoutDerefine(cell).getDefiningOp<TupleOp>();
        tuple && tuple.getElements().size() == 3)
      if (auto isReduced = BoolInfo(tuple.getElements()[2]).known)
        weights.push_back(packedCell({build, tuple.getElements()[0]},
                                     {build, tuple.getElements()[1]}, *isReduced));
  if (int64_t(weights.size()) != count || weights.size() != params.size())
    return failure();
  return weights;
}

/// The weights of each layer and direction, in the order in which PyTorch lists them.
static FailureOr<SmallVector<CellWeights>> weightsOf(const NetworkShape &shape, int64_t count) {
  GraphBuilder &build = *shape.params.b;
  auto params = shape.params.elements();
  if (params && !params->empty() && isa<TupleType>(params->front().getType()))
    return packedWeightsOf(build, *params, count);
  int64_t each = *shape.hasBiases.known() ? 4 : 2;
  if (!params || int64_t(params->size()) != count * each)
    return failure();
  SmallVector<CellWeights> weights;
  for (int64_t i = 0; i < count; ++i) {
    Value *own = &(*params)[i * each];
    Value biasIh = each == 4 ? own[2] : build.none().v, biasHh = each == 4 ? own[3] : biasIh;
    weights.push_back({{Any(build, own[0]), OptTensor(build, biasIh)},
                       {Any(build, own[1]), OptTensor(build, biasHh)}});
  }
  return weights;
}

bool NetworkShape::dropsOut() const {
  return isTraining.known() == true && dropout.known() != 0.0 && layers.known().value_or(1) > 1;
}

static bool isKnown(const NetworkShape &shape) {
  return shape.hasBiases.known() && shape.layers.known() && shape.isTraining.known() &&
         shape.isBidirectional.known() && shape.isBatchFirst.known();
}

static Tensor joined(GraphBuilder &build, ArrayRef<Tensor> tensors, int64_t dim) {
  return tensors.size() == 1 ? tensors.front() : build.op<aten::CatOp>(build.list(tensors), dim);
}

/// The same with a mask of the sequences that have each step.
static Decomposition recurrent(Step step, Tensor input, ArrayRef<Value> state,
                               const NetworkShape &shape, std::optional<Tensor> mask) {
  GraphBuilder &build = *input.b;
  auto states = tensorsOf(build, state);
  bool isStatic = input.info().tensor.isStatic() && input.info().rank() == 3 &&
                  llvm::all_of(states, [](Tensor t) { return t.info().tensor.isStatic(); });
  if (!isKnown(shape) || !isStatic)
    return failure();
  if (shape.dropsOut())
    return failure();
  int64_t directions = *shape.isBidirectional.known() ? 2 : 1;
  auto weights = weightsOf(shape, *shape.layers.known() * directions);
  if (failed(weights))
    return failure();
  bool isBatchFirst = *shape.isBatchFirst.known();
  Tensor x = isBatchFirst ? build.op<aten::TransposeIntOp>(input, 0, 1) : input;
  SmallVector<SmallVector<Tensor>> last(states.size());
  for (size_t i = 0; i < weights->size(); i += directions) {
    SmallVector<Tensor> outputs;
    for (int64_t direction = 0; direction < directions; ++direction) {
      int64_t index = i + direction;
      auto initial = llvm::map_to_vector(
          states, [&](Tensor t) { return build.op<aten::SelectIntOp>(t, 0, index); });
      auto results = Layer{step, (*weights)[index], direction == 1, mask}.run(x, initial);
      outputs.push_back(results[0]);
      for (auto [list, tensor] : llvm::zip(last, ArrayRef(results).drop_front()))
        list.push_back(build.op<aten::UnsqueezeOp>(tensor, 0));
    }
    x = joined(build, outputs, -1);
  }
  SmallVector<Tensor> all = {isBatchFirst ? build.op<aten::TransposeIntOp>(x, 0, 1) : x};
  for (auto &list : last)
    all.push_back(joined(build, list, 0));
  return decompositionOf(build, all);
}

Decomposition recurrent(Step step, Tensor input, ArrayRef<Value> state, const NetworkShape &shape) {
  return recurrent(step, input, state, shape, std::nullopt);
}

Decomposition recurrentOfMasked(Step step, Tensor input, Tensor mask, ArrayRef<Value> state,
                                const NetworkShape &shape) {
  return recurrent(step, input, state, shape, mask);
}

Decomposition recurrentOfPacked(Step step, Tensor data, Tensor batchSizes, ArrayRef<Value> state,
                                const NetworkShape &shape) {
  GraphBuilder &build = *data.b;
  TensorInfo sizes = batchSizes.info(), first(state.front());
  bool isStatic = data.info().tensor.isStatic() && data.info().rank() == 2 &&
                  sizes.tensor.isStatic() && sizes.rank() == 1 && first.tensor.isStatic() &&
                  first.rank() == 3;
  if (!isStatic)
    return failure();
  int64_t rows = data.info().size(0), steps = sizes.size(0), batch = first.size(1);
  Any none = build.none();
  auto range = [&](int64_t count) {
    return Tensor(build.op<aten::ArangeOp>(count, none, none, none, none));
  };
  Tensor ends = build.op<aten::CumsumOp>(batchSizes, 0, none), begins = ends - batchSizes;
  Tensor column = range(batch), ofStep = build.op<aten::UnsqueezeOp>(batchSizes, 1);
  Tensor mask = build.op<aten::LtTensorOp>(column, ofStep);
  // What is beyond a sequence's end is some row: nobody sees what becomes of it.
  Tensor places = build.op<aten::ClampOp>(build.op<aten::UnsqueezeOp>(begins, 1) + column, none,
                                          build.i(rows - 1));
  auto flat = [&](Tensor t, ArrayRef<int64_t> sizes) -> Tensor {
    return build.op<aten::ReshapeOp>(t, build.ints(sizes));
  };
  Tensor padded = build.op<aten::IndexSelectOp>(data, 0, flat(places, {steps * batch}));
  Decomposition network = recurrent(step, flat(padded, {steps, batch, data.info().size(1)}), state,
                                    shape, build.op<aten::UnsqueezeOp>(mask, 2));
  if (failed(network.values))
    return network;
  Tensor outputs(build, network.values->front()), row = range(rows);
  // As many steps as end before it.
  Tensor isBehind = build.op<aten::GeTensorOp>(build.op<aten::UnsqueezeOp>(row, 1), ends);
  Tensor stepOfRow = build.op<aten::SumDimIntListOp>(isBehind, build.ints({1}), false, none);
  Tensor inStep = row - Tensor(build.op<aten::IndexSelectOp>(begins, 0, stepOfRow));
  Tensor at = Tensor(build.op<aten::MulScalarOp>(stepOfRow, batch)) + inStep;
  network.values->front() =
      build.op<aten::IndexSelectOp>(flat(outputs, {steps * batch, outputs.info().size(2)}), 0, at)
          .v;
  return build.failed ? Decomposition(failure()) : network;
}

Decomposition layersAtRandom(MakeLayer makeLayer, Tensor input, ArrayRef<Value> state,
                             const NetworkShape &shape) {
  GraphBuilder &build = *input.b;
  auto params = shape.params.elements();
  int64_t layers = *shape.layers.known();
  if (!params || params->size() % layers != 0 || !shape.isBidirectional.known())
    return failure();
  int64_t each = params->size() / layers, directions = *shape.isBidirectional.known() ? 2 : 1;
  SmallVector<SmallVector<Tensor>> last(state.size());
  for (int64_t layer = 0; layer < layers; ++layer) {
    if (layer > 0)
      input = build.op<aten::DropoutOp>(input, shape.dropout, true);
    auto initial = llvm::map_to_vector(tensorsOf(build, state), [&](Tensor t) {
      return build.op<aten::SliceTensorOp>(t, 0, layer * directions, (layer + 1) * directions, 1);
    });
    auto own = tensorsOf(build, ArrayRef(*params).slice(layer * each, each));
    Operation *made = makeLayer(input, initial, build.list(own));
    input = Tensor(build, made->getResult(0));
    for (auto [list, tensor] : llvm::zip(last, made->getResults().drop_front()))
      list.push_back(Tensor(build, tensor));
  }
  SmallVector<Tensor> all = {input};
  for (auto &list : last)
    all.push_back(joined(build, list, 0));
  return decompositionOf(build, all);
}

} // namespace jit

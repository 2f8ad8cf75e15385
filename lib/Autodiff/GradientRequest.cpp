//===- GradientRequest.cpp - what a program asks the gradients of ---------===//

#include "GradientRequest.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/History.h"
#include "jit/Dialect/Aten/Lists.h"
#include "jit/Dialect/Aten/View.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace jit {

Value GradientRequest::variable(unsigned i) const { return historyOf(inputs[i]); }

unsigned GradientRequest::indexOf(aten::GradientOp gradient) const {
  return *IntInfo(gradient.getIndex()).known;
}

static bool isOneCall(aten::GradientOp a, aten::GradientOp b) {
  return a.getOutputs() == b.getOutputs() && a.getInputs() == b.getInputs() &&
         a.getGradOutputs() == b.getGradOutputs() && a.getCreateGraph() == b.getCreateGraph() &&
         a.getAllowUnused() == b.getAllowUnused();
}

static bool collect(Value list, SmallVectorImpl<Value> &elements) {
  auto known = ListInfo(withoutDerefine(list)).elements;
  for (Value element : known.value_or(SmallVector<Value>()))
    elements.push_back(withoutDerefine(element));
  return known.has_value();
}

FailureOr<GradientRequest> requestOf(aten::GradientOp op) {
  GradientRequest request;
  BoolInfo createGraph(op.getCreateGraph()), allowUnused(op.getAllowUnused());
  if (!collect(op.getOutputs(), request.outputs) || !collect(op.getInputs(), request.inputs) ||
      !collect(op.getGradOutputs(), request.weights) || !createGraph.known || !allowUnused.known ||
      !IntInfo(op.getIndex()).known || request.weights.size() != request.outputs.size())
    return op.emitOpError("expected lists of known length and known flags");
  request.createGraph = *createGraph.known;
  request.allowUnused = *allowUnused.known;
  // `op` is the first of its block that is left, and one call with itself.
  for (auto other : op->getBlock()->getOps<aten::GradientOp>())
    if (isOneCall(op, other))
      request.gradients.push_back(other);
  return request;
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

void raise(OpBuilder &b, Location loc, const Twine &message) {
  Value never = arith::ConstantOp::create(b, loc, b.getBoolAttr(false));
  GuardOp::create(b, loc, never, "builtins.RuntimeError", message.str(), ValueRange());
}

static std::string sizesOf(TensorType type) {
  std::string text = "[";
  for (int64_t size : type.getSizes())
    text += (text.size() > 1 ? ", " : "") + (size < 0 ? "?" : std::to_string(size));
  return text + "]";
}

/// Whether PyTorch sums a gradient of sizes `from` to sizes `to` by itself.
static bool isSummable(TensorType from, TensorType to) {
  ArrayRef<int64_t> given = from.getSizes(), wanted = to.getSizes();
  if (given.size() < wanted.size())
    return false;
  for (auto [a, b] : llvm::zip(given.take_back(wanted.size()), wanted))
    if (a != b && b != 1)
      return false;
  return true;
}

/// What PyTorch finds wrong with the weight of output `i`; empty where it takes it.
static std::string weightFault(const GradientRequest &request, unsigned i) {
  auto output = cast<TensorType>(request.outputs[i].getType());
  auto weight = dyn_cast<TensorType>(request.weights[i].getType());
  if (weight && isSummable(weight, output))
    return "";
  if (weight)
    return llvm::formatv("invalid gradient at index {0} - got {1} but expected shape compatible "
                         "with {2}",
                         i, sizesOf(weight), sizesOf(output));
  bool isScalar = llvm::all_of(output.getSizes(), [](int64_t size) { return size == 1; });
  return isScalar ? "" : "grad can be implicitly created only for scalar outputs";
}

/// Of an input that may be unused it has to be known whether it is: a test for None asks that.
static LogicalResult checkUses(const GradientRequest &request) {
  for (unsigned i = 0; i < request.inputs.size(); ++i) {
    RequiresGrad reaches(request.variable(i));
    auto answers = llvm::map_to_vector(request.outputs, [&](Value v) { return reaches(v); });
    if (!llvm::is_contained(answers, true) && llvm::is_contained(answers, std::nullopt))
      return request.first()->emitError("expected to know whether an output depends on element ")
             << i << " of the inputs: it depends on the data";
  }
  return success();
}

LogicalResult checkRequest(const GradientRequest &request, RequiresGrad &requiresGrad,
                           bool &isRefused) {
  Operation *op = request.first();
  OpBuilder b(op);
  auto refuse = [&](const Twine &message) {
    raise(b, op->getLoc(), message);
    isRefused = true;
  };
  for (auto [values, name] :
       {std::pair(&request.outputs, "tensors"), std::pair(&request.inputs, "the input tensors")})
    for (auto [i, value] : llvm::enumerate(*values)) {
      std::optional<bool> requires_ = requiresGrad(value);
      if (!requires_)
        return op->emitError("expected to know whether element ")
               << i << " of " << name << " requires a gradient: it depends on the data";
      if (*requires_)
        continue;
      refuse("element " + Twine(i) + " of " + name + " does not require grad" +
             (values == &request.outputs ? " and does not have a grad_fn" : ""));
      return success();
    }
  for (unsigned i = 0; i < request.outputs.size(); ++i)
    if (std::string fault = weightFault(request, i); !fault.empty()) {
      refuse(fault);
      return success();
    }
  return request.allowUnused ? checkUses(request) : success();
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

Value weightOf(OpBuilder &b, const GradientRequest &request, unsigned i) {
  GraphBuilder build{b, request.first()->getLoc()};
  Tensor output(build, request.outputs[i]), weight(build, request.weights[i]);
  if (weight.isNone())
    return onesLike(output).v;
  if (weight.info().sizes() != output.info().sizes())
    weight = build.op<aten::GradSumToSizeOp>(weight, sizesOf(output));
  return typeAs(weight, output).v;
}

} // namespace jit

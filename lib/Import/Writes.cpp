//===- Writes.cpp - operators that write their arguments ------------------===//

#include "OperatorBuilder.h"
#include "jit/Dialect/Aten/OpBase.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace jit {

/// What an in-place operator does to the tensor that it is called on.
enum class InPlace { Writes, Reshapes, Resizes };

static InPlace effectOf(StringRef name) {
  return llvm::StringSwitch<InPlace>(name)
      .Cases({"aten::squeeze_", "aten::unsqueeze_", "aten::transpose_", "aten::t_"},
             InPlace::Reshapes)
      .Cases({"aten::swapdims_", "aten::swapaxes_", "aten::as_strided_"}, InPlace::Reshapes)
      .Cases({"aten::resize_", "aten::resize_as_", "aten::set_"}, InPlace::Resizes)
      .Default(InPlace::Writes);
}

Value OperatorBuilder::overwrite(Value self, Value result, StringRef from, Location loc) {
  auto write = OverwriteOp::create(builder, loc, self.getType(), self, result);
  write->setDiscardableAttr(castAttr, builder.getStringAttr(from));
  return write;
}

Value OperatorBuilder::writeOut(Value out, Value result, Location loc, StringRef from) {
  if (!out || !result)
    return unknown();
  if (!isa<TensorType>(out.getType()) || !isa<TensorType>(result.getType()))
    return unsupported(loc, "out= with anything but one tensor");
  Value write = overwrite(out, result, from, loc);
  write.getDefiningOp()->setDiscardableAttr(outAttr, builder.getUnitAttr());
  return write;
}

/// Whether it cannot be what a result is written to.
static bool isNoResult(const CallArgument &argument) {
  return (argument.keyword.empty() && !argument.anyPosition) ||
         !isa<TensorType>(argument.value.getType());
}

/// The arguments with the one that is called `out` behind those which are no tensors.
static SmallVector<CallArgument> withOutLast(ArrayRef<CallArgument> arguments) {
  SmallVector<CallArgument> ordered(arguments);
  auto *out = llvm::find_if(ordered, [](const CallArgument &a) { return a.keyword == "out"; });
  if (out != ordered.end() && isNoResult(ordered.back()))
    std::rotate(out, out + 1, ordered.end());
  return ordered;
}

Value OperatorBuilder::callInto(ArrayRef<Overload> overloads, ArrayRef<CallArgument> given,
                                Location loc) {
  SmallVector<CallArgument> ordered = withOutLast(given);
  ArrayRef<CallArgument> arguments = ordered;
  // In a graph all arguments are there, and none has a name; a single one that has is called `out`.
  bool byPlace = arguments.empty() || arguments.back().anyPosition;
  size_t least = byPlace || arguments.back().keyword == "out" ? 1 : 2;
  size_t count = llvm::find_if(llvm::reverse(arguments), isNoResult) - arguments.rbegin();
  for (; count >= least; --count) {
    auto match = resolveOverload(overloads, arguments.drop_back(count), context);
    if (match && match->results.size() == count &&
        (!byPlace || match->operands.size() + count == arguments.size()))
      return writeResults(*match, arguments.take_back(count), loc);
  }
  return {};
}

/// An operator that can be told an element type computes in that of what it writes, where it is
/// told none.
void OperatorBuilder::computeInTypeOf(Value out, OverloadMatch &match, Location loc) {
  ArrayRef<SchemaArgument> formals = match.overload->schema.arguments;
  const auto *dtype = llvm::find_if(formals, [](auto &formal) { return formal.name == "dtype"; });
  if (dtype == formals.end())
    return;
  OverloadMatch::Operand &operand = match.operands[dtype - formals.begin()];
  if (!operand.value || isa<NoneType>(operand.value.getType()))
    operand = {callOperator("prim::dtype", ArrayRef(out), loc)};
}

Value OperatorBuilder::writeResults(OverloadMatch match, ArrayRef<CallArgument> outs,
                                    Location loc) {
  if (outs.size() == 1)
    computeInTypeOf(outs.front().value, match, loc);
  Value results = buildOperator(match, loc);
  if (!results)
    return unknown();
  bool isInOut = match.overload->operation.hasTrait<ComputesInOut>();
  StringRef from = isInOut ? "same" : "category";
  if (outs.size() == 1)
    return writeOut(outs.front().value, results, loc, from);
  SmallVector<Value> written;
  for (auto [i, out] : llvm::enumerate(outs))
    written.push_back(writeOut(
        out.value, TupleIndexOp::create(builder, loc, match.results[i], results, i), loc, from));
  if (llvm::is_contained(written, Value()))
    return unknown();
  auto types = llvm::map_to_vector(written, [](Value tensor) { return tensor.getType(); });
  return TupleOp::create(builder, loc, TupleType::get(context, types), written);
}

bool OperatorBuilder::changesSizes(StringRef name) { return effectOf(name) != InPlace::Writes; }

/// What torch.nn.init writes: `_no_grad_fill_` is `fill_` while no gradients are recorded.
Value OperatorBuilder::callWithoutGradients(StringRef name, ArrayRef<CallArgument> arguments,
                                            Location loc) {
  std::string written = ("aten::" + name.substr(StringRef("aten::_no_grad_").size())).str();
  Value before = callOperator("aten::is_grad_enabled", ArrayRef<Value>(), loc);
  callOperator("aten::set_grad_enabled", ArrayRef<Value>(boolConstant(false, loc)), loc);
  Value result = callOperator(written, arguments, loc);
  if (before)
    callOperator("aten::set_grad_enabled", ArrayRef(before), loc);
  return result;
}

/// The arguments of the functional operator: `polygamma_(self, n)` is `polygamma(n, self)`.
static SmallVector<CallArgument> functionalArguments(ArrayRef<Overload> overloads,
                                                     ArrayRef<CallArgument> arguments) {
  SmallVector<CallArgument> ordered(arguments);
  bool beginsWithSelf =
      overloads.empty() || llvm::any_of(overloads, [](const Overload &overload) {
        ArrayRef<SchemaArgument> formals = overload.schema.arguments;
        return !formals.empty() && formals.front().type.kind == SchemaType::Kind::Tensor;
      });
  if (!beginsWithSelf) {
    std::rotate(ordered.begin(), ordered.begin() + 1, ordered.end());
    ordered.back().keyword = "self";
  }
  return ordered;
}

/// A memory format that says nothing, or row by row.
static bool isContiguousFormat(Value format) {
  Attribute constant;
  return isa<NoneType>(format.getType()) ||
         (matchPattern(format, m_Constant(&constant)) && isa<IntegerAttr>(constant) &&
          cast<IntegerAttr>(constant).getValue().isZero());
}

/// What shows other elements from there on: a tensor of other sizes in the same memory, or with
/// `set_` another tensor.
Value OperatorBuilder::callResize(StringRef name, ArrayRef<CallArgument> arguments, Location loc) {
  bool isKnown =
      arguments.size() >= 2 && arguments.size() <= 3 &&
      llvm::all_of(arguments, [](const CallArgument &argument) { return bool(argument.value); }) &&
      isa<TensorType>(arguments[0].value.getType());
  bool isPlain = isKnown && (arguments.size() == 2 || isContiguousFormat(arguments[2].value));
  bool isByTensor = isKnown && isa<TensorType>(arguments[1].value.getType());
  if (!isPlain || isByTensor == (name == "aten::resize_") ||
      (name == "aten::set_" && arguments.size() != 2))
    return reportMissing(name, {}, arguments, loc);
  Value self = arguments[0].value, other = arguments[1].value;
  Value now;
  if (name == "aten::set_") {
    now = callOperator("aten::alias", ArrayRef(other), loc);
  } else {
    Value size = isByTensor ? callOperator("aten::size", ArrayRef(other), loc) : other;
    now = size ? callOperator("jit::_resized", ArrayRef<Value>{self, size}, loc) : Value();
  }
  if (!now)
    return unknown();
  auto become = BecomeOp::create(builder, loc, self.getType(), self, now);
  if (name == "aten::set_")
    become->setDiscardableAttr(otherAttr, builder.getUnitAttr());
  return become;
}

Value OperatorBuilder::callInPlace(StringRef name, StringRef functional,
                                   ArrayRef<CallArgument> arguments, Location loc) {
  if (name.starts_with("aten::_no_grad_"))
    return callWithoutGradients(name, arguments, loc);
  InPlace effect = effectOf(name);
  if (effect == InPlace::Resizes)
    return callResize(name, arguments, loc);
  ArrayRef<Overload> overloads = schemas.find(functional);
  bool known = llvm::all_of(arguments, [](const CallArgument &a) { return bool(a.value); });
  if (!overloads.empty() && !known)
    return unknown();
  std::optional<OverloadMatch> match;
  bool hasSelf = !arguments.empty() && isa<TensorType>(arguments[0].value.getType());
  // `normal` is another operator than `normal_`: its tensor is the mean.
  if (hasSelf && known)
    match = resolveOverload(schemas.find((functional + "_functional").str()), arguments, context);
  if (!match && hasSelf && !overloads.empty())
    match = resolveOverload(overloads, functionalArguments(overloads, arguments), context);
  if (!match || match->results.size() != 1 || !isa<TensorType>(match->results.front()))
    return reportMissing(name, overloads, arguments, loc);
  Value self = arguments.front().value;
  Value result = buildOperator(*match, loc);
  if (!result)
    return unknown();
  if (effect == InPlace::Reshapes)
    return BecomeOp::create(builder, loc, self.getType(), self, result);
  return overwrite(self, result, "category", loc);
}

} // namespace jit

//===- ExportedScalars.cpp - numbers and checks of an exported graph ------===//

#include "ExportedImporter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Python's operators
//===----------------------------------------------------------------------===//

StringRef scalarOperator(StringRef target) {
  return llvm::StringSwitch<StringRef>(target)
      .Case("_operator.add", "aten::add")
      .Case("_operator.sub", "aten::sub")
      .Case("_operator.mul", "aten::mul")
      .Case("_operator.truediv", "aten::div")
      .Case("_operator.floordiv", "aten::floordiv")
      .Case("_operator.mod", "aten::remainder")
      .Case("_operator.pow", "aten::pow")
      .Case("_operator.neg", "aten::neg")
      .Case("_operator.eq", "aten::eq")
      .Case("_operator.ne", "aten::ne")
      .Case("_operator.lt", "aten::lt")
      .Case("_operator.le", "aten::le")
      .Case("_operator.gt", "aten::gt")
      .Case("_operator.ge", "aten::ge")
      .Case("_operator.and_", "aten::__and__")
      .Case("_operator.or_", "aten::__or__")
      .Case("_operator.xor", "aten::__xor__")
      .Cases({"_operator.not_", "torch.sym_not"}, "aten::__not__")
      .Cases({"math.floor", "torch._sym_floor"}, "aten::floor")
      .Cases({"math.ceil", "torch._sym_ceil"}, "aten::ceil")
      .Cases({"math.trunc", "torch.sym_int"}, "aten::Int")
      .Cases({"math.sqrt", "torch._sym_sqrt"}, "aten::sqrt")
      .Case("torch.sym_float", "aten::Float")
      .Case("torch.sym_max", "prim::max")
      .Case("torch.sym_min", "prim::min")
      .Cases({"_operator.abs", "abs"}, "prim::abs")
      .Default("");
}

Value ExportedImporter::convertScalar(Value value, Argument::Kind kind, Location loc) {
  if (!value || isa<TensorType>(value.getType()))
    return value;
  if (kind == Argument::Kind::SymInt && !value.getType().isInteger(64))
    return callOperator("aten::Int", ArrayRef(value), loc);
  if (kind == Argument::Kind::SymFloat && !value.getType().isF64())
    return callOperator("aten::Float", ArrayRef(value), loc);
  return value;
}

Value ExportedImporter::importScalar(const Node &node, StringRef name, Location loc) {
  Values operands;
  for (const exported::NamedArgument &input : node.inputs)
    operands.push_back(value(input.value, loc));
  if (llvm::is_contained(operands, Value()))
    return unknown();
  if (const Value *missing = llvm::find_if(operands, isMissing); missing != operands.end())
    return *missing;
  bool onInts = llvm::all_of(operands, [](Value v) { return v.getType().isInteger(64); });
  // TorchScript's own operator of that name gives a float.
  if (name == "aten::pow" && onInts)
    for (const Overload &overload : schemas.find(name))
      if (StringRef(overload.text).starts_with("aten::pow.int_to_int("))
        if (auto match = resolveOverload(
                overload,
                llvm::map_to_vector(operands, [](Value v) { return CallArgument{v, {}}; }),
                context))
          return buildOperator(*match, loc);
  return callOperator(name, operands, loc);
}

//===----------------------------------------------------------------------===//
// Forms of their own
//===----------------------------------------------------------------------===//

ExportedImporter::Form ExportedImporter::findForm(StringRef target) {
  using I = ExportedImporter;
  return llvm::StringSwitch<Form>(target)
      .Cases({"torch.ops.aten.item.default", "torch.ops.aten._local_scalar_dense.default"},
             &I::formItem)
      .Cases({"torch.ops.aten._assert_scalar.default", "torch.ops.aten._assert_async.msg",
              "torch.ops.aten._assert_async.default"},
             &I::formAssert)
      .Cases({"torch.ops.aten.sym_constrain_range.default",
              "torch.ops.aten.sym_constrain_range_for_size.default"},
             &I::formConstrainRange)
      // What it checks of a value, the types of all operators before it say.
      .Case("torch.ops.aten._assert_tensor_metadata.default", &I::formNothing)
      .Case("torch.ops.aten.detach_.default", &I::formDetach)
      .Cases({"torch.ops.aten.sym_size.int", "torch.ops.aten.sym_size.default"}, &I::formSize)
      .Case("torch.ops.aten.sym_numel.default", &I::formNumel)
      .Case("torch.sym_ite", &I::formSelect)
      .Case("torch.sym_sum", &I::formSum)
      .Case("torch.ops.higher_order.cond", &I::formCond)
      .Case("torch.ops.higher_order.while_loop", &I::formWhileLoop)
      .Cases({"torch.ops.higher_order.map_impl", "torch.ops.higher_order.map"}, &I::formMap)
      .Case("torch.ops.higher_order.scan", &I::formScan)
      .Case("torch.ops.higher_order.wrap_with_set_grad_enabled", &I::formSetGradEnabled)
      .Case("torch.ops.higher_order.wrap_with_autocast", &I::formAutocast)
      .Cases({"torch.ops.higher_order.wrap", "torch.ops.higher_order.invoke_subgraph",
              "torch.ops.higher_order.tag_activation_checkpoint",
              "torch.ops.higher_order.strict_mode"},
             &I::formInline)
      .Default(nullptr);
}

Value ExportedImporter::onInputs(const Node &node, StringRef name, Location loc) {
  Values operands;
  for (const exported::NamedArgument &input : node.inputs)
    operands.push_back(value(input.value, loc));
  return llvm::is_contained(operands, Value()) ? unknown() : callOperator(name, operands, loc);
}

Value ExportedImporter::formSize(const Node &node, Location loc) {
  return onInputs(node, "aten::size", loc);
}

Value ExportedImporter::formNumel(const Node &node, Location loc) {
  return onInputs(node, "aten::numel", loc);
}

/// Taking a tensor out of its graph of gradients writes no element.
Value ExportedImporter::formDetach(const Node &node, Location loc) {
  return onInputs(node, "aten::detach", loc);
}

Value ExportedImporter::formNothing(const Node &, Location) { return unknown(); }

Value ExportedImporter::formItem(const Node &node, Location loc) {
  Argument::Kind kind = node.outputs.size() == 1 ? node.outputs[0].kind : Argument::Kind::None;
  return onInputs(node,
                  kind == Argument::Kind::SymInt     ? "aten::Int"
                  : kind == Argument::Kind::SymFloat ? "aten::Float"
                  : kind == Argument::Kind::SymBool  ? "aten::Bool"
                                                     : "aten::item",
                  loc);
}

Value ExportedImporter::truth(Value value, Location loc) {
  if (!value || value.getType().isInteger(1))
    return value;
  return callOperator("aten::Bool", ArrayRef(value), loc);
}

std::string escapeBraces(StringRef text) {
  std::string escaped;
  for (char c : text) {
    if (c == '{' || c == '}')
      escaped += c;
    escaped += c;
  }
  return escaped;
}

Value ExportedImporter::formAssert(const Node &node, Location loc) {
  Value condition = node.inputs.empty() ? unknown() : truth(value(node.inputs[0].value, loc), loc);
  StringRef message = "an assertion does not hold";
  if (node.inputs.size() > 1 && node.inputs[1].value.kind == Argument::Kind::String)
    message = node.inputs[1].value.text;
  if (condition)
    GuardOp::create(builder, loc, condition, "builtins.RuntimeError", escapeBraces(message),
                    ValueRange());
  return unknown();
}

Value ExportedImporter::formConstrainRange(const Node &node, Location loc) {
  Value subject = node.inputs.empty() ? unknown() : value(node.inputs[0].value, loc);
  if (!subject)
    return unknown();
  auto check = [&](const exported::NamedArgument &input, StringRef compare, const char *words) {
    if (input.value.kind != Argument::Kind::Int)
      return;
    Value bound = intConstant(input.value.integer, loc);
    Value holds = callOperator(compare, {subject, bound}, loc);
    if (holds)
      GuardOp::create(builder, loc, holds, "builtins.RuntimeError",
                      std::string("expected a value of at ") + words + " {}, got {}",
                      ValueRange{bound, subject});
  };
  for (const exported::NamedArgument &input : ArrayRef(node.inputs).drop_front()) {
    if (input.name == "min")
      check(input, "aten::ge", "least");
    if (input.name == "max")
      check(input, "aten::le", "most");
  }
  return unknown();
}

/// One of two numbers.
Value ExportedImporter::formSelect(const Node &node, Location loc) {
  Values operands;
  for (const exported::NamedArgument &input : node.inputs)
    operands.push_back(value(input.value, loc));
  if (operands.size() != 3 || llvm::is_contained(operands, Value()) ||
      operands[1].getType() != operands[2].getType())
    return unsupported(loc, "a choice of values of several types");
  Value condition = truth(operands[0], loc);
  return condition
             ? Value(arith::SelectOp::create(builder, loc, condition, operands[1], operands[2]))
             : unknown();
}

Value ExportedImporter::formSum(const Node &node, Location loc) {
  Value sum;
  for (Value operand : operandsFrom(node, 0, loc)) {
    if (!operand)
      return unknown();
    sum = sum ? callOperator("aten::add", {sum, operand}, loc) : operand;
  }
  return sum ? sum : intConstant(0, loc);
}

} // namespace jit

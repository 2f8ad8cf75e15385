//===- ExportedForms.cpp - what PyTorch says in other operators -----------===//

#include "Exporter.h"

using namespace mlir;

namespace jit {

/// Each is a value of the graph.
static constexpr int64_t maxRows = 1 << 14;

/// The rows of a tensor, of which there is a known number.
bool Exporter::addRows(ListFromTensorOp op) {
  auto tensor = argument(op->getOperand(0), op);
  if (!tensor)
    return false;
  exported::TensorMeta row = graph->tensors[tensor->text];
  if (row.sizes.empty() || !row.sizes.front().isKnown())
    return fail(op, "expected a list of a known number of tensors, got one of an open number");
  int64_t count = row.sizes.front().value;
  if (count > maxRows)
    return fail(op,
                "expected a list of at most " + Twine(maxRows) + " tensors, got " + Twine(count));
  row.sizes.erase(row.sizes.begin());
  row.strides.erase(row.strides.begin());
  Argument names{.kind = Kind::List};
  for (int64_t i = 0; i < count; ++i) {
    names.elements.push_back({.kind = Kind::Tensor, .text = unique("unbind")});
    graph->tensors[names.elements.back().text] = row;
  }
  values[op->getResult(0)] = names;
  exported::Node node{.target = "torch.ops.aten.unbind.int"};
  node.inputs = {{"self", *tensor}, {"dim", {.kind = Kind::Int, .integer = 0}}};
  node.outputs = {names};
  return addNode(std::move(node), op->getLoc());
}

/// `torch.tensor` of numbers: a tensor of each, for it is a word of TorchScript's alone.
bool Exporter::addTensorOfList(Operation *op) {
  auto list = argument(op->getOperand(0), op), dtype = argument(op->getOperand(1), op);
  auto named = list && dtype ? define(op->getResult(0), "tensor") : std::nullopt;
  if (!named)
    return false;
  bool isFlat = list->kind == Kind::List && !list->elements.empty() &&
                llvm::none_of(list->elements, [](const Argument &element) {
                  return element.kind == Kind::List || element.kind == Kind::Tensor;
                });
  if (!isFlat)
    return fail(op, "expected a tensor of a list of numbers, got one of another list");
  exported::TensorMeta one{.dtype = graph->tensors[named->text].dtype, .device = "cpu"};
  Argument type{.kind = Kind::Int,
                .integer = static_cast<int64_t>(one.dtype),
                .names = Argument::Names::ScalarType};
  Argument all{.kind = Kind::List};
  for (const Argument &element : list->elements) {
    exported::Node number{.target = "torch.ops.aten.scalar_tensor.default"};
    number.inputs = {{"s", element}, {"dtype", type, /*isKeyword=*/true}};
    number.outputs = {{.kind = Kind::Tensor, .text = unique("scalar_tensor")}};
    all.elements.push_back(number.outputs.front());
    graph->tensors[all.elements.back().text] = one;
    addNode(std::move(number), op->getLoc());
  }
  exported::Node node{.target = "torch.ops.aten.stack.default"};
  node.inputs = {{"tensors", all}};
  node.outputs = {*named};
  return addNode(std::move(node), op->getLoc());
}

/// A transform of complex numbers takes real ones here alone: there they are converted first.
bool Exporter::addComplexOperand(Operation *op) {
  Value operand = op->getOperand(0);
  auto tensor = argument(operand, op);
  if (!tensor)
    return false;
  exported::TensorMeta meta = graph->tensors[tensor->text];
  auto type = cast<TensorType>(op->getResult(0).getType());
  std::optional<ScalarType> dtype = type.hasDtype() ? typeToDtype(type.getDtype()) : std::nullopt;
  if (!dtype || meta.dtype == *dtype)
    return true;
  meta.dtype = *dtype;
  Argument named{.kind = Kind::Tensor, .text = unique("to")};
  exported::Node node{.target = "torch.ops.aten.to.dtype"};
  node.inputs = {{"self", *tensor},
                 {"dtype",
                  {.kind = Kind::Int,
                   .integer = static_cast<int64_t>(*dtype),
                   .names = Argument::Names::ScalarType}}};
  node.outputs = {named};
  graph->tensors[named.text] = std::move(meta);
  addNode(std::move(node), op->getLoc());
  complexOf[operand] = named;
  return true;
}

} // namespace jit

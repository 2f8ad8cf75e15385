//===- ExportedWriterGraph.cpp - tensors, arguments and nodes as JSON -----===//

#include "ExportedJson.h"

#include <algorithm>
#include <cmath>

namespace jit::exported {

//===----------------------------------------------------------------------===//
// Numbers that stand for names
//===----------------------------------------------------------------------===//

/// The format has numbers of its own for element types; 0 for none of them.
static int64_t scalarTypeNumber(int64_t type) {
  const ScalarTypeRecord *known = scalarTypeNumbered(type);
  return known ? known->exported : 0;
}

/// The inverse of the reader's tables.
static int64_t layoutNumber(int64_t layout) {
  static constexpr int64_t numbers[] = {7, 1, 2, 6, 3, 4, 5};
  return layout >= 0 && layout < 7 ? numbers[layout] : 0;
}

static int64_t memoryFormatNumber(int64_t format) {
  static constexpr int64_t numbers[] = {1, 4, 2, 3};
  return format >= 0 && format < 4 ? numbers[format] : 0;
}

static Json deviceJson(const std::string &device) {
  size_t colon = device.find(':');
  if (colon == std::string::npos)
    return {{"type", device}, {"index", nullptr}};
  return {{"type", device.substr(0, colon)}, {"index", std::stoll(device.substr(colon + 1))}};
}

Json jsonOf(double number) {
  if (std::isfinite(number))
    return number;
  return std::isnan(number) ? "NaN" : number < 0 ? "-Infinity" : "Infinity";
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

static Json expressionJson(const std::string &text, const std::optional<int64_t> &example) {
  Json hint = example ? Json{{"as_int", *example}} : Json();
  return {{"as_expr", {{"expr_str", text}, {"hint", hint}}}};
}

static Json extentJson(const Extent &extent) {
  return extent.isKnown() ? Json{{"as_int", extent.value}}
                          : expressionJson(extent.expression, extent.example);
}

static Json extentsJson(const std::vector<Extent> &extents) {
  Json list = Json::array();
  for (const Extent &extent : extents)
    list.push_back(extentJson(extent));
  return list;
}

Json jsonOf(const TensorMeta &meta) {
  return {{"dtype", scalarTypeNumber(static_cast<int64_t>(meta.dtype))},
          {"sizes", extentsJson(meta.sizes)},
          {"requires_grad", meta.requiresGrad},
          {"device", deviceJson(meta.device)},
          {"strides", extentsJson(meta.strides)},
          {"storage_offset", extentJson(meta.offset)},
          {"layout", layoutNumber(0)}};
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// The member of a list or of a union of names and numbers.
static Json elementJson(const Argument &element) {
  using Kind = Argument::Kind;
  switch (element.kind) {
  case Kind::SymInt:
  case Kind::SymFloat:
  case Kind::SymBool:
    return {{"as_name", element.text}};
  case Kind::Tensor:
    return {{"name", element.text}};
  case Kind::Float:
    return jsonOf(element.number);
  case Kind::Bool:
    return element.integer != 0;
  case Kind::Int:
    return element.integer;
  default:
    return element.text;
  }
}

/// A list that holds names of values says of each element what it is.
static Json listJson(const Argument &list, const char *key, const char *plainKey) {
  Json elements = Json::array();
  for (const Argument &element : list.elements)
    elements.push_back(element.isValue() ? elementJson(element)
                                         : Json{{plainKey, elementJson(element)}});
  return {{key, elements}};
}

static Json tensorListJson(const Argument &list) {
  bool hasNone = std::ranges::any_of(
      list.elements, [](const Argument &element) { return element.kind == Argument::Kind::None; });
  Json elements = Json::array();
  for (const Argument &element : list.elements)
    if (!hasNone)
      elements.push_back(elementJson(element));
    else if (element.kind == Argument::Kind::None)
      elements.push_back({{"as_none", true}});
    else
      elements.push_back({{"as_tensor", elementJson(element)}});
  return {{hasNone ? "as_optional_tensors" : "as_tensors", elements}};
}

static Json plainListJson(const Argument &list, const char *key) {
  Json elements = Json::array();
  for (const Argument &element : list.elements)
    elements.push_back(elementJson(element));
  return {{key, elements}};
}

/// By its elements: a name among numbers makes all of them a union.
static Json listJson(const Argument &list) {
  using Kind = Argument::Kind;
  auto holds = [&](Kind kind) {
    return std::ranges::any_of(list.elements,
                               [&](const Argument &element) { return element.kind == kind; });
  };
  if (holds(Kind::Tensor) || holds(Kind::None))
    return tensorListJson(list);
  if (holds(Kind::SymInt))
    return listJson(list, "as_sym_ints", "as_int");
  if (holds(Kind::SymFloat))
    return listJson(list, "as_sym_floats", "as_float");
  if (holds(Kind::SymBool))
    return listJson(list, "as_sym_bools", "as_bool");
  return plainListJson(list, holds(Kind::Float)    ? "as_floats"
                             : holds(Kind::Bool)   ? "as_bools"
                             : holds(Kind::String) ? "as_strings"
                                                   : "as_ints");
}

static Json integerJson(const Argument &argument) {
  switch (argument.names) {
  case Argument::Names::ScalarType:
    return {{"as_scalar_type", scalarTypeNumber(argument.integer)}};
  case Argument::Names::Layout:
    return {{"as_layout", layoutNumber(argument.integer)}};
  case Argument::Names::MemoryFormat:
    return {{"as_memory_format", memoryFormatNumber(argument.integer)}};
  case Argument::Names::Nothing:
    break;
  }
  return {{"as_int", argument.integer}};
}

Json jsonOf(const Argument &argument) {
  using Kind = Argument::Kind;
  switch (argument.kind) {
  case Kind::None:
    return {{"as_none", true}};
  case Kind::Bool:
    return {{"as_bool", argument.integer != 0}};
  case Kind::Int:
    return integerJson(argument);
  case Kind::Float:
    return {{"as_float", jsonOf(argument.number)}};
  case Kind::Complex:
    return {
        {"as_complex", {{"real", jsonOf(argument.number)}, {"imag", jsonOf(argument.imaginary)}}}};
  case Kind::String:
    return {{"as_string", argument.text}};
  case Kind::Device:
    return {{"as_device", deviceJson(argument.text)}};
  case Kind::Tensor:
    return {{"as_tensor", elementJson(argument)}};
  case Kind::SymInt:
    return {{"as_sym_int", elementJson(argument)}};
  case Kind::SymFloat:
    return {{"as_sym_float", elementJson(argument)}};
  case Kind::SymBool:
    return {{"as_sym_bool", elementJson(argument)}};
  case Kind::List:
    return listJson(argument);
  case Kind::Graph:
    return {{"as_graph", {{"name", argument.text}, {"graph", jsonOf(*argument.graph)}}}};
  case Kind::Operator:
  case Kind::Other:
    break;
  }
  return {{"as_operator", argument.text}};
}

//===----------------------------------------------------------------------===//
// Nodes and graphs
//===----------------------------------------------------------------------===//

static Json argumentsJson(const std::vector<Argument> &arguments) {
  Json list = Json::array();
  for (const Argument &argument : arguments)
    list.push_back(jsonOf(argument));
  return list;
}

static Json nodeJson(const Node &node) {
  Json inputs = Json::array();
  for (const NamedArgument &input : node.inputs)
    inputs.push_back(
        {{"name", input.name}, {"arg", jsonOf(input.value)}, {"kind", input.isKeyword ? 2 : 1}});
  Json metadata = Json::object();
  if (!node.stackTrace.empty())
    metadata["stack_trace"] = node.stackTrace;
  bool takesGraphs = node.target.starts_with("torch.ops.higher_order.");
  return {{"target", node.target},
          {"inputs", inputs},
          {"outputs", argumentsJson(node.outputs)},
          {"metadata", metadata},
          {"is_hop_single_tensor_return", takesGraphs ? Json(false) : Json()}};
}

Json jsonOf(const Graph &graph) {
  Json nodes = Json::array(), tensors = Json::object(), ints = Json::object(),
       floats = Json::object(), bools = Json::object();
  for (const Node &node : graph.nodes)
    nodes.push_back(nodeJson(node));
  for (const auto &[name, meta] : graph.tensors)
    tensors[name] = jsonOf(meta);
  for (const auto &[name, extent] : graph.ints)
    ints[name] = extentJson(extent);
  for (const auto &[name, expression] : graph.floats)
    floats[name] = expressionJson(expression, std::nullopt);
  for (const auto &[name, expression] : graph.bools)
    bools[name] = expressionJson(expression, std::nullopt);
  return {{"inputs", argumentsJson(graph.inputs)},
          {"outputs", argumentsJson(graph.outputs)},
          {"nodes", nodes},
          {"tensor_values", tensors},
          {"sym_int_values", ints},
          {"sym_bool_values", bools},
          {"is_single_tensor_return", graph.givesItsOutput},
          {"custom_obj_values", Json::object()},
          {"sym_float_values", floats}};
}

} // namespace jit::exported

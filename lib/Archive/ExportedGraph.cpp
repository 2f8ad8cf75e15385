//===- ExportedGraph.cpp - tensors, arguments and nodes of a graph --------===//

#include "ExportedReader.h"

#include <span>

namespace jit::exported {

//===----------------------------------------------------------------------===//
// Numbers that stand for names
//===----------------------------------------------------------------------===//

/// The format has numbers of its own for element types.
ScalarType Reader::scalarType(const JsonPlace &place) {
  int64_t number = integer(place);
  for (const ScalarTypeRecord &known : scalarTypes)
    if (known.exported == number)
      return known.type;
  if (!failed())
    fail(place, ErrorCode::Unsupported,
         "element type number " + std::to_string(number) + " is not handled");
  return ScalarType::Float;
}

/// The number that operators take, by the format's number.
static int64_t fromTable(std::span<const int64_t> table, int64_t number) {
  return number >= 0 && number < static_cast<int64_t>(table.size()) ? table[number] : -1;
}

int64_t Reader::layout(const JsonPlace &place) {
  static constexpr int64_t layouts[] = {-1, 1, 2, 4, 5, 6, 3, 0};
  int64_t layout = fromTable(layouts, integer(place));
  if (layout < 0)
    fail(place, ErrorCode::Malformed, "expected the number of a layout");
  return layout;
}

int64_t Reader::memoryFormat(const JsonPlace &place) {
  static constexpr int64_t formats[] = {-1, 0, 2, 3, 1};
  int64_t format = fromTable(formats, integer(place));
  if (format < 0)
    fail(place, ErrorCode::Malformed, "expected the number of a memory format");
  return format;
}

std::string Reader::device(const JsonPlace &place) {
  std::string name;
  required(place, "type", [&](const JsonPlace &type) { name = text(type); });
  optional(place, "index",
           [&](const JsonPlace &index) { name += ":" + std::to_string(integer(index)); });
  return name;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

Extent Reader::extent(const JsonPlace &place) {
  Extent extent;
  alternative(place, [&](const JsonPlace &value) {
    if (value.key == "as_int")
      extent.value = integer(value);
    else if (value.key == "as_expr")
      required(value, "expr_str",
               [&](const JsonPlace &expression) { extent.expression = text(expression); });
    else
      fail(value, ErrorCode::Malformed, "expected a size as as_int or as_expr");
    if (value.key == "as_expr" && extent.expression.empty())
      fail(value, ErrorCode::Malformed, "expected an expression");
  });
  return extent;
}

std::vector<Extent> Reader::extents(const JsonPlace &place) {
  std::vector<Extent> extents;
  each(place, [&](const JsonPlace &item) { extents.push_back(extent(item)); });
  if (extents.size() > limits.maxTensorRank)
    fail(place, ErrorCode::LimitExceeded,
         "expected a rank of at most " + std::to_string(limits.maxTensorRank) + ", got " +
             std::to_string(extents.size()));
  return extents;
}

TensorMeta Reader::tensorMeta(const JsonPlace &place) {
  TensorMeta meta;
  required(place, "dtype", [&](const JsonPlace &value) { meta.dtype = scalarType(value); });
  required(place, "sizes", [&](const JsonPlace &value) { meta.sizes = extents(value); });
  required(place, "strides", [&](const JsonPlace &value) { meta.strides = extents(value); });
  required(place, "storage_offset", [&](const JsonPlace &value) { meta.offset = extent(value); });
  required(place, "requires_grad",
           [&](const JsonPlace &value) { meta.requiresGrad = boolean(value); });
  required(place, "device", [&](const JsonPlace &value) { meta.device = device(value); });
  required(place, "layout", [&](const JsonPlace &value) {
    if (layout(value) != 0)
      fail(value, ErrorCode::Unsupported, "expected a strided tensor");
  });
  for (const Extent &size : meta.sizes)
    if (size.isKnown() && size.value < 0)
      fail(place, ErrorCode::Malformed,
           "expected non-negative sizes, got " + std::to_string(size.value));
  if (meta.strides.size() != meta.sizes.size())
    fail(place, ErrorCode::Malformed,
         "expected " + std::to_string(meta.sizes.size()) + " strides, got " +
             std::to_string(meta.strides.size()));
  return meta;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// `{"name": ...}`.
Argument Reader::named(const JsonPlace &place, Argument::Kind kind) {
  Argument result{.kind = kind};
  required(place, "name", [&](const JsonPlace &name) { result.text = text(name); });
  return result;
}

/// `{"as_name": ...}`, or a number or boolean among such.
Argument Reader::symbolic(const JsonPlace &place, Argument::Kind kind) {
  Argument result{.kind = kind};
  alternative(place, [&](const JsonPlace &value) {
    if (value.key == "as_name")
      result.text = text(value);
    else if (value.key == "as_float")
      result = floatElement(value);
    else
      result = scalar(value);
  });
  return result;
}

Argument Reader::optionalTensor(const JsonPlace &place) {
  Argument result;
  alternative(place, [&](const JsonPlace &value) {
    if (value.key == "as_tensor")
      result = tensorElement(value);
    else if (value.key != "as_none")
      fail(value, ErrorCode::Malformed, "expected as_tensor or as_none");
  });
  return result;
}

Argument Reader::graphArgument(const JsonPlace &place) {
  Argument result = named(place, Argument::Kind::Graph);
  required(place, "graph", [&](const JsonPlace &value) {
    result.graph = std::make_shared<const Graph>(graph(value));
  });
  return result;
}

Argument Reader::floatElement(const JsonPlace &place) {
  return {.kind = Argument::Kind::Float, .number = number(place)};
}

Argument Reader::complexNumber(const JsonPlace &place) {
  Argument result{.kind = Argument::Kind::Complex, .text = std::string(place.key)};
  required(place, "real", [&](const JsonPlace &part) { result.number = number(part); });
  required(place, "imag", [&](const JsonPlace &part) { result.imaginary = number(part); });
  return result;
}

/// What JSON can say by itself.
Argument Reader::scalar(const JsonPlace &place) {
  if (const bool *value = place.value->as<bool>())
    return {.kind = Argument::Kind::Bool, .integer = *value};
  if (const int64_t *value = place.value->as<int64_t>())
    return {.kind = Argument::Kind::Int, .integer = *value};
  if (const double *value = place.value->as<double>())
    return {.kind = Argument::Kind::Float, .number = *value};
  return {.kind = Argument::Kind::String, .text = text(place)};
}

Argument Reader::list(const JsonPlace &place, ElementReader read) {
  Argument result{.kind = Argument::Kind::List};
  each(place, [&](const JsonPlace &item) { result.elements.push_back((this->*read)(item)); });
  return result;
}

Argument Reader::argument(const JsonPlace &place) {
  using Kind = Argument::Kind;
  struct ListReader {
    std::string_view key;
    ElementReader read;
  };
  static constexpr ListReader readers[] = {
      {"as_tensor", &Reader::tensorElement},
      {"as_int", &Reader::scalar},
      {"as_bool", &Reader::scalar},
      {"as_string", &Reader::scalar},
      {"as_float", &Reader::floatElement},
      {"as_complex", &Reader::complexNumber},
      {"as_sym_int", &Reader::symIntElement},
      {"as_sym_float", &Reader::symFloatElement},
      {"as_sym_bool", &Reader::symBoolElement},
      {"as_tensors", &Reader::tensorList},
      {"as_ints", &Reader::scalarList},
      {"as_bools", &Reader::scalarList},
      {"as_strings", &Reader::scalarList},
      {"as_floats", &Reader::floatList},
      {"as_graph", &Reader::graphArgument},
      {"as_optional_tensor", &Reader::optionalTensor},
  };
  static constexpr ListReader listReaders[] = {
      {"as_sym_ints", &Reader::symIntElement},    {"as_sym_floats", &Reader::symFloatElement},
      {"as_sym_bools", &Reader::symBoolElement},  {"as_optional_tensors", &Reader::optionalTensor},
      {"as_nested_tensors", &Reader::tensorList}, {"as_int_lists", &Reader::scalarList},
      {"as_float_lists", &Reader::floatList},
  };
  Argument result;
  alternative(place, [&](const JsonPlace &value) {
    for (auto [key, read] : readers)
      if (key == value.key)
        return void(result = (this->*read)(value));
    for (auto [key, read] : listReaders)
      if (key == value.key)
        return void(result = list(value, read));
    if (value.key == "as_scalar_type")
      result = {.kind = Kind::Int,
                .integer = static_cast<int64_t>(scalarType(value)),
                .names = Argument::Names::ScalarType};
    else if (value.key == "as_layout")
      result = {.kind = Kind::Int, .integer = layout(value), .names = Argument::Names::Layout};
    else if (value.key == "as_memory_format")
      result = {.kind = Kind::Int,
                .integer = memoryFormat(value),
                .names = Argument::Names::MemoryFormat};
    else if (value.key == "as_device")
      result = {.kind = Kind::Device, .text = device(value)};
    else if (value.key == "as_operator")
      result = {.kind = Kind::Operator, .text = text(value)};
    else if (value.key != "as_none")
      result = {.kind = Kind::Other, .text = std::string(value.key)};
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Nodes and graphs
//===----------------------------------------------------------------------===//

std::vector<Argument> Reader::arguments(const JsonPlace &place) {
  std::vector<Argument> arguments;
  each(place, [&](const JsonPlace &item) { arguments.push_back(argument(item)); });
  return arguments;
}

Node Reader::node(const JsonPlace &place) {
  Node node;
  required(place, "target", [&](const JsonPlace &target) { node.target = text(target); });
  required(place, "inputs", [&](const JsonPlace &inputs) {
    each(inputs, [&](const JsonPlace &input) {
      NamedArgument &named = node.inputs.emplace_back();
      required(input, "name", [&](const JsonPlace &name) { named.name = text(name); });
      required(input, "arg", [&](const JsonPlace &arg) { named.value = argument(arg); });
    });
  });
  required(place, "outputs", [&](const JsonPlace &outputs) { node.outputs = arguments(outputs); });
  optional(place, "metadata", [&](const JsonPlace &metadata) {
    optional(metadata, "stack_trace",
             [&](const JsonPlace &trace) { node.stackTrace = text(trace); });
  });
  return node;
}

Graph Reader::graph(const JsonPlace &place) {
  Graph graph;
  required(place, "inputs", [&](const JsonPlace &value) { graph.inputs = arguments(value); });
  required(place, "outputs", [&](const JsonPlace &value) { graph.outputs = arguments(value); });
  required(place, "nodes", [&](const JsonPlace &nodes) {
    each(nodes, [&](const JsonPlace &item) { graph.nodes.push_back(node(item)); });
  });
  required(place, "tensor_values", [&](const JsonPlace &tensors) {
    eachMember(tensors, [&](const JsonPlace &item) {
      graph.tensors.emplace(std::string(item.key), tensorMeta(item));
    });
  });
  optional(place, "sym_int_values", [&](const JsonPlace &ints) {
    eachMember(ints, [&](const JsonPlace &item) {
      graph.ints.emplace(std::string(item.key), extent(item));
    });
  });
  return graph;
}

} // namespace jit::exported

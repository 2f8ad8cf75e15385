//===- ExportedWriter.cpp - a program as torch.export saves it ------------===//

#include "jit/Archive/ExportedWriter.h"
#include "ExportedJson.h"
#include "ExportedLayout.h"
#include "jit/Archive/ZipWriter.h"

#include <map>

namespace jit::exported {

//===----------------------------------------------------------------------===//
// Inputs and outputs
//===----------------------------------------------------------------------===//

static Json tensorName(const Argument &argument) { return {{"name", argument.text}}; }

static Json inputJson(const InputSpec &spec) {
  using Kind = InputSpec::Kind;
  switch (spec.kind) {
  case Kind::Parameter:
    return {{"parameter", {{"arg", tensorName(spec.argument)}, {"parameter_name", spec.target}}}};
  case Kind::Buffer:
    return {
        {"buffer",
         {{"arg", tensorName(spec.argument)}, {"buffer_name", spec.target}, {"persistent", true}}}};
  case Kind::TensorConstant:
    return {{"tensor_constant",
             {{"arg", tensorName(spec.argument)}, {"tensor_constant_name", spec.target}}}};
  case Kind::Constant:
    return {{"constant_input", {{"name", spec.target}, {"value", jsonOf(spec.argument)}}}};
  case Kind::UserInput:
  case Kind::Token:
  case Kind::Unsupported:
    break;
  }
  return {{"user_input", {{"arg", jsonOf(spec.argument)}}}};
}

static Json outputJson(const OutputSpec &spec) {
  using Kind = OutputSpec::Kind;
  auto written = [&](const char *key, const char *name) {
    return Json{{key, {{"arg", tensorName(spec.argument)}, {name, spec.target}}}};
  };
  switch (spec.kind) {
  case Kind::Loss:
    return {{"loss_output", {{"arg", tensorName(spec.argument)}}}};
  case Kind::BufferMutation:
    return written("buffer_mutation", "buffer_name");
  case Kind::ParameterMutation:
    return written("parameter_mutation", "parameter_name");
  case Kind::UserInputMutation:
    return written("user_input_mutation", "user_input_name");
  case Kind::ParameterGradient:
    return written("gradient_to_parameter", "parameter_name");
  case Kind::UserInputGradient:
    return written("gradient_to_user_input", "user_input_name");
  case Kind::UserOutput:
  case Kind::Token:
  case Kind::Unsupported:
    break;
  }
  return {{"user_output", {{"arg", jsonOf(spec.argument)}}}};
}

//===----------------------------------------------------------------------===//
// Trees
//===----------------------------------------------------------------------===//

/// Text that is no UTF-8 has its bytes replaced: names in it are for people.
static std::string textOf(const Json &json) {
  return json.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
}

static Json treeJson(const Tree &tree) {
  Json children = Json::array(), keys = Json::array();
  for (const Tree &child : tree.children)
    children.push_back(treeJson(child));
  for (const Argument &key : tree.keys)
    keys.push_back(key.kind == Argument::Kind::Int ? Json(key.integer) : Json(key.text));
  switch (tree.kind) {
  case Tree::Kind::Leaf:
    return {{"type", nullptr}, {"context", nullptr}, {"children_spec", children}};
  case Tree::Kind::Tuple:
    return {{"type", "builtins.tuple"}, {"context", "null"}, {"children_spec", children}};
  case Tree::Kind::List:
    return {{"type", "builtins.list"}, {"context", "null"}, {"children_spec", children}};
  case Tree::Kind::Dict:
    break;
  }
  return {{"type", "builtins.dict"}, {"context", textOf(keys)}, {"children_spec", children}};
}

static std::string treeText(const Tree &tree) { return textOf({1, treeJson(tree)}); }

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

static Json callJson(const Program &program) {
  Json inputs = Json::array(), outputs = Json::array();
  for (const InputSpec &spec : program.inputs)
    if (spec.kind == InputSpec::Kind::UserInput || spec.kind == InputSpec::Kind::Constant)
      inputs.push_back(jsonOf(spec.argument));
  for (const OutputSpec &spec : program.outputs)
    if (spec.kind == OutputSpec::Kind::UserOutput || spec.kind == OutputSpec::Kind::Loss)
      outputs.push_back(jsonOf(spec.argument));
  Json signature = {{"inputs", inputs},
                    {"outputs", outputs},
                    {"in_spec", treeText(program.inputTree)},
                    {"out_spec", treeText(program.outputTree)},
                    {"forward_arg_names", program.argumentNames}};
  return {{{"fqn", ""}, {"signature", signature}}};
}

static Json signatureJson(const Program &program) {
  Json inputs = Json::array(), outputs = Json::array();
  for (const InputSpec &spec : program.inputs)
    inputs.push_back(inputJson(spec));
  for (const OutputSpec &spec : program.outputs)
    outputs.push_back(outputJson(spec));
  return {{"input_specs", inputs}, {"output_specs", outputs}};
}

static Json bound(const std::optional<int64_t> &value) { return value ? Json(*value) : Json(); }

std::string programText(const Program &program) {
  Json ranges = Json::object();
  for (const auto &[symbol, range] : program.ranges)
    ranges[symbol] = {{"min_val", bound(range.min)}, {"max_val", bound(range.max)}};
  return textOf({{"graph_module",
                  {{"graph", jsonOf(program.graph)},
                   {"signature", signatureJson(program)},
                   {"module_call_graph", callJson(program)},
                   {"metadata", Json::object()},
                   {"treespec_namedtuple_fields", Json::object()}}},
                 // Of the operators' meanings, of this text's form, of what may stand in it.
                 {"opset_version", {{"aten", 10}}},
                 {"range_constraints", ranges},
                 {"schema_version", {{"major", 8}, {"minor", 20}}},
                 {"verifiers", {"TRAINING"}},
                 {"torch_version", "2.13.0"},
                 {"guards_code", Json::array()}});
}

/// The tensors' bytes, and what says where which is.
static void writeTensors(ZipWriter &zip, std::span<const StoredTensor> state, bool constants) {
  std::string folder(constants ? layout::constants : layout::weights);
  std::string prefix = constants ? "tensor_" : "weight_";
  Json config = Json::object();
  std::map<std::string, std::string> records;
  for (const StoredTensor &tensor : state) {
    if (tensor.isConstant != constants)
      continue;
    auto [record, isNew] =
        records.try_emplace(tensor.storageName, prefix + std::to_string(records.size()));
    if (isNew)
      zip.add(folder + record->second, tensor.storage.text());
    config[tensor.name] = {{"path_name", record->second},
                           {"is_param", tensor.isParameter},
                           {"use_pickle", false},
                           {"tensor_meta", jsonOf(tensor.meta)}};
  }
  std::string name = constants ? "model_constants_config.json" : "model_weights_config.json";
  zip.add(folder + name, textOf({{"config", config}}));
}

void writeArchive(const Program &program, std::span<const StoredTensor> state,
                  const ByteSink &sink) {
  ZipWriter zip(sink, "archive");
  zip.add("archive_format", "pt2");
  zip.add("archive_version", "0");
  zip.add("byteorder", "little");
  zip.add(".data/version", "6\n");
  zip.add(std::string(layout::models) + "model.json", programText(program));
  writeTensors(zip, state, /*constants=*/false);
  writeTensors(zip, state, /*constants=*/true);
  // What the program was tried with, of which there is nothing.
  zip.add("data/sample_inputs/model.pt", "");
  zip.finish();
}

} // namespace jit::exported

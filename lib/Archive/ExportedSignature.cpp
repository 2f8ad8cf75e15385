//===- ExportedSignature.cpp - what stands around an exported graph -------===//

#include "ExportedReader.h"

#include <algorithm>

namespace jit::exported {

/// The newest major version of the schema that this reader knows.
static constexpr int64_t newestSchema = 8;

void Reader::schemaVersion(const JsonPlace &place) {
  required(place, "major", [&](const JsonPlace &major) {
    int64_t version = integer(major);
    if (!failed() && (version < 1 || version > newestSchema))
      fail(major, ErrorCode::Unsupported,
           "expected a schema up to version " + std::to_string(newestSchema) + ", got " +
               std::to_string(version));
  });
}

//===----------------------------------------------------------------------===//
// Inputs and outputs
//===----------------------------------------------------------------------===//

InputSpec Reader::inputSpec(const JsonPlace &place) {
  using Kind = InputSpec::Kind;
  InputSpec spec;
  auto state = [&](const JsonPlace &value, Kind kind, const char *name) {
    spec.kind = kind;
    required(value, "arg", [&](const JsonPlace &arg) { spec.argument = tensorElement(arg); });
    required(value, name, [&](const JsonPlace &target) { spec.target = text(target); });
  };
  alternative(place, [&](const JsonPlace &value) {
    if (value.key == "user_input") {
      required(value, "arg", [&](const JsonPlace &arg) { spec.argument = argument(arg); });
    } else if (value.key == "parameter") {
      state(value, Kind::Parameter, "parameter_name");
    } else if (value.key == "buffer") {
      state(value, Kind::Buffer, "buffer_name");
    } else if (value.key == "tensor_constant") {
      state(value, Kind::TensorConstant, "tensor_constant_name");
    } else if (value.key == "constant_input") {
      spec.kind = Kind::Constant;
      required(value, "name", [&](const JsonPlace &name) { spec.target = text(name); });
      required(value, "value",
               [&](const JsonPlace &constant) { spec.argument = argument(constant); });
    } else if (value.key == "token") {
      spec.kind = Kind::Token;
      required(value, "arg", [&](const JsonPlace &arg) { spec.argument = tensorElement(arg); });
    } else {
      spec.kind = Kind::Unsupported;
      spec.target = value.key;
    }
  });
  return spec;
}

OutputSpec Reader::outputSpec(const JsonPlace &place) {
  using Kind = OutputSpec::Kind;
  struct Alternative {
    std::string_view key;
    Kind kind;
    const char *target;
  };
  static constexpr Alternative alternatives[] = {
      {"buffer_mutation", Kind::BufferMutation, "buffer_name"},
      {"parameter_mutation", Kind::ParameterMutation, "parameter_name"},
      {"user_input_mutation", Kind::UserInputMutation, "user_input_name"},
      {"gradient_to_parameter", Kind::ParameterGradient, "parameter_name"},
      {"gradient_to_user_input", Kind::UserInputGradient, "user_input_name"},
  };
  OutputSpec spec{.kind = Kind::Unsupported};
  alternative(place, [&](const JsonPlace &value) {
    spec.target = value.key;
    if (value.key == "user_output")
      spec.kind = Kind::UserOutput;
    if (value.key == "loss_output")
      spec.kind = Kind::Loss;
    if (value.key == "token")
      spec.kind = Kind::Token;
    for (auto [key, kind, target] : alternatives)
      if (key == value.key) {
        spec.kind = kind;
        required(value, target, [&](const JsonPlace &name) { spec.target = text(name); });
      }
    if (spec.kind != Kind::Unsupported)
      required(value, "arg", [&](const JsonPlace &arg) {
        spec.argument = spec.kind == Kind::UserOutput ? argument(arg) : tensorElement(arg);
      });
  });
  return spec;
}

void Reader::signature(const JsonPlace &place, Program &program) {
  required(place, "input_specs", [&](const JsonPlace &specs) {
    each(specs, [&](const JsonPlace &spec) { program.inputs.push_back(inputSpec(spec)); });
    if (program.inputs.size() != program.graph.inputs.size())
      fail(specs, ErrorCode::Malformed,
           "expected " + std::to_string(program.graph.inputs.size()) + " inputs, got " +
               std::to_string(program.inputs.size()));
  });
  required(place, "output_specs", [&](const JsonPlace &specs) {
    each(specs, [&](const JsonPlace &spec) { program.outputs.push_back(outputSpec(spec)); });
    if (program.outputs.size() != program.graph.outputs.size())
      fail(specs, ErrorCode::Malformed,
           "expected " + std::to_string(program.graph.outputs.size()) + " outputs, got " +
               std::to_string(program.outputs.size()));
  });
}

void Reader::ranges(const JsonPlace &place, Program &program) {
  eachMember(place, [&](const JsonPlace &item) {
    Range &range = program.ranges[std::string(item.key)];
    optional(item, "min_val", [&](const JsonPlace &value) { range.min = integer(value); });
    optional(item, "max_val", [&](const JsonPlace &value) { range.max = integer(value); });
  });
}

//===----------------------------------------------------------------------===//
// Trees
//===----------------------------------------------------------------------===//

size_t Tree::leafCount() const {
  if (kind == Kind::Leaf)
    return 1;
  size_t count = 0;
  for (const Tree &child : children)
    count += child.leafCount();
  return count;
}

/// `[1, {"type": ..., "context": ..., "children_spec": [...]}]`.
Tree Reader::treeText(const JsonPlace &place) {
  std::string spec = text(place);
  Tree result;
  if (failed())
    return result;
  Result<JsonValue> parsed = parseJson(member, spec, limits);
  if (!parsed) {
    fail(place, parsed.error().code, parsed.error().message);
    return result;
  }
  JsonPlace inner{&*parsed, &place, "json"};
  each(inner, [&](const JsonPlace &item) {
    if (item.index == 0 && integer(item) != 1)
      fail(item, ErrorCode::Unsupported, "expected a tree of version 1");
    if (item.index == 1)
      result = tree(item);
  });
  if (parsed->as<JsonArray>() && parsed->as<JsonArray>()->size() != 2)
    fail(inner, ErrorCode::Malformed, "expected a version and a tree");
  return result;
}

static bool areNames(const JsonValue &value, size_t count) {
  const JsonArray *items = value.as<JsonArray>();
  return items && items->size() == count &&
         std::all_of(items->begin(), items->end(),
                     [](const JsonValue &item) { return item.as<std::string>() != nullptr; });
}

/// A class of the program's own is a dict where its context names the parts: by a list, as for the
/// outputs of transformers and diffusers, or by two, the second of fields that are None, as
/// torch.export.register_dataclass does.
bool Reader::fieldNames(const JsonPlace &place, Tree &tree) {
  bool named = false;
  optional(place, "context", [&](const JsonPlace &context) {
    Result<JsonValue> parsed = parseJson(member, text(context), limits);
    if (failed() || !parsed)
      return;
    const JsonArray *lists = parsed->as<JsonArray>();
    const JsonValue *names = &*parsed;
    if (lists && lists->size() == 2 && lists->front().as<JsonArray>())
      names = &lists->front();
    named = areNames(*names, tree.children.size());
    if (named)
      each({names, &context, "json"},
           [&](const JsonPlace &name) { tree.keys.push_back(scalar(name)); });
  });
  return named;
}

/// The keys stand as JSON text in a string: a list of them, or for a defaultdict an object with
/// such a list in it.
void Reader::dictKeys(const JsonPlace &context, const std::string &type, Tree &tree) {
  std::string keys = text(context);
  if (failed())
    return;
  Result<JsonValue> parsed = parseJson(member, keys, limits);
  if (!parsed)
    return fail(context, parsed.error().code, parsed.error().message);
  JsonPlace inner{&*parsed, &context, "json"};
  auto read = [&](const JsonPlace &list) {
    each(list, [&](const JsonPlace &key) { tree.keys.push_back(scalar(key)); });
  };
  if (type == "collections.defaultdict")
    required(inner, "dict_context", read);
  else
    read(inner);
  if (!failed() && tree.keys.size() != tree.children.size())
    fail(context, ErrorCode::Malformed,
         "expected " + std::to_string(tree.children.size()) + " keys, got " +
             std::to_string(tree.keys.size()));
}

Tree Reader::tree(const JsonPlace &place) {
  Tree result;
  std::string type;
  optional(place, "type", [&](const JsonPlace &value) { type = text(value); });
  required(place, "children_spec", [&](const JsonPlace &children) {
    each(children, [&](const JsonPlace &child) { result.children.push_back(tree(child)); });
  });
  if (type.empty()) {
    if (!result.children.empty())
      fail(place, ErrorCode::Malformed, "expected a leaf without children");
  } else if (type == "builtins.tuple" || type == "collections.namedtuple") {
    result.kind = Tree::Kind::Tuple;
  } else if (type == "builtins.list" || type == "collections.deque") {
    result.kind = Tree::Kind::List;
  } else if (type == "builtins.dict" || type == "collections.OrderedDict" ||
             type == "collections.defaultdict") {
    result.kind = Tree::Kind::Dict;
    required(place, "context", [&](const JsonPlace &context) { dictKeys(context, type, result); });
  } else if (fieldNames(place, result)) {
    result.kind = Tree::Kind::Dict;
  } else {
    fail(place, ErrorCode::Unsupported,
         "expected inputs and outputs made of tuples, lists and dicts, got " + type);
  }
  return result;
}

/// The whole program's entry is the one of the module without a name.
void Reader::callGraph(const JsonPlace &place, Program &program) {
  bool found = false;
  each(place, [&](const JsonPlace &entry) {
    bool isRoot = false;
    required(entry, "fqn", [&](const JsonPlace &name) { isRoot = text(name).empty(); });
    if (!isRoot)
      return;
    optional(entry, "signature", [&](const JsonPlace &signature) {
      found = true;
      required(signature, "in_spec",
               [&](const JsonPlace &spec) { program.inputTree = treeText(spec); });
      required(signature, "out_spec",
               [&](const JsonPlace &spec) { program.outputTree = treeText(spec); });
      optional(signature, "forward_arg_names", [&](const JsonPlace &names) {
        each(names, [&](const JsonPlace &name) { program.argumentNames.push_back(text(name)); });
      });
      checkTrees(signature, program);
    });
  });
  if (!found)
    fail(place, ErrorCode::Malformed, "expected the signature of the whole program");
}

void Reader::checkTrees(const JsonPlace &place, const Program &program) {
  if (failed())
    return;
  size_t inputs = 0, outputs = 0;
  for (const InputSpec &spec : program.inputs)
    inputs += spec.kind == InputSpec::Kind::UserInput || spec.kind == InputSpec::Kind::Constant;
  for (const OutputSpec &spec : program.outputs)
    outputs += spec.kind == OutputSpec::Kind::UserOutput || spec.kind == OutputSpec::Kind::Loss;
  const Tree &tree = program.inputTree;
  if (tree.kind != Tree::Kind::Tuple || tree.children.size() != 2 ||
      tree.children[0].kind != Tree::Kind::Tuple || tree.children[1].kind != Tree::Kind::Dict)
    return fail(place, ErrorCode::Malformed,
                "expected inputs as a tuple of positional arguments and a dict of others");
  if (tree.leafCount() != inputs)
    return fail(place, ErrorCode::Malformed,
                "expected a tree of " + std::to_string(inputs) + " inputs, got " +
                    std::to_string(tree.leafCount()));
  if (program.outputTree.leafCount() != outputs)
    fail(place, ErrorCode::Malformed,
         "expected a tree of " + std::to_string(outputs) + " outputs, got " +
             std::to_string(program.outputTree.leafCount()));
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

Program Reader::program(const JsonPlace &place) {
  Program program;
  // First, because all else may differ in another version.
  required(place, "schema_version", [&](const JsonPlace &value) { schemaVersion(value); });
  required(place, "graph_module", [&](const JsonPlace &module) {
    required(module, "graph", [&](const JsonPlace &value) { program.graph = graph(value); });
    required(module, "signature", [&](const JsonPlace &value) { signature(value, program); });
    required(module, "module_call_graph",
             [&](const JsonPlace &value) { callGraph(value, program); });
  });
  optional(place, "range_constraints", [&](const JsonPlace &value) { ranges(value, program); });
  return program;
}

Result<Program> readProgram(const std::string &member, const SharedBytes &bytes,
                            const ArchiveLimits &limits) {
  Result<JsonValue> parsed = parseJson(member, bytes.text(), limits);
  if (!parsed)
    return parsed.takeError();
  Reader reader(member, limits);
  Program program = reader.program({&*parsed});
  if (reader.failed())
    return reader.takeError();
  return program;
}

} // namespace jit::exported

//===- ExportedArchiveTest.cpp - exported programs, their state -----------===//

#include "jit/Archive/ExportedArchive.h"
#include "ArchiveWriter.h"
#include "ExpectError.h"
#include "jit/Archive/StorageRecords.h"
#include "jit/Archive/SymbolicExpression.h"

#include <cstring>
#include <filesystem>
#include <fstream>

namespace jit::test {
namespace {

using exported::Argument;

/// A program of one node, its pieces replaceable.
struct ProgramText {
  std::string argument = R"({"as_tensor": {"name": "x"}})";
  std::string meta =
      R"({"dtype": 7, "sizes": [{"as_int": 2}, {"as_expr": {"expr_str": "s0"}}], "requires_grad": true,
          "device": {"type": "cuda", "index": 1}, "strides": [{"as_int": 3}, {"as_int": 1}],
          "storage_offset": {"as_int": 1}, "layout": 7})";
  std::string inputs = R"([{"user_input": {"arg": {"as_tensor": {"name": "x"}}}}])";
  std::string outTree = R"({\"type\": null, \"context\": null, \"children_spec\": []})";
  std::string version = R"({"major": 8, "minor": 20})";

  std::string text() const {
    std::string leaf = R"({\"type\": null, \"context\": null, \"children_spec\": []})";
    std::string tuple =
        R"({\"type\": \"builtins.tuple\", \"context\": \"null\", \"children_spec\": [)";
    std::string dict =
        R"({\"type\": \"builtins.dict\", \"context\": \"[]\", \"children_spec\": []})";
    return R"({"graph_module": {"graph": {"inputs": [{"as_tensor": {"name": "x"}}], "outputs": [)" +
           argument +
           R"(], "nodes": [{"target": "torch.ops.aten.relu.default", "inputs": [{"name": "self", "arg": )" +
           argument +
           R"(, "kind": 1}], "outputs": [], "metadata": {"stack_trace": "t"}}], "tensor_values": {"x": )" +
           meta + R"(}, "sym_int_values": {"n": {"as_int": 4}}}, "signature": {"input_specs": )" +
           inputs + R"(, "output_specs": [{"user_output": {"arg": )" + argument +
           R"(}}]}, "module_call_graph": [{"fqn": "sub"}, {"fqn": "", "signature": {"in_spec": "[1, )" +
           tuple + tuple + leaf + "]}, " + dict + R"(]}]", "out_spec": "[1, )" + outTree +
           R"(]", "forward_arg_names": ["x"]}}]}, "schema_version": )" + version +
           R"(, "range_constraints": {"s0": {"min_val": 2, "max_val": null}}})";
  }
  Result<exported::Program> read(const ArchiveLimits &limits = {}) const {
    return exported::readProgram("p.json", SharedBytes::copyOf(text()), limits);
  }
};

std::vector<Member> newLayout(const std::string &config, const std::string &record) {
  return {{"m/archive_format", "pt2"},
          {"m/models/model.json", ProgramText().text()},
          {"m/data/weights/model_weights_config.json", config},
          {"m/data/weights/weight_0", record}};
}

std::string payload(const std::string &sizes, const std::string &strides, int offset) {
  return R"({"config": {"w": {"path_name": "weight_0", "is_param": true, "use_pickle": false, "tensor_meta": {"dtype": 7, "sizes": )" +
         sizes +
         R"(, "requires_grad": true, "device": {"type": "cpu", "index": null}, "strides": )" +
         strides + R"(, "storage_offset": {"as_int": )" + std::to_string(offset) +
         R"(}, "layout": 7}}}})";
}

Result<ExportedArchive> open(const std::vector<Member> &members) {
  return ExportedArchive::openBytes(SharedBytes::copyOf(writeZip(members)), "test.pt2");
}

TEST(ExportedProgram, Values) {
  Result<exported::Program> program = ProgramText().read();
  ASSERT_TRUE(program) << program.error().str();
  const exported::TensorMeta &meta = program->graph.tensors.at("x");
  EXPECT_EQ(meta.dtype, ScalarType::Float);
  EXPECT_TRUE(meta.sizes[0].isKnown());
  EXPECT_EQ(meta.sizes[0].value, 2);
  EXPECT_EQ(meta.sizes[1].expression, "s0");
  EXPECT_EQ(meta.device, "cuda:1");
  EXPECT_EQ(meta.offset.value, 1);
  const exported::Node &node = program->graph.nodes.at(0);
  EXPECT_EQ(node.inputs.at(0).name, "self");
  EXPECT_EQ(node.inputs.at(0).value.text, "x");
  EXPECT_EQ(node.stackTrace, "t");
  EXPECT_EQ(program->graph.ints.at("n").value, 4);
  EXPECT_EQ(program->ranges.at("s0").min, 2);
  EXPECT_FALSE(program->ranges.at("s0").max);
  EXPECT_EQ(program->argumentNames, std::vector<std::string>{"x"});
}

/// The argument that \p text stands for.
Argument argumentOf(const std::string &text) {
  ProgramText program;
  program.argument = text;
  Result<exported::Program> read = program.read();
  EXPECT_TRUE(read) << text << ": " << (read ? "" : read.error().str());
  return read ? read->graph.outputs.at(0) : Argument();
}

TEST(ExportedProgram, ArgumentsTakeTheNumbersOfOperators) {
  EXPECT_EQ(argumentOf(R"({"as_scalar_type": 1})").integer, int64_t(ScalarType::Byte));
  EXPECT_EQ(argumentOf(R"({"as_scalar_type": 12})").integer, int64_t(ScalarType::Bool));
  EXPECT_EQ(argumentOf(R"({"as_scalar_type": 13})").integer, int64_t(ScalarType::BFloat16));
  EXPECT_EQ(argumentOf(R"({"as_memory_format": 4})").integer, 1);
  EXPECT_EQ(argumentOf(R"({"as_memory_format": 2})").integer, 2);
  EXPECT_EQ(argumentOf(R"({"as_layout": 7})").integer, 0);
  EXPECT_EQ(argumentOf(R"({"as_device": {"type": "cuda", "index": 2}})").text, "cuda:2");
  EXPECT_EQ(argumentOf(R"({"as_float": "-Infinity"})").number, -HUGE_VAL);
  EXPECT_EQ(argumentOf(R"({"as_float": 2})").number, 2);
  EXPECT_EQ(argumentOf(R"({"as_none": true})").kind, Argument::Kind::None);
  EXPECT_EQ(argumentOf(R"({"as_operator": "f"})").kind, Argument::Kind::Operator);
  Argument complex = argumentOf(R"({"as_complex": {"real": 1, "imag": 2}})");
  EXPECT_EQ(complex.kind, Argument::Kind::Complex);
  EXPECT_EQ(complex.number, 1);
  EXPECT_EQ(complex.imaginary, 2);
}

TEST(ExportedProgram, Lists) {
  Argument sizes = argumentOf(R"({"as_sym_ints": [{"as_name": "n"}, {"as_int": 3}]})");
  ASSERT_EQ(sizes.elements.size(), 2u);
  EXPECT_EQ(sizes.elements[0].kind, Argument::Kind::SymInt);
  EXPECT_EQ(sizes.elements[0].text, "n");
  EXPECT_EQ(sizes.elements[1].kind, Argument::Kind::Int);
  Argument indices =
      argumentOf(R"({"as_optional_tensors": [{"as_none": true}, {"as_tensor": {"name": "x"}}]})");
  EXPECT_EQ(indices.elements.at(0).kind, Argument::Kind::None);
  EXPECT_EQ(indices.elements.at(1).kind, Argument::Kind::Tensor);
}

TEST(ExportedProgram, ErrorsNameTheWay) {
  auto expect = [](ProgramText text, ErrorCode code, const std::string &where,
                   const std::string &message) { expectError(text.read(), code, where, message); };
  expect({.argument = R"({"as_tensor": {"nam": "x"}})"}, ErrorCode::Malformed,
         "p.json: graph_module.graph.outputs[0].as_tensor", "expected a member 'name'");
  expect({.argument = R"({"as_int": "3"})", .version = "{}"}, ErrorCode::Malformed,
         "p.json: schema_version", "expected a member 'major'");
  expect({.version = R"({"major": 9})"}, ErrorCode::Unsupported, "p.json: schema_version.major",
         "up to version 8, got 9");
  expect({.argument = "3"}, ErrorCode::Malformed, "p.json: graph_module.graph.outputs[0]",
         "expected an object, got an integer");
  expect({.argument = R"({"as_int": 1, "as_float": 2})"}, ErrorCode::Malformed,
         "p.json: graph_module.graph.outputs[0]", "one member, got 2");
  expect({.inputs = "[]"}, ErrorCode::Malformed, "p.json: graph_module.signature.input_specs",
         "expected 1 inputs, got 0");
  expect({.outTree = R"({\"type\": \"m.Data\", \"context\": \"null\", \"children_spec\": []})"},
         ErrorCode::Unsupported,
         "p.json: graph_module.module_call_graph[1].signature.out_spec.json[1]", "got m.Data");
  expect(
      {.outTree = R"({\"type\": \"builtins.list\", \"context\": \"null\", \"children_spec\": []})"},
      ErrorCode::Malformed, "p.json: graph_module.module_call_graph[1].signature",
      "a tree of 1 outputs, got 0");
  ProgramText text;
  text.meta.replace(text.meta.find("7"), 1, "33");
  expect(text, ErrorCode::Unsupported, "p.json: graph_module.graph.tensor_values.x.dtype",
         "element type number 33");
  text = ProgramText();
  text.meta.replace(text.meta.find("2"), 1, "-2");
  expect(text, ErrorCode::Malformed, "p.json: graph_module.graph.tensor_values.x",
         "non-negative sizes, got -2");
}

TEST(ExportedProgram, Json) {
  auto read = [](const std::string &text, const ArchiveLimits &limits = {}) {
    return exported::readProgram("p.json", SharedBytes::copyOf(text), limits);
  };
  expectError(read("{"), ErrorCode::Malformed, "p.json: byte 2", "expected JSON");
  expectError(read(R"({"a": 1, "a": 2})"), ErrorCode::Malformed, "p.json", "each key once");
  expectError(read(std::string(1000, '[')), ErrorCode::LimitExceeded, "p.json", "nested deeper");
  expectError(read("[18446744073709551615]"), ErrorCode::LimitExceeded, "p.json", "64 bits");
  ArchiveLimits limits;
  limits.maxJsonNodes = 10;
  // Beside these, one for each eight bytes.
  std::string values = "[1";
  for (int i = 0; i < 38; ++i)
    values += ",1";
  expectError(read(values + "]", limits), ErrorCode::LimitExceeded, "p.json",
              "more than 19 values");
}

TEST(ExportedArchive, StateOfTheNewLayout) {
  std::string record(28, '\0');
  float third = 3;
  std::memcpy(record.data() + 12, &third, 4);
  Result<ExportedArchive> archive = open(newLayout(
      payload(R"([{"as_int": 2}, {"as_int": 3}])", R"([{"as_int": 1}, {"as_int": 2}])", 1),
      record));
  ASSERT_TRUE(archive) << archive.error().str();
  const ArchiveTensor *tensor = archive->findTensor("w");
  ASSERT_TRUE(tensor);
  EXPECT_EQ(tensor->storageKey, "data/weights/weight_0");
  EXPECT_EQ(tensor->sizes, (std::vector<int64_t>{2, 3}));
  EXPECT_TRUE(tensor->isParameter);
  float got;
  std::memcpy(&got, tensor->constantData() + 2 * 4, 4);
  EXPECT_EQ(got, 3);
  EXPECT_FALSE(archive->findTensor("v"));
}

TEST(ExportedArchive, TensorsStayInTheirRecords) {
  std::string sizes = R"([{"as_int": 2}, {"as_int": 3}])",
              strides = R"([{"as_int": 1}, {"as_int": 2}])";
  std::string where = "data/weights/model_weights_config.json: config.w";
  expectError(open(newLayout(payload(sizes, strides, 2), std::string(28, '\0'))),
              ErrorCode::Malformed, where, "reaches beyond storage");
  expectError(open(newLayout(payload(sizes, R"([{"as_int": -1}, {"as_int": 2}])", 2),
                             std::string(28, '\0'))),
              ErrorCode::Malformed, where + ".tensor_meta", "non-negative offset and strides");
  expectError(
      open(newLayout(payload(R"([{"as_int": 4611686018427387904}, {"as_int": 8}])", strides, 0),
                     std::string(28, '\0'))),
      ErrorCode::Malformed, where, "reaches beyond storage");
  std::vector<Member> members = newLayout(payload(sizes, strides, 1), "");
  members.pop_back();
  expectError(open(members), ErrorCode::NotFound, "data/weights/weight_0", "no such member");
}

std::vector<Member> oldLayout(const std::string &state) {
  std::string inner =
      writeZip({{"archive/data.pkl", state}, {"archive/data/0", std::string(8, '\2')}});
  return {{"version", "8.20"},
          {"serialized_exported_program.json", ProgramText().text()},
          {"serialized_state_dict.pt", inner}};
}

TEST(ExportedArchive, StateOfTheOldLayout) {
  std::string state =
      pickle("}(" + pickleText("w") +
             pickleTensor(pickleStorage("FloatStorage", "0", 2), 0, {2}, {1}) + "u");
  std::string bytes = writeZip(oldLayout(state));
  Result<ExportedArchive> archive =
      ExportedArchive::openBytes(SharedBytes::copyOf(bytes), "test.pt2");
  ASSERT_TRUE(archive) << archive.error().str();
  ASSERT_TRUE(archive->findTensor("w"));
  std::string key = archive->findTensor("w")->storageKey;
  EXPECT_EQ(key, "serialized_state_dict.pt/data/0");
  std::string path = testing::TempDir() + "/old.pt2";
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_TRUE(ExportedArchive::recognizes(SharedBytes::copyOf(bytes), path));
  Result<StorageRecords> records = StorageRecords::open(path);
  ASSERT_TRUE(records) << records.error().str();
  Result<SharedBytes> record = records->read(key);
  ASSERT_TRUE(record) << record.error().str();
  EXPECT_EQ(record->text(), std::string(8, '\2'));
  std::filesystem::remove(path);
  expectError(open(oldLayout(pickle("}(" + pickleText("w") + pickleInt(3) + "u"))),
              ErrorCode::Unsupported, "serialized_state_dict.pt", "a tensor, got a int");
  expectError(open({{"m/archive_format", "pt2"}}), ErrorCode::Unsupported, "test.pt2",
              "saved by torch.export");
}

TEST(SymbolicExpression, Parses) {
  auto parsed = SymbolicExpression::parse(
      "Add(Mul(Integer(2), Symbol('s0', positive=True, integer=True)), Integer(-1))", "here");
  ASSERT_TRUE(parsed) << parsed.error().str();
  EXPECT_EQ(parsed->name, "Add");
  ASSERT_EQ(parsed->arguments.size(), 2u);
  EXPECT_EQ(parsed->arguments[1].integer, -1);
  EXPECT_EQ(parsed->arguments[0].arguments.at(1).name, "s0");
  EXPECT_EQ(parsed->arguments[0].arguments.at(1).kind, SymbolicExpression::Kind::Symbol);
  EXPECT_EQ(SymbolicExpression::parse("s7", "here")->kind, SymbolicExpression::Kind::Symbol);
  for (const char *text : {"", "Add(", "Symbol(s0)", "2*s0", "Add(1,)", "3x", "Integer(1))"})
    expectError(SymbolicExpression::parse(text, "here"), ErrorCode::Unsupported, "here", text);
  std::string deep;
  for (int i = 0; i < 100000; ++i)
    deep += "Neg(";
  expectError(SymbolicExpression::parse(deep, "here"), ErrorCode::Unsupported, "here", "Neg(");
}

} // namespace
} // namespace jit::test

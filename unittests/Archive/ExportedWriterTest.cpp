//===- ExportedWriterTest.cpp - what is written is what is read -----------===//

#include "jit/Archive/ExportedWriter.h"
#include "ArchiveWriter.h"
#include "jit/Archive/ExportedArchive.h"
#include "jit/Archive/ZipWriter.h"

#include "gtest/gtest.h"
#include <cstring>
#include <limits>

namespace jit::test {
namespace {

using exported::Argument;
using Kind = Argument::Kind;

Argument tensor(const std::string &name) { return {.kind = Kind::Tensor, .text = name}; }
Argument integer(int64_t value) { return {.kind = Kind::Int, .integer = value}; }
Argument list(std::vector<Argument> elements) {
  return {.kind = Kind::List, .elements = std::move(elements)};
}

exported::TensorMeta meta(std::vector<int64_t> sizes) {
  exported::TensorMeta result{.device = "cpu"};
  for (int64_t size : sizes) {
    result.sizes.push_back({.value = size});
    result.strides.push_back({.value = 1});
  }
  return result;
}

/// A program of one node, which takes these.
exported::Program programOf(std::vector<exported::NamedArgument> inputs) {
  exported::Program program;
  program.graph.inputs = {tensor("x")};
  program.graph.outputs = {tensor("y")};
  program.graph.nodes.push_back(
      {"torch.ops.aten.f.default", std::move(inputs), {tensor("y")}, "where"});
  program.graph.tensors["x"] = meta({2});
  program.graph.tensors["y"] = meta({2});
  program.inputs = {{exported::InputSpec::Kind::UserInput, tensor("x"), ""}};
  program.outputs = {{exported::OutputSpec::Kind::UserOutput, tensor("y"), ""}};
  using Tree = exported::Tree;
  Tree arguments{.kind = Tree::Kind::Tuple, .children = {Tree()}};
  program.inputTree = {.kind = Tree::Kind::Tuple,
                       .children = {arguments, Tree{.kind = Tree::Kind::Dict}}};
  program.argumentNames = {"x"};
  return program;
}

exported::Program reread(const exported::Program &program) {
  auto read = exported::readProgram("p.json", SharedBytes::copyOf(exported::programText(program)));
  EXPECT_TRUE(read) << read.error().str();
  return read ? *read : exported::Program();
}

Argument reread(const Argument &argument) {
  return reread(programOf({{"a", argument}})).graph.nodes.at(0).inputs.at(0).value;
}

TEST(ExportedWriter, KeepsNumbers) {
  EXPECT_EQ(reread(integer(-7)).integer, -7);
  EXPECT_EQ(reread({.kind = Kind::Float, .number = 0.1}).number, 0.1);
  double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(reread({.kind = Kind::Float, .number = -infinity}).number, -infinity);
  EXPECT_EQ(reread({.kind = Kind::Bool, .integer = 1}).kind, Kind::Bool);
  Argument complex = reread({.kind = Kind::Complex, .number = 1, .imaginary = 2});
  EXPECT_EQ(complex.number, 1);
  EXPECT_EQ(complex.imaginary, 2);
}

TEST(ExportedWriter, KeepsWhatNumbersStandFor) {
  using Names = Argument::Names;
  for (int64_t type : {0, 4, 6, 11, 15}) {
    Argument read = reread({.kind = Kind::Int, .integer = type, .names = Names::ScalarType});
    EXPECT_EQ(read.integer, type);
    EXPECT_EQ(read.names, Names::ScalarType);
  }
  for (int64_t layout = 0; layout < 7; ++layout)
    EXPECT_EQ(reread({.kind = Kind::Int, .integer = layout, .names = Names::Layout}).integer,
              layout);
  for (int64_t format = 0; format < 4; ++format)
    EXPECT_EQ(reread({.kind = Kind::Int, .integer = format, .names = Names::MemoryFormat}).integer,
              format);
}

TEST(ExportedWriter, KeepsText) {
  EXPECT_EQ(reread({.kind = Kind::String, .text = "a\"\\\n\xC3\xA4"}).text, "a\"\\\n\xC3\xA4");
  EXPECT_EQ(reread({.kind = Kind::Device, .text = "cuda:1"}).text, "cuda:1");
  EXPECT_EQ(reread({.kind = Kind::Device, .text = "cpu"}).text, "cpu");
  // A name that is no UTF-8 is no reason to fail.
  EXPECT_EQ(reread({.kind = Kind::String, .text = "a\xFF"}).text, "a\xEF\xBF\xBD");
}

TEST(ExportedWriter, KeepsLists) {
  EXPECT_TRUE(reread(list({})).elements.empty());
  EXPECT_EQ(reread(list({integer(1), integer(2)})).elements.at(1).integer, 2);
  Argument mixed = reread(list({integer(1), {.kind = Kind::SymInt, .text = "n"}}));
  EXPECT_EQ(mixed.elements.at(0).integer, 1);
  EXPECT_EQ(mixed.elements.at(1).text, "n");
  Argument optional = reread(list({Argument(), tensor("x")}));
  EXPECT_EQ(optional.elements.at(0).kind, Kind::None);
  EXPECT_EQ(optional.elements.at(1).text, "x");
  EXPECT_EQ(reread(list({tensor("x"), tensor("x")})).elements.at(0).kind, Kind::Tensor);
}

TEST(ExportedWriter, KeepsGraphs) {
  exported::Graph inner;
  inner.inputs = {tensor("arg")};
  inner.outputs = {tensor("arg")};
  inner.tensors["arg"] = meta({2});
  Argument read = reread({.kind = Kind::Graph,
                          .text = "true_graph_0",
                          .graph = std::make_shared<const exported::Graph>(inner)});
  EXPECT_EQ(read.text, "true_graph_0");
  ASSERT_TRUE(read.graph);
  EXPECT_EQ(read.graph->outputs.at(0).text, "arg");
}

TEST(ExportedWriter, KeepsSymbolsAndTrees) {
  exported::Program program = programOf({});
  std::string symbol = "Symbol('s0', positive=True, integer=True)";
  program.graph.tensors["x"].sizes[0] = {.expression = symbol, .example = 5};
  program.ranges["s0"] = {2, std::nullopt};
  using Tree = exported::Tree;
  Tree dict{.kind = Tree::Kind::Dict, .children = {Tree()}};
  dict.keys = {{.kind = Kind::String, .text = "a"}};
  program.outputTree = {.kind = Tree::Kind::List, .children = {dict}};
  exported::Program read = reread(program);
  EXPECT_EQ(read.graph.tensors.at("x").sizes.at(0).expression, symbol);
  EXPECT_EQ(read.ranges.at("s0").min, 2);
  EXPECT_FALSE(read.ranges.at("s0").max);
  EXPECT_EQ(read.outputTree.children.at(0).keys.at(0).text, "a");
  EXPECT_EQ(read.argumentNames, std::vector<std::string>{"x"});
  EXPECT_EQ(read.graph.nodes.at(0).stackTrace, "where");
}

std::string archiveOf(const exported::Program &program,
                      const std::vector<exported::StoredTensor> &state) {
  std::string bytes;
  exported::writeArchive(program, state, [&](std::string_view part) { bytes += part; });
  return bytes;
}

TEST(ExportedWriter, WritesAStorageOnceAndAligned) {
  float values[] = {1, 2, 3, 4};
  SharedBytes storage =
      SharedBytes::copyOf({reinterpret_cast<const char *>(values), sizeof(values)});
  std::vector<exported::StoredTensor> state = {{"w", true, false, meta({4}), "a", storage},
                                               {"v", false, false, meta({2}), "a", storage},
                                               {"c", false, true, meta({2}), "a", storage}};
  state[1].meta.offset.value = 2;
  std::string bytes = archiveOf(programOf({}), state);
  auto archive = ExportedArchive::openBytes(SharedBytes::copyOf(bytes), "p.pt2");
  ASSERT_TRUE(archive) << archive.error().str();
  const ArchiveTensor *w = archive->findTensor("w"), *v = archive->findTensor("v");
  ASSERT_TRUE(w && v && archive->findTensor("c"));
  EXPECT_TRUE(w->isParameter);
  EXPECT_EQ(w->storage.data(), v->storage.data());
  EXPECT_EQ(std::memcmp(w->storage.data(), values, sizeof(values)), 0);
  EXPECT_EQ(v->offset, 2);
  EXPECT_EQ(bytes.find(std::string_view(reinterpret_cast<char *>(values), sizeof(values))) % 64,
            0u);
  EXPECT_EQ(archiveOf(programOf({}), state), bytes);
}

TEST(ZipWriter, ChecksumIsThatOfZips) {
  EXPECT_EQ(crc32("123456789"), 0xCBF43926u);
  EXPECT_EQ(crc32(""), 0u);
}

TEST(ZipWriter, MembersAreRead) {
  std::string bytes;
  ZipWriter writer([&](std::string_view part) { bytes += part; }, "root");
  writer.add("empty", "");
  writer.add("folder/text", std::string(1000, 'x'));
  writer.finish();
  auto zip = openZip(bytes);
  ASSERT_TRUE(zip) << zip.error().str();
  EXPECT_EQ(zip->members().size(), 2u);
  auto text = zip->read("folder/text");
  ASSERT_TRUE(text) << text.error().str();
  EXPECT_EQ(text->text(), std::string(1000, 'x'));
}

} // namespace
} // namespace jit::test

//===- GraphFuzzer.cpp - graphs from strangers ----------------------------===//
//
// Parses the input, and visits every node by recursion as an importer would; a graph that many call
// is visited once, where an importer counts the nodes that its calls come to.
//
//===----------------------------------------------------------------------===//

#include "jit/Archive/GraphText.h"

#include <set>

using namespace jit;
using namespace jit::graphtext;

namespace {

class Walk {
public:
  void visit(const Block &block) {
    visit(block.inputs);
    for (const Node *node : block.nodes)
      visit(*node);
    visit(block.outputs);
  }

private:
  void use(std::string_view text) {
    for (char c : text)
      sum += c;
  }

  void visit(const Type *type) {
    if (!type)
      return;
    use(type->name);
    use(type->text);
    for (int64_t size : type->sizes)
      sum += size;
    for (const Type *part : type->parts)
      visit(part);
  }

  void visit(std::span<const Value> values) {
    for (const Value &value : values) {
      use(value.name);
      visit(value.type);
    }
  }

  void visit(const Attribute &attribute) {
    use(attribute.name);
    use(attribute.text);
    visit(attribute.type);
    for (const Attribute &element : attribute.elements)
      visit(element);
  }

  void visit(const Node &node) {
    for (std::string_view text : {node.name, node.attributesText, node.scope, node.file})
      use(text);
    visit(node.outputs);
    visit(node.inputs);
    for (const Attribute &attribute : node.attributes)
      visit(attribute);
    for (const Block *block : node.blocks)
      visit(*block);
    if (node.subgraph && visited.insert(node.subgraph).second)
      visit(*node.subgraph);
  }

  uint64_t sum = 0;
  std::set<const Block *> visited;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ArchiveLimits limits;
  limits.maxAstBytes = 64 << 20;
  std::string_view text(reinterpret_cast<const char *>(data), size);
  auto graph = GraphText::parse("graph.txt", SharedBytes::copyOf(text), limits);
  if (graph)
    Walk().visit((*graph)->body());
  return 0;
}

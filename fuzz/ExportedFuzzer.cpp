//===- ExportedFuzzer.cpp - exported programs from strangers --------------===//
//
// Input that begins like a zip is opened as an archive, and every tensor that its program asks for
// is looked at. Anything else is the JSON text of a program; its expressions over symbols are
// parsed, and all graphs are walked as an importer would.
//
//===----------------------------------------------------------------------===//

#include "jit/Archive/ExportedArchive.h"
#include "jit/Archive/SymbolicExpression.h"

using namespace jit;

namespace {

ArchiveLimits smallLimits() {
  ArchiveLimits limits;
  limits.inflateBase = 1 << 20;
  limits.inflateRatio = 16;
  limits.maxPickleNodes = 1 << 16;
  limits.maxExpandedNodes = 1 << 16;
  limits.maxJsonNodes = 1 << 18;
  return limits;
}

class Walk {
public:
  void visit(const exported::Program &program) {
    visit(program.graph);
    for (const exported::InputSpec &spec : program.inputs)
      visit(spec.argument);
    for (const exported::OutputSpec &spec : program.outputs)
      visit(spec.argument);
    sum += program.inputTree.leafCount() + program.outputTree.leafCount();
  }

  size_t sum = 0;

private:
  void visit(const exported::Graph &graph) {
    for (const auto *arguments : {&graph.inputs, &graph.outputs})
      for (const exported::Argument &argument : *arguments)
        visit(argument);
    for (const exported::Node &node : graph.nodes) {
      for (const exported::NamedArgument &input : node.inputs)
        visit(input.value);
      for (const exported::Argument &output : node.outputs)
        visit(output);
    }
    for (const auto &[name, meta] : graph.tensors)
      for (const exported::Extent &size : meta.sizes)
        visit(size);
    for (const auto &[name, extent] : graph.ints)
      visit(extent);
  }

  void visit(const exported::Argument &argument) {
    sum += argument.text.size();
    for (const exported::Argument &element : argument.elements)
      visit(element);
    if (argument.graph)
      visit(*argument.graph);
  }

  void visit(const exported::Extent &extent) {
    if (!extent.isKnown())
      if (Result<SymbolicExpression> parsed = SymbolicExpression::parse(extent.expression, "input"))
        visit(*parsed);
  }

  void visit(const SymbolicExpression &expression) {
    sum += expression.name.size();
    for (const SymbolicExpression &argument : expression.arguments)
      visit(argument);
  }
};

/// Reads the first and the last byte of the tensor.
size_t touch(const ArchiveTensor &tensor) {
  if (tensor.elementCount() == 0)
    return 0;
  int64_t last = 0, size = elementSize(tensor.dtype);
  for (size_t i = 0; i < tensor.sizes.size(); ++i)
    last += (tensor.sizes[i] - 1) * tensor.strides[i];
  const std::byte *first = tensor.storage.data() + tensor.offset * size;
  return size_t(first[0]) + size_t(first[last * size + size - 1]);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  SharedBytes bytes = SharedBytes::copyOf({reinterpret_cast<const char *>(data), size});
  Walk walk;
  if (!bytes.text().starts_with("PK")) {
    if (auto program = exported::readProgram("input", bytes, smallLimits()))
      walk.visit(*program);
    return 0;
  }
  Result<ExportedArchive> archive = ExportedArchive::openBytes(bytes, "input", smallLimits());
  if (!archive)
    return 0;
  walk.visit(archive->program());
  for (const exported::InputSpec &spec : archive->program().inputs)
    if (const ArchiveTensor *tensor = archive->findTensor(spec.target))
      walk.sum += touch(*tensor);
  return 0;
}

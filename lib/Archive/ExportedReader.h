//===- ExportedReader.h - torch.export's JSON to typed values ---*- C++ -*-===//
#ifndef JIT_LIB_ARCHIVE_EXPORTEDREADER_H
#define JIT_LIB_ARCHIVE_EXPORTEDREADER_H

#include "Json.h"
#include "jit/Archive/ExportedProgram.h"

namespace jit::exported {

/// ExportedGraph.cpp: tensors, arguments, nodes; ExportedSignature.cpp: what stands around the
/// graph.
class Reader : public JsonReader {
public:
  using JsonReader::JsonReader;

  Program program(const JsonPlace &place);
  TensorMeta tensorMeta(const JsonPlace &place);

private:
  // ---- The graph ----
  ScalarType scalarType(const JsonPlace &place);
  int64_t layout(const JsonPlace &place);
  int64_t memoryFormat(const JsonPlace &place);
  std::string device(const JsonPlace &place);
  Extent extent(const JsonPlace &place);
  std::vector<Extent> extents(const JsonPlace &place);
  Argument argument(const JsonPlace &place);
  Argument named(const JsonPlace &place, Argument::Kind kind);
  Argument symbolic(const JsonPlace &place, Argument::Kind kind);
  Argument optionalTensor(const JsonPlace &place);
  Argument graphArgument(const JsonPlace &place);
  using ElementReader = Argument (Reader::*)(const JsonPlace &);
  Argument list(const JsonPlace &place, ElementReader read);
  Argument scalar(const JsonPlace &place);
  Argument tensorElement(const JsonPlace &place) { return named(place, Argument::Kind::Tensor); }
  Argument symIntElement(const JsonPlace &place) { return symbolic(place, Argument::Kind::SymInt); }
  Argument symFloatElement(const JsonPlace &place) {
    return symbolic(place, Argument::Kind::SymFloat);
  }
  Argument symBoolElement(const JsonPlace &place) {
    return symbolic(place, Argument::Kind::SymBool);
  }
  Argument floatElement(const JsonPlace &place);
  Argument complexNumber(const JsonPlace &place);
  Argument tensorList(const JsonPlace &place) { return list(place, &Reader::tensorElement); }
  Argument scalarList(const JsonPlace &place) { return list(place, &Reader::scalar); }
  Argument floatList(const JsonPlace &place) { return list(place, &Reader::floatElement); }
  std::vector<Argument> arguments(const JsonPlace &place);
  Node node(const JsonPlace &place);
  Graph graph(const JsonPlace &place);

  // ---- Around it ----
  void schemaVersion(const JsonPlace &place);
  InputSpec inputSpec(const JsonPlace &place);
  OutputSpec outputSpec(const JsonPlace &place);
  void signature(const JsonPlace &place, Program &program);
  void ranges(const JsonPlace &place, Program &program);
  void callGraph(const JsonPlace &place, Program &program);
  /// A tree is JSON text in a string.
  Tree treeText(const JsonPlace &place);
  Tree tree(const JsonPlace &place);
  void dictKeys(const JsonPlace &context, const std::string &type, Tree &tree);
  bool fieldNames(const JsonPlace &place, Tree &tree);
  void checkTrees(const JsonPlace &place, const Program &program);
};

} // namespace jit::exported

#endif // JIT_LIB_ARCHIVE_EXPORTEDREADER_H

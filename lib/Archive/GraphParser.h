//===- GraphParser.h - parser of a printed graph ----------------*- C++ -*-===//
//
// Recursive descent, with the depth of the recursion bounded. Every parse function gives null (or
// false) after the first failure, which is the one reported.
//
// GraphParser.cpp: graphs, blocks and nodes; GraphTypes.cpp: types; GraphAttributes.cpp: constants.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_ARCHIVE_GRAPHPARSER_H
#define JIT_LIB_ARCHIVE_GRAPHPARSER_H

#include "GraphLexer.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace jit::graphtext {

class GraphParser {
public:
  GraphParser(GraphText &graph, const ArchiveLimits &limits);

  Result<void> run();

private:
  /// One level of recursion while it lives.
  struct Level {
    explicit Level(GraphParser &parser) : parser(parser) { ++parser.depth; }
    ~Level() { --parser.depth; }
    Level(const Level &) = delete;
    Level &operator=(const Level &) = delete;
    GraphParser &parser;
  };
  /// What a parse function returns when it fails: null or false.
  struct Failed {
    operator bool() const { return false; }
    template <typename T> operator const T *() const { return nullptr; }
  };

  // ---- Tokens ----
  Failed fail(Position where, std::string message, ErrorCode code = ErrorCode::Malformed);
  Failed failExpected(std::string_view what);
  /// Also where the tree takes too much memory.
  bool tooDeep();
  void advance();
  bool accept(std::string_view text);
  bool expect(std::string_view text);
  /// What is read from \p begin on.
  std::string_view textFrom(Position begin) const;

  // ---- Graphs, blocks and nodes ----
  const Block *parseGraph();
  bool parseSubgraphs();
  const Block *parseBlock();
  bool parseNodes(Block &block);
  const Node *parseNode();
  bool parseOperator(Node &node);
  bool parsePythonFunction(Node &node);
  bool parseScope(Node &node);
  void parseLocation(Node &node) const;
  bool parseNested(Node &node);
  /// `%a : T, %b`, up to what cannot go on.
  bool parseDefinitions(std::span<const Value> &values);
  /// `(%a, %b)`
  bool parseUses(std::span<const Value> &values);

  // ---- Types ----
  const Type *parseType();
  bool parseTypeName(Type &type);
  bool parseNamedTuple(Type &type);
  bool parseGeneric(Type &type, std::string_view name);
  bool parseTensorDetails(Type &type);
  bool parseTensorProperty();
  bool parseSize(std::vector<int64_t> &sizes);
  bool isAliasAnnotation() const;
  bool parseAliasAnnotation();
  const Type *parseSuffixes(const Type *type);
  bool parseParts(Type &type, std::string_view close);

  // ---- Constants ----
  bool parseAttributes(Node &node);
  /// At what stands before a constant.
  bool parseValue(Attribute &attribute);
  /// The same where a tensor is printed there.
  bool acceptPrinted(Attribute &attribute);
  bool parseConstant(Attribute &attribute);
  bool setElements(Attribute &attribute, const std::vector<Attribute> &elements);
  bool parseNumber(Attribute &attribute);
  bool parseString(Attribute &attribute);
  bool parseWord(Attribute &attribute);
  bool parseElements(Attribute &attribute, std::string_view close);
  bool parseBraces(Attribute &attribute);
  bool parseAbsent(Attribute &attribute);
  bool parsePrinted(Attribute &attribute, const PrintedTensor &printed);

  GraphText &graph;
  Arena &arena;
  ArchiveLimits limits;
  GraphLexer lexer;
  Token token;
  uint32_t depth = 0;
  /// The line on which the last token ends, the place behind it, and the comment that stands there.
  uint32_t lastLine = 0;
  size_t lastEnd = 0;
  std::string_view comment;
  /// The nodes of the graph that is being read which may have a graph beside it, by their names.
  std::unordered_map<std::string_view, std::vector<Node *>> mayHaveSubgraph;
  /// Whether a `with` is read whose graph is not.
  bool isBehindWith = false;
  std::optional<Error> failure;
};

/// What PyTorch calls the element types: "Float", "Long", ...
bool isElementType(std::string_view name);

} // namespace jit::graphtext

#endif // JIT_LIB_ARCHIVE_GRAPHPARSER_H

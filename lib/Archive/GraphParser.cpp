//===- GraphParser.cpp - graphs, blocks and nodes -------------------------===//

#include "GraphParser.h"
#include "jit/OutOfMemory.h"

#include <charconv>

namespace jit::graphtext {

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

GraphParser::GraphParser(GraphText &graph, const ArchiveLimits &limits)
    : graph(graph), arena(graph.arena), limits(limits), lexer(graph.source.text()) {
  advance();
}

GraphParser::Failed GraphParser::fail(Position where, std::string message, ErrorCode code) {
  if (!failure)
    failure =
        Error{code, std::move(message),
              graph.name() + ":" + std::to_string(where.line) + ":" + std::to_string(where.column)};
  // Nothing more is read, so that every loop ends.
  token = {TokenKind::End, {}, where};
  return {};
}

GraphParser::Failed GraphParser::failExpected(std::string_view what) {
  constexpr size_t shown = 40;
  std::string got = token.kind == TokenKind::End
                        ? "the end of the text"
                        : "'" + std::string(token.text.substr(0, shown)) + "'";
  return fail(token.begin, "expected " + std::string(what) + ", got " + got);
}

bool GraphParser::tooDeep() {
  if (depth > limits.maxDepth)
    fail(token.begin, "graph is nested deeper than " + std::to_string(limits.maxDepth),
         ErrorCode::LimitExceeded);
  else if (arena.bytesUsed() > limits.maxAstBytes)
    fail(token.begin, "graph needs more than " + std::to_string(limits.maxAstBytes) + " bytes",
         ErrorCode::LimitExceeded);
  return failure.has_value();
}

void GraphParser::advance() {
  if (failure)
    return;
  lastLine = token.begin.line;
  for (token = lexer.next(); token.kind == TokenKind::Comment; token = lexer.next())
    if (token.begin.line == lastLine)
      comment = token.text;
  if (token.kind == TokenKind::Bad)
    fail(token.begin, std::string(token.text));
}

bool GraphParser::accept(std::string_view text) {
  if (!token.is(text))
    return false;
  advance();
  return true;
}

bool GraphParser::expect(std::string_view text) {
  return accept(text) || failExpected("'" + std::string(text) + "'");
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool GraphParser::parseDefinitions(std::span<const Value> &values) {
  std::vector<Value> found;
  while (token.kind == TokenKind::Value) {
    Value &value = found.emplace_back(Value{token.text, nullptr, token.begin});
    advance();
    if (accept(":")) {
      value.type = parseType();
      if (!value.type)
        return false;
    }
    if (!accept(","))
      break;
  }
  values = arena.copy(found);
  return !failure;
}

bool GraphParser::parseUses(std::span<const Value> &values) {
  std::vector<Value> found;
  if (!expect("("))
    return false;
  while (!token.is(")")) {
    if (token.kind != TokenKind::Value)
      return failExpected("a value");
    found.push_back({token.text, nullptr, token.begin});
    advance();
    if (!accept(",") && !token.is(")"))
      return failExpected("',' or ')' after a value");
  }
  advance();
  values = arena.copy(found);
  return !failure;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

/// `, scope: __module.a/__module.a.b`
bool GraphParser::parseScope(Node &node) {
  if (!accept(","))
    return true;
  if (!token.is("scope"))
    return failExpected("'scope'");
  advance();
  if (!token.is(":"))
    return failExpected("':'");
  node.scope = lexer.restOfLine();
  while (node.scope.ends_with(' ') || node.scope.ends_with('\r'))
    node.scope.remove_suffix(1);
  advance();
  return !failure;
}

/// Splits the number behind the last colon off.
static std::optional<uint32_t> takeNumber(std::string_view &text) {
  size_t colon = text.rfind(':');
  uint32_t number = 0;
  if (colon == std::string_view::npos)
    return std::nullopt;
  const char *end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data() + colon + 1, end, number);
  if (error != std::errc() || stop != end)
    return std::nullopt;
  text = text.substr(0, colon);
  return number;
}

/// ` file.py:12:3`; any other comment says nothing.
void GraphParser::parseLocation(Node &node) const {
  std::string_view text = comment;
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r'))
    text.remove_suffix(1);
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  std::optional<uint32_t> column = takeNumber(text);
  std::optional<uint32_t> line = column ? takeNumber(text) : std::nullopt;
  if (!line)
    return;
  node.file = text;
  node.line = *line;
  node.column = *column;
}

/// Whether a token is the name of a block: "block0".
static bool isBlock(const Token &token) {
  return token.kind == TokenKind::Name && token.text.starts_with("block") &&
         token.text.size() > 5 && token.text[5] >= '0' && token.text[5] <= '9';
}

bool GraphParser::parseNested(Node &node) {
  std::vector<const Block *> blocks;
  while (isBlock(token)) {
    advance();
    blocks.push_back(parseBlock());
    if (!blocks.back())
      return false;
  }
  node.blocks = arena.copy(blocks);
  return !failure;
}

const Node *GraphParser::parseNode() {
  auto *node = arena.create<Node>();
  ++graph.nodes;
  node->begin = token.begin;
  if (!parseDefinitions(node->outputs))
    return nullptr;
  // Nodes without results are printed with a lone "=".
  if (!accept("=") && !node->outputs.empty())
    return failExpected("'='");
  if (token.kind != TokenKind::Name || token.text.find("::") == std::string_view::npos)
    return failExpected("an operator");
  node->name = token.text;
  advance();
  if (token.is("[") && !parseAttributes(*node))
    return nullptr;
  comment = {};
  if (!parseUses(node->inputs) || !parseScope(*node))
    return nullptr;
  parseLocation(*node);
  return parseNested(*node) ? node : nullptr;
}

bool GraphParser::parseNodes(Block &block) {
  std::vector<const Node *> nodes;
  while (!token.is("->") && !token.is("return")) {
    if (tooDeep())
      return false;
    nodes.push_back(parseNode());
    if (!nodes.back())
      return false;
  }
  advance();
  block.nodes = arena.copy(nodes);
  return !failure && parseUses(block.outputs);
}

//===----------------------------------------------------------------------===//
// Blocks and graphs
//===----------------------------------------------------------------------===//

const Block *GraphParser::parseBlock() {
  Level level(*this);
  auto *block = arena.create<Block>();
  if (tooDeep() || !expect("(") || !parseDefinitions(block->inputs) || !expect(")") ||
      !expect(":") || !parseNodes(*block))
    return nullptr;
  return block;
}

const Block *GraphParser::parseGraph() {
  if (!expect("graph"))
    return nullptr;
  return parseBlock();
}

Result<void> GraphParser::run() {
  graph.root = parseGraph();
  while (!failure && accept("with")) {
    auto [subgraph, isNew] = graph.subgraphs.try_emplace(token.text);
    if (token.kind != TokenKind::Name || !isNew)
      failExpected("the name of another graph");
    advance();
    if (expect("="))
      subgraph->second = parseGraph();
  }
  if (!failure && token.kind != TokenKind::End)
    failExpected("the end of the graph");
  if (failure)
    return std::move(*failure);
  return {};
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

const Attribute *Node::find(std::string_view attribute) const {
  for (const Attribute &candidate : attributes)
    if (candidate.name == attribute)
      return &candidate;
  return nullptr;
}

const Block *GraphText::findSubgraph(std::string_view name) const {
  auto found = subgraphs.find(name);
  return found == subgraphs.end() ? nullptr : found->second;
}

bool GraphText::recognizes(std::string_view text) {
  GraphLexer lexer(text);
  Token token = lexer.next();
  while (token.kind == TokenKind::Comment)
    token = lexer.next();
  return token.is("graph") && lexer.next().is("(");
}

Result<std::unique_ptr<GraphText>> GraphText::parse(std::string name, SharedBytes text,
                                                    const ArchiveLimits &limits) {
  return orOutOfMemory([&]() -> Result<std::unique_ptr<GraphText>> {
    std::unique_ptr<GraphText> graph(new GraphText(std::move(name), std::move(text)));
    if (graph->source.size() > limits.maxSourceBytes)
      return Error{ErrorCode::LimitExceeded,
                   "expected a graph of at most " + std::to_string(limits.maxSourceBytes) +
                       " bytes, got " + std::to_string(graph->source.size()),
                   graph->name()};
    if (Result<void> parsed = GraphParser(*graph, limits).run(); !parsed)
      return parsed.takeError();
    return graph;
  });
}

} // namespace jit::graphtext

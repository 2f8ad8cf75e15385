//===- GraphParser.cpp - graphs, blocks and nodes -------------------------===//

#include "GraphParser.h"
#include "jit/OutOfMemory.h"

#include <charconv>
#include <utility>

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
  if (!token.text.empty())
    lastEnd = token.text.data() + token.text.size() - graph.source.text().data();
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

std::string_view GraphParser::textFrom(Position begin) const {
  return graph.source.text().substr(begin.offset, lastEnd - begin.offset);
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

/// Whether a token is the name of a block, "block0": operators have a namespace.
static bool isBlock(const Token &token) {
  return token.kind == TokenKind::Name && token.text.find("::") == std::string_view::npos &&
         !token.is("return");
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

/// `^Name[attributes](constants)`, where the constants are what Python prints.
bool GraphParser::parsePythonFunction(Node &node) {
  Position begin = token.begin;
  advance();
  if (token.kind != TokenKind::Name)
    return failExpected("the name of a Python function");
  advance();
  if (token.is("[") && !parseAttributes(node))
    return false;
  node.attributes = {};
  node.attributesText = {};
  std::optional<std::string_view> constants =
      token.is("(") ? lexer.restOfParentheses(/*areBeforeOperands=*/true)
                    : std::optional<std::string_view>();
  if (!constants)
    return failExpected("the constants of a Python function in parentheses");
  const char *end = constants->data() + constants->size();
  node.name = graph.source.text().substr(begin.offset);
  node.name = node.name.substr(0, end - node.name.data());
  advance();
  return !failure;
}

/// The name of what is computed, with its constants.
bool GraphParser::parseOperator(Node &node) {
  if (token.is("^"))
    return parsePythonFunction(node);
  if (token.kind != TokenKind::Name || token.text.find("::") == std::string_view::npos)
    return failExpected("an operator");
  node.name = token.text;
  size_t number = node.name.rfind('_') + 1;
  if (number && node.name.find_first_not_of("0123456789", number) == std::string_view::npos)
    mayHaveSubgraph[node.name].push_back(&node);
  advance();
  return !token.is("[") || parseAttributes(node);
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
  if (!parseOperator(*node))
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

/// `with NAME = graph(...)`: what nodes of that name compute. A graph is followed by those of its
/// nodes, each of these by its own, so that a name may be met again.
bool GraphParser::parseSubgraphs() {
  while (isBehindWith || accept("with")) {
    auto named = mayHaveSubgraph.extract(token.text);
    isBehindWith = !named;
    if (isBehindWith)
      return true;
    advance();
    const Block *subgraph = expect("=") ? parseGraph() : nullptr;
    if (!subgraph)
      return false;
    for (Node *node : named.mapped())
      node->subgraph = subgraph;
  }
  return !failure;
}

const Block *GraphParser::parseGraph() {
  Level level(*this);
  auto outer = std::exchange(mayHaveSubgraph, {});
  const Block *block = !tooDeep() && expect("graph") ? parseBlock() : nullptr;
  bool isRead = block && parseSubgraphs();
  mayHaveSubgraph = std::move(outer);
  return isRead ? block : nullptr;
}

Result<void> GraphParser::run() {
  graph.root = parseGraph();
  if (isBehindWith)
    failExpected("the name of a graph that a node has");
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

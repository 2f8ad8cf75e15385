//===- GraphText.h - a printed TorchScript graph ----------------*- C++ -*-===//
//
// What `print(graph)` writes and torch._C.parse_ir reads, as a tree. All of it lives in the arena
// of its GraphText and dies with it; it is constant, and its depth is bounded, so that walking it
// may recurse.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_ARCHIVE_GRAPHTEXT_H
#define JIT_ARCHIVE_GRAPHTEXT_H

#include "jit/Archive/TorchScriptAst.h"

namespace jit::graphtext {

using torchscript::Position;

struct Type {
  enum class Kind : uint8_t {
    Named, ///< "int", "NoneType", "RRef(Tensor)": the text says it
    Tensor,
    List,
    Optional,
    Tuple, ///< also a NamedTuple, by its members
    Union,
    Dict,
    Future,
  };
  static constexpr int64_t unknownSize = -1;

  Kind kind = Kind::Named;
  /// Levels of types below and including this one.
  uint16_t height = 1;
  Position begin;
  /// All of it, as written.
  std::string_view text;
  /// Of a tensor "Float", "Long", ...: empty where the element type is not said.
  std::string_view name;
  std::span<const Type *const> parts;
  /// Of a tensor: whether the sizes are said, and each of them.
  bool ranked = false;
  std::span<const int64_t> sizes;
};

/// A constant, as it stands behind `name=`.
struct Attribute {
  enum class Kind : uint8_t {
    Int,
    Float,
    Complex,
    String,
    Word, ///< None, True, False, an Enum's member
    Type,
    List,
    Tuple,
    Dict, ///< its elements are keys and values in turn
    Tensor,
    Absent, ///< `<Tensor>` and the like: the text does not hold it
  };
  Kind kind = Kind::Absent;
  uint16_t height = 1;
  Position begin;
  std::string_view name;
  int64_t integer = 0;
  double number = 0;
  /// Of a complex number, whose real part is `number`.
  double imaginary = 0;
  /// A string without its quotes and escapes; a word; of a tensor its element type, "Long", empty
  /// where the type of the value says it.
  std::string_view text;
  /// Elements in row-major order.
  std::span<const Attribute> elements;
  const Type *type = nullptr;
  /// Of a tensor.
  std::span<const int64_t> sizes;
  /// Whether the text does not hold all of a tensor: a few digits of each element, no scale.
  bool rounded = false;
};

/// A name without its `%`; where it is defined, the type that stands there, if one does.
struct Value {
  std::string_view name;
  const Type *type = nullptr;
  Position begin;
};

struct Block;

struct Node {
  Position begin;
  /// With its namespace: "aten::add"; of a Python function all of "^Name[...](...)" up to the
  /// operands.
  std::string_view name;
  std::span<const Value> outputs;
  std::span<const Value> inputs;
  std::span<const Attribute> attributes;
  /// What stands between the brackets.
  std::string_view attributesText;
  std::span<const Block *const> blocks;
  /// `with NAME = graph(...)`: the graph that stands beside for the node; null where none does.
  const Block *subgraph = nullptr;
  /// "__module.a/__module.a.b", empty if it is not said.
  std::string_view scope;
  /// Where the user wrote it; empty and 0 if it is not said.
  std::string_view file;
  uint32_t line = 0;
  uint32_t column = 0;

  /// Null if there is none of that name.
  const Attribute *find(std::string_view attribute) const;
};

struct Block {
  std::span<const Value> inputs;
  std::span<const Node *const> nodes;
  std::span<const Value> outputs;
};

/// A parsed text. Owns all its nodes; does not move.
class GraphText {
public:
  GraphText(const GraphText &) = delete;
  GraphText &operator=(const GraphText &) = delete;

  /// Errors are Malformed or LimitExceeded, with "\p name:line:column".
  static Result<std::unique_ptr<GraphText>> parse(std::string name, SharedBytes text,
                                                  const ArchiveLimits &limits = {});
  /// Whether a text begins like a graph.
  static bool recognizes(std::string_view text);

  const std::string &name() const { return textName; }
  const Block &body() const { return *root; }
  /// Of all blocks and graphs.
  size_t nodeCount() const { return nodes; }

private:
  friend class GraphParser;
  GraphText(std::string name, SharedBytes text)
      : textName(std::move(name)), source(std::move(text)) {}

  std::string textName;
  SharedBytes source;
  Arena arena;
  const Block *root = nullptr;
  size_t nodes = 0;
};

} // namespace jit::graphtext

#endif // JIT_ARCHIVE_GRAPHTEXT_H

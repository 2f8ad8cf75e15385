//===- Schema.h - what PyTorch's schemas say --------------------*- C++ -*-===//
#ifndef JIT_DIALECT_ATEN_SCHEMA_H
#define JIT_DIALECT_ATEN_SCHEMA_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace jit {

/// A type as schemas write it: "int[2]", "Tensor?", "t[]", "Dict(str, t)".
struct SchemaType {
  enum class Kind {
    Tensor,
    Int, ///< also dtypes, layouts and memory formats
    Float,
    Bool,
    Complex,
    Number,
    Str,
    Device,
    None,
    Any,
    Variable, ///< `t`: the same type wherever the schema says so
    List,
    Optional,
    Tuple,
    Dict,
    Other, ///< no value of ours is of this type
  };
  Kind kind = Kind::Other;
  /// Of a Variable.
  std::string name;
  /// `int[2]`: one int may stand for the whole list. 0 for a list of any length.
  int64_t fixedLength = 0;
  /// Whether it shares memory with another, or is written: `Tensor(a!)`.
  bool isAlias = false;
  /// Element, key and value, or members.
  std::vector<SchemaType> parts;
};

struct SchemaArgument {
  std::string name;
  SchemaType type;
  /// As written, e.g. "None", "1", "[0, 1]".
  std::optional<std::string> defaultText;
  bool keywordOnly = false;
};

struct Schema {
  /// With its namespace, e.g. "aten::add".
  std::string name;
  std::vector<SchemaArgument> arguments;
  std::vector<SchemaType> results;
  /// One for each result; empty where the schema names none.
  std::vector<std::string> resultNames;

  /// Nothing if \p text is not a schema.
  static std::optional<Schema> parse(llvm::StringRef text);
};

} // namespace jit

#endif // JIT_DIALECT_ATEN_SCHEMA_H

//===- SchemaIndex.h - operators by their PyTorch schemas -------*- C++ -*-===//
//
// Every registered operator says the schema that it implements; this index parses them once, so
// that an importer finds the overload that a call means. No operator is named here.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_IMPORT_SCHEMAINDEX_H
#define JIT_IMPORT_SCHEMAINDEX_H

#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/StringMap.h"
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

  /// Nothing if \p text is not a schema.
  static std::optional<Schema> parse(llvm::StringRef text);
};

struct Overload {
  mlir::OperationName operation;
  /// As its record gives it.
  llvm::StringRef text;
  Schema schema;
};

class SchemaIndex {
public:
  /// Indexes the operators of the aten dialect, which it loads.
  explicit SchemaIndex(mlir::MLIRContext &context);

  /// All overloads of a name like "aten::add"; empty if there is none.
  llvm::ArrayRef<Overload> find(llvm::StringRef name) const;

  /// All overloads, sorted by their schemas.
  std::vector<Overload> overloadsInOrder() const;

private:
  llvm::StringMap<std::vector<Overload>> overloads;
};

} // namespace jit

#endif // JIT_IMPORT_SCHEMAINDEX_H

//===- ExportedProgram.h - what torch.export saved, as plain data -*- C++ -*-===//
//
// The graph, its signature and the nesting of its inputs and outputs, typed and complete, but not
// yet resolved: names are names, operators are text.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_ARCHIVE_EXPORTEDPROGRAM_H
#define JIT_ARCHIVE_EXPORTEDPROGRAM_H

#include "jit/Archive/Limits.h"
#include "jit/Archive/SharedBytes.h"
#include "jit/Result.h"
#include "jit/ScalarType.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jit::exported {

/// A size, stride or offset: a number, or an expression over symbols.
struct Extent {
  int64_t value = 0;
  /// As written, e.g. "Symbol('s0', positive=True, integer=True)"; empty for a number.
  std::string expression;
  /// Of an expression: what it may come to, where a writer says that. Readers do not.
  std::optional<int64_t> example = std::nullopt;

  bool isKnown() const { return expression.empty(); }
};

struct TensorMeta {
  ScalarType dtype = ScalarType::Float;
  std::vector<Extent> sizes;
  std::vector<Extent> strides;
  Extent offset;
  bool requiresGrad = false;
  /// E.g. "cpu" or "cuda:0".
  std::string device;
};

struct Graph;

/// What a node takes or gives.
struct Argument {
  enum class Kind {
    None,
    Bool,
    Int, ///< also dtypes, layouts and memory formats, by the numbers that operators take
    Float,
    Complex,
    String,
    Device,
    Tensor, ///< the rest up to SymBool: `text` names a value of the graph
    SymInt,
    SymFloat,
    SymBool,
    List,
    Graph,    ///< `text` is its name
    Operator, ///< `text` is its target, as a node has it
    Other,    ///< a kind that no operator of ours takes: `text` says which
  };
  /// What an Int is the number of, for the format has other numbers of these.
  enum class Names { Nothing, ScalarType, Layout, MemoryFormat };
  Kind kind = Kind::None;
  /// Of Bool and Int.
  int64_t integer = 0;
  double number = 0;
  /// Of Complex, whose real part is `number`.
  double imaginary = 0;
  std::string text;
  std::vector<Argument> elements;
  std::shared_ptr<const exported::Graph> graph;
  Names names = Names::Nothing;

  bool isValue() const { return kind >= Kind::Tensor && kind <= Kind::SymBool; }
};

struct NamedArgument {
  /// By the operator's schema; empty for a higher-order operator's.
  std::string name;
  Argument value;
  /// For writers: the operator takes it by its name alone.
  bool isKeyword = false;
};

struct Node {
  /// "torch.ops.aten.add.Tensor", "_operator.mul", ...
  std::string target;
  std::vector<NamedArgument> inputs;
  std::vector<Argument> outputs;
  /// As Python prints it, the innermost call last; may be empty.
  std::string stackTrace;
};

struct Graph {
  std::vector<Argument> inputs;
  std::vector<Argument> outputs;
  std::vector<Node> nodes;
  std::map<std::string, TensorMeta, std::less<>> tensors;
  /// What is known of ints, as numbers or expressions over symbols.
  std::map<std::string, Extent, std::less<>> ints;
  /// Of other numbers, as expressions; readers leave them out.
  std::map<std::string, std::string, std::less<>> floats, bools;
  /// For writers: it gives its only output itself, not in a tuple.
  bool givesItsOutput = false;
};

struct InputSpec {
  enum class Kind { UserInput, Parameter, Buffer, TensorConstant, Constant, Token, Unsupported };
  Kind kind = Kind::UserInput;
  /// The graph's name for it; of a Constant the value.
  Argument argument;
  /// The state_dict path of a parameter or buffer; a constant's name; what is not supported.
  std::string target;
};

struct OutputSpec {
  enum class Kind {
    UserOutput,
    Loss,
    BufferMutation,
    ParameterMutation,
    UserInputMutation,
    ParameterGradient,
    UserInputGradient,
    Token, ///< keeps effects in their order, as those of inputs do
    Unsupported,
  };
  Kind kind = Kind::UserOutput;
  Argument argument;
  /// The state_dict path or the user input that is written or differentiated by.
  std::string target;
};

/// How inputs or outputs are nested.
struct Tree {
  enum class Kind { Leaf, Tuple, List, Dict };
  Kind kind = Kind::Leaf;
  std::vector<Tree> children;
  /// Of a dict, one for each child: strings or ints.
  std::vector<Argument> keys;

  size_t leafCount() const;
};

/// The values that a symbol may take.
struct Range {
  std::optional<int64_t> min, max;
};

struct Program {
  Graph graph;
  std::vector<InputSpec> inputs;
  std::vector<OutputSpec> outputs;
  /// A tuple of the positional arguments and a dict of the rest.
  Tree inputTree;
  /// Of the user's outputs and the loss.
  Tree outputTree;
  /// Of the arguments, where they are known.
  std::vector<std::string> argumentNames;
  /// By symbol.
  std::map<std::string, Range, std::less<>> ranges;
};

/// Reads the JSON text \p bytes of a program. Errors name \p member and the way to the value.
Result<Program> readProgram(const std::string &member, const SharedBytes &bytes,
                            const ArchiveLimits &limits = {});

} // namespace jit::exported

#endif // JIT_ARCHIVE_EXPORTEDPROGRAM_H

//===- CallSpec.h - what is known of a call ---------------------*- C++ -*-===//
//
// The one description of a call. What tells calls apart (jit/Runtime/CallKey.h) is read back as it,
// Specialize settles a program by it, packages compare arguments with it, and tools make values of
// it. It has a text, whose grammar is docs/call-spec.md: Parse.cpp reads what Print.cpp writes.
// Depends on nothing, so that whoever deals with calls may include it.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_CALLSPEC_CALLSPEC_H
#define JIT_CALLSPEC_CALLSPEC_H

#include "jit/Result.h"
#include "jit/ScalarType.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jit {

/// How deep tuples and lists may nest in a call: in a value, a type and a spec.
inline constexpr unsigned maxArgumentDepth = 64;

/// What is known of one value of a call: an argument, an element of one, or a piece of module
/// state.
struct ValueSpec {
  enum class Kind {
    Default,   ///< of an argument that is left out: its default
    None,      ///< Python's None
    Tensor,    ///< an element type, sizes, and how it lies in the caller's memory
    Undefined, ///< a tensor that is not there: as a gradient, zeros
    Int,
    Float,
    Bool,
    Str,
    Tuple,
    List,
    File, ///< the array in a file; only in what parseInput() reads
  };
  static constexpr int64_t openSize = -1;
  static constexpr int64_t unknownStride = std::numeric_limits<int64_t>::min();
  /// The memory that a tensor is a part of, if other arguments are too.
  struct Part {
    int64_t memory; ///< its number in the call
    int64_t offset; ///< the place of the tensor's first element in it
    int64_t extent; ///< its elements
  };

  Kind kind = Kind::None;
  /// Of an int, float or bool: any one, which stays an argument. Others become constants.
  bool isOpen = false;
  bool boolValue = false;
  int64_t intValue = 0;
  double floatValue = 0;
  std::string text = {};                // of a string, or a file's path
  std::vector<ValueSpec> elements = {}; // of a tuple or list
  /// Of a list: that it holds the pairs of a dict, each a tuple of a key and a value.
  bool isDict = false;

  // Of a tensor.
  ScalarType dtype = ScalarType::Float;
  std::vector<int64_t> sizes = {}; // openSize: any
  /// One for each size, empty for one without; none at all where no size has a name. Sizes of one
  /// name are equal and at least 2.
  std::vector<std::string> sizeNames = {};
  std::vector<int64_t> strides = {}; // in elements, one for each size; none: row-major
  std::optional<Part> part = {};
  std::string device = "cpu";
  bool requiresGrad = false; // also of a file

  /// In the grammar of docs/call-spec.md, without spaces.
  std::string str() const;
  /// Whether the texts are equal: they say all that is known.
  friend bool operator==(const ValueSpec &a, const ValueSpec &b) { return a.str() == b.str(); }
};

struct CallSpec {
  std::vector<ValueSpec> arguments;

  /// Reads arguments with commas between. InvalidArgument, with what was expected at which
  /// character, for other text; LimitExceeded for containers that nest deeper than
  /// maxArgumentDepth and for tensors of more than maxTensorRank sizes.
  static Result<CallSpec> parse(std::string_view text);
  /// The inverse of parse().
  std::string str() const;
  friend bool operator==(const CallSpec &a, const CallSpec &b) = default;
};

/// Reads one argument as people give it to a tool, where `@x.npy` and `@x.npy:grad` are files too.
/// Errors as those of CallSpec::parse.
Result<ValueSpec> parseInput(std::string_view text);

} // namespace jit

#endif // JIT_CALLSPEC_CALLSPEC_H

//===- ArgSpec.h - what a call says of one argument -------------*- C++ -*-===//
#ifndef JIT_SPECIALIZE_ARGSPEC_H
#define JIT_SPECIALIZE_ARGSPEC_H

#include "jit/ScalarType.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace jit {

/// What specialisation settles of one argument. In text:
///
///     f32[1,512]  f32[?,8]  bool[]     a tensor: element type and sizes, ? for one left open
///     f32[n,8]                         n: any size of at least 2, the same wherever n stands; such
///                                      sizes are equal where the program lets them meet
///     f32[3,2]:strides[1,3]            not row-major in the caller's memory: its strides there,
///     which
///                                      say what is a view and what a copy; ? for one not known
///     f32[2]:strides[1]:part[0,4,9]    in one memory with other arguments: the number of that, the
///                                      place of the first element and how many elements it has
///     f32[8]@cuda:0                    on a device: what `x.device` and `x.is_cuda` answer
///     f32[8]:grad  f32[8]@cuda:grad    the same, differentiated by
///     undef                            a tensor that is not there: as a gradient, zeros
///     16000  1.5  true  none  "text"   a value that becomes a constant; in a string \" and \\
///                                      stand for these, \xHH for any byte
///     ?int  ?float  ?bool              a number that stays an argument
///     (A, B)  [A, B]                   a tuple, a list, element by element
///     default                          the argument's default, a slot's initial value
struct ArgSpec {
  enum class Kind {
    Default,
    None,
    Tensor,
    Undefined,
    Int,
    Float,
    Bool,
    Str,
    AnyInt,
    AnyFloat,
    AnyBool,
    Tuple,
    List
  };

  Kind kind = Kind::None;
  ScalarType dtype = ScalarType::Float;
  llvm::SmallVector<int64_t> sizes = {};         // ShapedType::kDynamic for ? and for a name
  llvm::SmallVector<std::string> sizeNames = {}; // one for each size, empty for one without
  llvm::SmallVector<int64_t> strides = {};       // one for each size, or none for row-major
  /// The memory that it is a part of, if others are too.
  struct Part {
    int64_t memory, offset, extent;
  };
  std::optional<Part> part = {};
  std::string device = "cpu";
  bool requiresGrad = false;
  int64_t intValue = 0; // Int and Bool
  double floatValue = 0;
  std::string text = {};
  std::vector<ArgSpec> elements = {};
};

/// Parses a comma-separated list of specs; an error says what was expected and at which character.
llvm::Expected<std::vector<ArgSpec>> parseArgSpecs(llvm::StringRef text);

} // namespace jit

#endif // JIT_SPECIALIZE_ARGSPEC_H

//===- TextLimits.h - caps on what one MLIR text may cost -------*- C++ -*-===//
//
// MLIR's parser trusts its input: it recurses as deep as the text is nested, multiplies sizes
// without a look at overflow, and lets short names stand for types of any size. So a text is
// looked over before it gets there.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_IMPORT_TEXTLIMITS_H
#define JIT_IMPORT_TEXTLIMITS_H

#include "jit/Result.h"
#include "jit/TensorLimits.h"

#include <string_view>

namespace jit {

/// Past any of these a text is refused with ErrorCode::LimitExceeded.
struct TextLimits {
  uint64_t maxBytes = uint64_t(1) << 30;
  /// Brackets in brackets, those that an alias stands for included.
  uint32_t maxDepth = 256;
  /// Words that one alias stands for, those of aliases in it counted each time: this many beside
  /// the text's bytes.
  uint64_t maxAliasWords = uint64_t(1) << 20;
  /// Operators of an affine expression between two brackets, which nest without any.
  uint32_t maxOperators = 1000;
  /// Characters of one number: reading it takes the square of that.
  uint32_t maxNumberLength = 4096;
  /// Sizes of one shape, and their product.
  uint32_t maxRank = maxTensorRank;
  uint64_t maxElements = uint64_t(1) << 48;
};

/// Whether MLIR's parser can be given `text`; an error says the place, "name:line:column". Says
/// nothing of the syntax.
Result<void> checkText(std::string_view text, std::string_view name, const TextLimits &limits = {});

} // namespace jit

#endif // JIT_IMPORT_TEXTLIMITS_H

//===- Describe.cpp - patterns in text ------------------------------------===//
#include "jit-c/Values.h"
#include "jit/Codegen/Package.h"
#include "jit/QuotedText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <bit>

using namespace jit::package;

static void describeNumber(llvm::raw_ostream &os, const Pattern &pattern) {
  if (pattern.isOpen)
    os << (pattern.kind == JIT_KIND_INT     ? "?int"
           : pattern.kind == JIT_KIND_FLOAT ? "?float"
                                            : "?bool");
  else if (pattern.kind == JIT_KIND_INT)
    os << pattern.word;
  else if (pattern.kind == JIT_KIND_BOOL)
    os << (pattern.word ? "true" : "false");
  else
    os << std::bit_cast<double>(pattern.word);
}

void jit::package::describe(llvm::raw_ostream &os, const Pattern &pattern) {
  switch (pattern.kind) {
  case JIT_KIND_NONE:
    os << "none";
    return;
  case JIT_KIND_TENSOR:
    os << llvm::StringRef(shortName(pattern.dtype)) << '[';
    for (auto [i, size] : llvm::enumerate(pattern.sizes)) {
      os << (i ? "," : "");
      if (size >= 0)
        os << size;
      else
        os << (pattern.sizeNames.empty() ? "?" : pattern.sizeNames[i]);
    }
    os << ']';
    return;
  case JIT_KIND_STRING:
    os << quoted(pattern.text);
    return;
  case JIT_KIND_LIST:
  case JIT_KIND_TUPLE:
    os << (pattern.kind == JIT_KIND_LIST ? '[' : '(');
    llvm::interleave(pattern.items, os, [&](const Pattern &item) { describe(os, item); }, ",");
    os << (pattern.kind == JIT_KIND_LIST ? ']' : ')');
    return;
  default:
    describeNumber(os, pattern);
  }
}

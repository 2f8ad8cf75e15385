//===- SpecText.h - a value's spec in text ----------------------*- C++ -*-===//
#ifndef JIT_LIB_SESSION_SPECTEXT_H
#define JIT_LIB_SESSION_SPECTEXT_H

#include "jit/Runtime/Value.h"

namespace jit {

/// What specialisation goes by, in the grammar of jit/Specialize/ArgSpec.h. Unsupported for a
/// string that the grammar cannot quote. Says of a value what its record in an ArgumentSpec says.
Result<std::string> specText(const Value &value);

} // namespace jit

#endif // JIT_LIB_SESSION_SPECTEXT_H

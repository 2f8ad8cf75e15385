//===- SpecText.h - a value's spec in text ----------------------*- C++ -*-===//
#ifndef JIT_LIB_SESSION_SPECTEXT_H
#define JIT_LIB_SESSION_SPECTEXT_H

#include "jit/Runtime/ArgumentSpec.h"

namespace jit {

/// What specialisation goes by, in the grammar of jit/Specialize/ArgSpec.h. Says of a value what
/// its record in an ArgumentSpec says; symbolic sizes have names of their own, from s0 on: `names`
/// counts them.
Result<std::string> specText(const runtime::Value &value, runtime::SpecPolicy policy,
                             unsigned &names);

} // namespace jit

#endif // JIT_LIB_SESSION_SPECTEXT_H

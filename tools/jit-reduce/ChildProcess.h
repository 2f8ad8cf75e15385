//===- ChildProcess.h - what may crash, in a process of its own -*- C++ -*-===//
#ifndef JIT_TOOLS_JIT_REDUCE_CHILDPROCESS_H
#define JIT_TOOLS_JIT_REDUCE_CHILDPROCESS_H

#include <functional>

namespace jit {

/// How a child ended.
struct ChildEnd {
  int code = 0;   ///< what the body gave
  int signal = 0; ///< or the signal that ended it
  double seconds = 0;
  bool isLate = false; ///< it was ended because it took too long
};

/// Runs `body` in a copy of this process, which must have one thread; says nothing on stderr if
/// `isSilent`.
ChildEnd runInChild(const std::function<int()> &body, double seconds, bool isSilent = true);

} // namespace jit

#endif // JIT_TOOLS_JIT_REDUCE_CHILDPROCESS_H

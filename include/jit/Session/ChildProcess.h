//===- ChildProcess.h - what may crash, in a process of its own -*- C++ -*-===//
#ifndef JIT_SESSION_CHILDPROCESS_H
#define JIT_SESSION_CHILDPROCESS_H

#include <functional>
#include <limits>
#include <shared_mutex>
#include <string>

namespace jit {

/// How a child ended.
struct ChildEnd {
  int code = 0;   ///< what the body gave
  int signal = 0; ///< or the signal that ended it
  double seconds = 0;
  bool isLate = false;   ///< it was ended because it took too long
  std::string said = {}; ///< on stderr, where it was silent: the first 4 KB
};

/// Runs `body` in a copy of this process, in which the calling thread alone goes on; it ends with
/// this process, and says nothing on stderr if `isSilent`. Waits until no other thread has a
/// CompilerUse, and has none itself.
ChildEnd runInChild(const std::function<int()> &body,
                    double seconds = std::numeric_limits<double>::infinity(), bool isSilent = true);

/// Held by a thread that is within MLIR or LLVM. A copy of the process that was made at such a time
/// would find their locks taken by a thread that it does not have.
class CompilerUse {
public:
  CompilerUse();

private:
  std::shared_lock<std::shared_mutex> lock;
};

} // namespace jit

#endif // JIT_SESSION_CHILDPROCESS_H

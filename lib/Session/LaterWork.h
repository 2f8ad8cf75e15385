//===- LaterWork.h - a thread that makes code beside calls ------*- C++ -*-===//
#ifndef JIT_LIB_SESSION_LATERWORK_H
#define JIT_LIB_SESSION_LATERWORK_H

#include "jit/Codegen/Target.h"

#include <functional>
#include <memory>
#include <string>

namespace jit {

/// Makes and optimises code in the order in which it was added, on one thread of low priority that
/// ends with the work. Threads may share it. A copy of the process (fork) has no such thread: what
/// was left runs on as it was.
class LaterWork {
public:
  /// Told on that thread that the code runs, or why it never will, and how many seconds of work
  /// that took. Waits for nothing that is held at a fork(): false, and it is told again.
  using Done =
      std::function<bool(codegen::OptimiseLater &code, const std::string &failure, double seconds)>;

  /// Work in one step, for which fork() and the end of the process wait. Waits itself for nothing
  /// that is held at a fork(): false, and it is done again.
  using Once = std::function<bool()>;

  LaterWork();
  LaterWork(const LaterWork &) = delete;
  LaterWork &operator=(const LaterWork &) = delete;
  /// Stops the step that is being done, and drops the others. Nobody is told.
  ~LaterWork();

  void add(std::unique_ptr<codegen::OptimiseLater> code, Done done);
  void add(Once once);

private:
  struct State;
  struct Item {
    Once once; // null: the code
    std::unique_ptr<codegen::OptimiseLater> code;
    Done done;
  };
  void add(Item item);
  void leaveToParent();

  std::unique_ptr<State> state;
};

} // namespace jit

#endif // JIT_LIB_SESSION_LATERWORK_H

//===- ChildProcess.cpp - what may crash, in a process of its own ---------===//

#include "ChildProcess.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace jit {

/// A crash is an outcome here, which nobody has to be told of.
static void endOnCrash() {
  for (int signal : {SIGSEGV, SIGABRT, SIGILL, SIGFPE, SIGBUS, SIGTRAP, SIGTERM})
    std::signal(signal, SIG_DFL);
  int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere >= 0)
    dup2(nowhere, STDERR_FILENO);
}

ChildEnd runInChild(const std::function<int()> &body, double seconds, bool isSilent) {
  using Clock = std::chrono::steady_clock;
  auto start = Clock::now();
  auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  pid_t child = fork();
  if (child < 0)
    return {.code = 1};
  if (child == 0) {
    setpgid(0, 0); // what it starts ends with it
    if (isSilent)
      endOnCrash();
    _exit(body());
  }
  int status = 0;
  ChildEnd end;
  for (auto pause = std::chrono::microseconds(200); waitpid(child, &status, WNOHANG) == 0;) {
    if (elapsed() > seconds && !end.isLate) {
      end.isLate = true;
      kill(-child, SIGKILL);
    }
    std::this_thread::sleep_for(pause);
    if (pause < std::chrono::milliseconds(10))
      pause *= 2;
  }
  end.seconds = elapsed();
  if (WIFEXITED(status))
    end.code = WEXITSTATUS(status);
  else
    end.signal = WTERMSIG(status);
  return end;
}

} // namespace jit

//===- ChildProcess.cpp - what may crash, in a process of its own ---------===//

#include "jit/Session/ChildProcess.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace jit {

static std::shared_mutex &compilerUses() {
  static std::shared_mutex uses;
  return uses;
}

CompilerUse::CompilerUse() : lock(compilerUses()) {}

/// A crash is an outcome here, which nobody has to be told of.
static void endOnCrash(int words) {
  for (int signal : {SIGSEGV, SIGABRT, SIGILL, SIGFPE, SIGBUS, SIGTRAP, SIGTERM})
    std::signal(signal, SIG_DFL);
  if (words >= 0)
    dup2(words, STDERR_FILENO);
}

static std::string textOf(int file) {
  std::string text(4096, 0);
  ssize_t size = pread(file, text.data(), text.size(), 0);
  text.resize(std::max<ssize_t>(size, 0));
  return text;
}

/// Waits for the child; ends it, and what it has started, after as many seconds.
static ChildEnd waitFor(pid_t child, double seconds) {
  using Clock = std::chrono::steady_clock;
  auto start = Clock::now();
  auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
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

ChildEnd runInChild(const std::function<int()> &body, double seconds, bool isSilent) {
  int words = isSilent ? memfd_create("stderr of a child", MFD_CLOEXEC) : -1;
  std::unique_lock alone(compilerUses());
  pid_t parent = getpid(), child = fork();
  alone.unlock();
  if (child == 0) {
    setpgid(0, 0); // what it starts ends with it
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
      _exit(1);
    if (isSilent)
      endOnCrash(words);
    _exit(body());
  }
  ChildEnd end = child < 0 ? ChildEnd{.code = 1} : waitFor(child, seconds);
  if (words >= 0) {
    end.said = textOf(words);
    close(words);
  }
  return end;
}

} // namespace jit

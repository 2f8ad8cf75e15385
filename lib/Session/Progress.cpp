//===- Progress.cpp - what is compiled, on a terminal ---------------------===//

#include "jit/Session/Progress.h"

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <unistd.h>

namespace jit {

namespace {
/// A thread of its own waits for the second to pass: a phase may take longer than that.
class ProgressLine {
public:
  ProgressLine() : writer([this] { run(); }) {}
  ~ProgressLine() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      isOver = true;
    }
    changed.notify_one();
    writer.join();
  }

  void tell(const std::string &what) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (what.empty())
        begun.reset();
      else if (!begun)
        begun = std::chrono::steady_clock::now();
      text = what;
      hasNews = true;
      if (what.empty())
        erase();
    }
    changed.notify_one();
  }

private:
  /// With the lock held, so that nothing else is written over what stays.
  void erase() {
    if (isShown)
      std::fputs("\r\033[K", stderr);
    isShown = false;
  }

  void show() {
    std::fprintf(stderr, "\r\033[Kcompiling %.100s", text.c_str());
    std::fflush(stderr);
    isShown = true;
    hasNews = false;
  }

  void run() {
    std::unique_lock<std::mutex> lock(mutex);
    while (!isOver) {
      if (!begun || !hasNews) {
        changed.wait(lock);
      } else if (auto due = *begun + std::chrono::seconds(1);
                 std::chrono::steady_clock::now() < due) {
        changed.wait_until(lock, due);
      } else {
        show();
      }
    }
    erase();
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::optional<std::chrono::steady_clock::time_point> begun; // of the compilation that runs
  std::string text;
  bool hasNews = false;
  bool isShown = false;
  bool isOver = false;
  std::thread writer; // last: it uses the others
};
} // namespace

std::function<void(const std::string &)> progressOnTerminal() {
  if (isatty(STDERR_FILENO) == 0)
    return {};
  auto line = std::make_shared<ProgressLine>();
  return [line](const std::string &what) { line->tell(what); };
}

} // namespace jit

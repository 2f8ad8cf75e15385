//===- IsolationTest.cpp - what a child process leaves --------------------===//
#include "Isolation.h"
#include "jit/Session/ChildProcess.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <thread>

#include <unistd.h>

using namespace jit;

TEST(Isolation, TheBodyRunsInAnotherProcess) {
  pid_t here = getpid();
  bool isChanged = false;
  auto done = inChildProcess("to compare", [&]() -> Result<void> {
    isChanged = true;
    return getpid() != here ? Result<void>() : Error{ErrorCode::Internal, "got the same process"};
  });
  EXPECT_TRUE(done) << done.error().str();
  EXPECT_FALSE(isChanged);
}

TEST(Isolation, AnErrorIsTheSameHere) {
  Error error{ErrorCode::Raised, std::string(100000, 'm'), "model.py:3", "builtins.ValueError"};
  auto done = inChildProcess("to fail", [&]() -> Result<void> { return error; });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, error.code);
  EXPECT_EQ(done.error().message, error.message);
  EXPECT_EQ(done.error().where, error.where);
  EXPECT_EQ(done.error().pythonClass, error.pythonClass);
}

TEST(Isolation, ACrashIsAnErrorOfOurs) {
  auto done = inChildProcess("to compile f", []() -> Result<void> {
    std::fputs("LLVM ERROR: ran out of registers\n", stderr);
    std::abort();
  });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::Internal);
  EXPECT_EQ(done.error().message, "expected a child process to compile f, got signal 6 (Aborted): "
                                  "LLVM ERROR: ran out of registers");
}

TEST(Isolation, AnExitIsAnErrorOfOurs) {
  auto done = inChildProcess("to compile f", []() -> Result<void> { _exit(3); });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "expected a child process to compile f, got exit code 3");
}

TEST(Isolation, MemoryThatIsExhaustedIsAnError) {
  auto done = inChildProcess("to compile f", []() -> Result<void> { throw std::bad_alloc(); });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::LimitExceeded);
}

TEST(Isolation, AChildWaitsForThreadsWithinTheCompiler) {
  std::atomic<bool> isOver = false;
  std::optional<CompilerUse> use(std::in_place);
  std::thread other([&] {
    auto done = inChildProcess("to wait", []() -> Result<void> { return {}; });
    EXPECT_TRUE(done);
    isOver = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(isOver);
  use.reset();
  other.join();
  EXPECT_TRUE(isOver);
}

TEST(ChildProcess, ALateOneIsEnded) {
  ChildEnd end = runInChild([] { return pause(), 0; }, 0.05);
  EXPECT_TRUE(end.isLate);
  EXPECT_EQ(end.signal, SIGKILL);
}

//===- LaterTest.cpp - optimised code takes a baseline's place ------------===//
#include "LaterWork.h"
#include "jit/Session/Session.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

using namespace jit;
using namespace jit::runtime;

namespace {
/// forward(x) gives x * x + x, as often as `rounds`, its rows added up.
std::string programOf(int rounds) {
  std::string text = "func.func @forward(%x0: !jit.tensor) -> !jit.tensor {\n"
                     "  %one = arith.constant 1 : i64\n";
  std::string type = "(!jit.tensor, !jit.tensor";
  for (int i = 0; i < rounds; ++i) {
    std::string x = "%x" + std::to_string(i), y = "%y" + std::to_string(i);
    text += "  " + y + " = aten.mul.Tensor " + x + ", " + x + " : " + type + ") -> !jit.tensor\n";
    text += "  %x" + std::to_string(i + 1) + " = aten.add.Tensor " + y + ", %x0, %one : " + type +
            ", i64) -> !jit.tensor\n";
  }
  return text + "  return %x" + std::to_string(rounds) + " : !jit.tensor\n}\n";
}

class Later : public testing::Test {
protected:
  Later() {
    folder = testing::TempDir() + "/later-" + std::to_string(getpid()) + "-" +
             testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "/program.mlir") << programOf(6);
    x = *Tensor::allocate(ScalarType::Float, {33, 17});
    for (int64_t i = 0; i < x.numElements(); ++i)
      x.mutableAs<float>()[i] = 0.01F * float(i) - 2.5F;
  }
  ~Later() override { std::filesystem::remove_all(folder); }

  std::unique_ptr<Session> open(Tier tier, const std::string &cache = "off") {
    SessionOptions options;
    options.tier = tier;
    options.cache = cache;
    options.time = true;
    auto session = Session::open(folder + "/program.mlir", options);
    EXPECT_TRUE(session) << session.error().str();
    return std::move(*session);
  }

  std::string call(Session &session) {
    std::vector<Value> args = {x};
    auto result = session.run("forward", args);
    if (!result)
      return result.error().str();
    const Tensor *tensor = result->getIf<Tensor>();
    return {static_cast<const char *>(tensor->data()),
            size_t(tensor->numElements()) * sizeof(float)};
  }

  static bool waitForCode(const Session &session) {
    auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (session.statistics().optimised == 0 && std::chrono::steady_clock::now() < deadline)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return session.statistics().optimised > 0;
  }

  std::string folder;
  Tensor x;
};
} // namespace

TEST_F(Later, CallsHaveTheSameBitsBeforeAndAfter) {
  std::string expected = call(*open(Tier::Optimised));
  auto session = open(Tier::Both);
  std::atomic<bool> isOver = false;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 64; ++i)
    threads.emplace_back([&] {
      while (!isOver)
        wrong += call(*session) != expected;
    });
  EXPECT_TRUE(waitForCode(*session));
  EXPECT_EQ(call(*session), expected);
  EXPECT_EQ(session->statistics().optimised, 1U);
  EXPECT_EQ(session->statistics().stayed, 0U);
  EXPECT_NE(session->timeReport().find("seconds beside calls: forward, optimised\n"),
            std::string::npos);
  isOver = true;
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(Later, ClosingDoesNotWaitForAll) {
  std::string expected = call(*open(Tier::Baseline));
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(call(*open(Tier::Both)), expected);
}

TEST_F(Later, TheCacheHasABaselineUntilOptimisedCodeIsThere) {
  std::string cache = folder + "/cache", expected = call(*open(Tier::Baseline, cache));
  auto session = open(Tier::Both, cache);
  EXPECT_EQ(call(*session), expected);
  EXPECT_EQ(session->statistics().loads, 1U);
  EXPECT_TRUE(waitForCode(*session)); // made of what the record has
  EXPECT_EQ(call(*session), expected);
  session.reset(); // the record is there, or being written
  session = open(Tier::Optimised, cache);
  EXPECT_EQ(call(*session), expected);
  EXPECT_EQ(session->statistics().loads, 1U);
}

TEST_F(Later, OptimisedCodeIsNotABaselineFromTheCache) {
  std::string cache = folder + "/cache", expected = call(*open(Tier::Baseline, cache));
  auto session = open(Tier::Optimised, cache);
  EXPECT_EQ(call(*session), expected);
  EXPECT_EQ(session->statistics().loads, 0U);
}

/// A copy of the process that is made meanwhile has no such thread, and compiles on.
TEST_F(Later, ACopyOfTheProcessGoesOn) {
  std::string expected = call(*open(Tier::Optimised));
  auto session = open(Tier::Both);
  EXPECT_EQ(call(*session), expected);
  for (int i = 0; i < 3; ++i) {
    pid_t child = fork();
    if (child == 0) {
      alarm(60);
      bool isSame = call(*session) == expected;
      session.reset();
      _exit(isSame && call(*open(Tier::Both)) == expected ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_TRUE(waitForCode(*session));
}

namespace {
/// Fails at its second step.
struct Failing : codegen::OptimiseLater {
  llvm::Expected<bool> step(llvm::function_ref<bool()>) override {
    if (++steps == 2)
      return llvm::createStringError("no such instruction");
    return true;
  }
  codegen::CodeImage takeImage() override { return {}; }
  int steps = 0;
};
} // namespace

TEST(LaterWork, AFailureIsToldUntilItIsHeard) {
  std::atomic<int> told = 0;
  std::string failure;
  LaterWork work;
  work.add(std::make_unique<Failing>(),
           [&](codegen::OptimiseLater &, const std::string &why, double seconds) {
             failure = why;
             EXPECT_GE(seconds, 0);
             return ++told == 2;
           });
  while (told < 2)
    std::this_thread::yield();
  EXPECT_EQ(failure, "no such instruction");
}

namespace {
/// A step that ends only when it is told to.
struct Endless : codegen::OptimiseLater {
  explicit Endless(std::atomic<bool> &hasBegun) : hasBegun(hasBegun) {}
  llvm::Expected<bool> step(llvm::function_ref<bool()> isStopped) override {
    hasBegun = true;
    while (!isStopped())
      std::this_thread::yield();
    return true;
  }
  codegen::CodeImage takeImage() override { return {}; }
  std::atomic<bool> &hasBegun;
};

/// Begins such a step.
void beginEndless(LaterWork &work, std::atomic<bool> &hasBegun) {
  work.add(std::make_unique<Endless>(hasBegun),
           [](codegen::OptimiseLater &, const std::string &, double) {
             ADD_FAILURE() << "expected nobody to be told";
             return true;
           });
  while (!hasBegun)
    std::this_thread::yield();
}
} // namespace

TEST(LaterWork, ClosingStopsTheStep) {
  std::atomic<bool> hasBegun = false;
  LaterWork work;
  beginEndless(work, hasBegun);
}

/// The process ends at once, by exit() and with the work as it is.
TEST(LaterWork, ExitStopsTheStep) {
  pid_t child = fork();
  if (child == 0) {
    alarm(60);
    static std::atomic<bool> hasBegun = false;
    static LaterWork work;
    beginEndless(work, hasBegun);
    std::exit(testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

namespace {
/// Has no memory for its first step.
struct Exhausted : codegen::OptimiseLater {
  llvm::Expected<bool> step(llvm::function_ref<bool()>) override { throw std::bad_alloc(); }
  codegen::CodeImage takeImage() override { return {}; }
};
} // namespace

TEST(LaterWork, WhatCannotBeDoneNowIsDoneAgain) {
  std::atomic<int> tries = 0;
  LaterWork work;
  work.add([&] { return ++tries == 3; });
  while (tries < 3)
    std::this_thread::yield();
  work.add([&]() -> bool { throw(++tries, std::bad_alloc()); });
  while (tries < 4)
    std::this_thread::yield();
}

TEST(LaterWork, ExhaustedMemoryIsAnError) {
  std::atomic<bool> isTold = false;
  std::string failure;
  LaterWork work;
  work.add(std::make_unique<Exhausted>(),
           [&](codegen::OptimiseLater &, const std::string &why, double) {
             failure = why;
             isTold = true;
             return true;
           });
  while (!isTold)
    std::this_thread::yield();
  EXPECT_EQ(failure, "out of memory");
}

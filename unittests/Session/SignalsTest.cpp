//===- SignalsTest.cpp - the handlers of the program that we are in -------===//
#include "jit/Session/Session.h"

#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <fstream>

#include <unistd.h>

using namespace jit;
using namespace jit::runtime;

static void nothing(int) {}

/// The handlers of all signals that can have one.
static std::array<void (*)(int), NSIG> handlers() {
  std::array<void (*)(int), NSIG> all = {};
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action = {};
    if (sigaction(number, nullptr, &action) == 0)
      all[size_t(number)] = action.sa_handler;
  }
  return all;
}

TEST(Signals, CompilingCallingAndSavingLeaveHandlersAlone) {
  std::string folder = testing::TempDir() + "/signals-" + std::to_string(getpid());
  std::ofstream(folder + ".mlir") << R"(
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %y = aten.relu %x : (!jit.tensor) -> !jit.tensor
  return %y : !jit.tensor
})";
  for (int number : {SIGSEGV, SIGBUS, SIGABRT, SIGINT, SIGUSR1, SIGUSR2})
    ASSERT_NE(std::signal(number, nothing), SIG_ERR);
  auto before = handlers();
  auto session = Session::open(folder + ".mlir", {});
  ASSERT_TRUE(session) << session.error().str();
  std::vector<Value> arguments = {*Tensor::allocate(ScalarType::Float, {4})};
  ASSERT_TRUE((*session)->run("forward", arguments));
  auto call = PackagedCall::parse("forward(f32[4])");
  ASSERT_TRUE(call);
  PackageOptions package;
  package.calls = {*call};
  package.output = folder + ".so";
  auto saved = (*session)->save(package);
  ASSERT_TRUE(saved) << saved.error().str();
  EXPECT_EQ(handlers(), before);
}

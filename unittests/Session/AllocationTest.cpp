//===- AllocationTest.cpp - sessions where memory is exhausted ------------===//
#include "FailingAllocation.h"
#include "jit/Session/Session.h"

#include <fstream>

#include <unistd.h>

using namespace jit;
using namespace jit::runtime;
using namespace jit::test;

/// forward(x) adds x to a running total and gives it.
static std::unique_ptr<Session> open() {
  std::string path = testing::TempDir() + "/allocation-" + std::to_string(getpid()) + ".mlir";
  std::ofstream(path) << R"(
jit.slot @total : !jit.tensor<[2],f32> = dense<0.0> : tensor<2xf32> {jit.mutable}
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %one = arith.constant 1 : i64
  %old = jit.slot_get @total : !jit.tensor<[2],f32>
  %y = aten.add.Tensor %old, %x, %one : (!jit.tensor<[2],f32>, !jit.tensor, i64) -> !jit.tensor
  %sum = jit.unchecked_cast %y : !jit.tensor to !jit.tensor<[2],f32>
  jit.slot_set @total = %sum : !jit.tensor<[2],f32>
  return %y : !jit.tensor
})";
  auto session = Session::open(path, {});
  EXPECT_TRUE(session) << session.error().str();
  unlink(path.c_str());
  return session ? std::move(*session) : nullptr;
}

static std::vector<Value> ones() {
  Tensor tensor = *Tensor::allocate(ScalarType::Float, {2});
  std::fill_n(tensor.mutableAs<float>(), 2, 1.0f);
  return {tensor};
}

static float total(Session &session) {
  auto value = session.state("total");
  EXPECT_TRUE(value) << value.error().str();
  return value ? value->getIf<Tensor>()->as<float>()[0] : -1;
}

TEST(SessionAllocation, CallsFailWithAnErrorAndLeaveTheStateAlone) {
  auto session = open();
  ASSERT_TRUE(session);
  std::vector<Value> arguments = ones();
  ASSERT_TRUE(session->run("forward", arguments));
  float expected = 1;
  ErrorCode code = ErrorCode::Internal;
  failEachAllocation(
      [&] {
        auto result = session->run("forward", arguments);
        expected += result ? 1 : 0;
        code = result ? ErrorCode::Internal : result.error().code;
        return bool(result);
      },
      [&] { return code == ErrorCode::LimitExceeded; },
      [&] { return total(*session) == expected; });
}

/// MLIR and LLVM free nothing where they are left by an exception: a session compiles no more then,
/// and what it has compiled goes on.
TEST(SessionAllocation, CompilingFailsWithAnError) {
  std::vector<Value> arguments = ones(), second = {*Tensor::allocate(ScalarType::Float, {1})};
  ASSERT_TRUE(open()->run("forward", arguments));
  size_t failures = 0;
  for (size_t number = 1; number < 3000000; number += number / 2 + 1) {
    auto session = open();
    ASSERT_TRUE(session->run("forward", arguments));
    bool isDone = false, hasFailed = false;
    Error error;
    {
      FailingAllocation failing(number);
      auto result = session->run("forward", second);
      hasFailed = FailingAllocation::hasFailed();
      isDone = bool(result);
      if (!isDone)
        error = result.takeError();
    }
    failures += hasFailed;
    if (!isDone)
      EXPECT_EQ(error.code, ErrorCode::LimitExceeded) << number << ": " << error.str();
    EXPECT_TRUE(session->run("forward", arguments)) << number;
    auto again = session->run("forward", second);
    if (!again)
      EXPECT_EQ(again.error().code, ErrorCode::LimitExceeded) << again.error().str();
    if (!hasFailed)
      break;
  }
  EXPECT_GT(failures, 10u);
}

//===- OperatorsTest.cpp - sessions with a user's own operators -----------===//
#include "jit/Session/Session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include <unistd.h>

using namespace jit;
using namespace jit::runtime;

static constexpr const char *program = R"(
func.func @forward(%x: !jit.tensor, %by: f64) -> !jit.tensor {
  %0 = aten.custom %x, %by {signature = "test::scale(Tensor x, float by=2.0) -> Tensor"}
      : (!jit.tensor, f64) -> !jit.tensor
  return %0 : !jit.tensor
})";

namespace {
struct OperatorsTest : testing::Test {
  OperatorsTest()
      : folder(std::filesystem::temp_directory_path() /
               ("jit-operators-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "program.mlir") << program;
  }
  ~OperatorsTest() override { std::filesystem::remove_all(folder); }

  Result<std::unique_ptr<Session>> open(std::vector<std::string> operators) {
    SessionOptions options;
    options.threads = 1;
    options.operators = std::move(operators);
    return Session::open(folder / "program.mlir", options);
  }

  static Tensor numbers(int64_t count, float first) {
    auto tensor = Tensor::allocate(ScalarType::Float, {count});
    auto *data = static_cast<float *>(tensor->mutableData());
    for (int64_t i = 0; i < count; ++i)
      data[i] = first + float(i);
    return std::move(*tensor);
  }

  static float firstOf(const Value &value) {
    return *static_cast<const float *>(value.getIf<Tensor>()->data());
  }

  std::filesystem::path folder;
};
} // namespace

TEST_F(OperatorsTest, AFileSaysItsSchemas) {
  auto schemas = operatorsIn({JIT_TEST_OPERATORS});
  ASSERT_TRUE(schemas) << schemas.error().str();
  EXPECT_NE(std::find(schemas->begin(), schemas->end(), "test::mask(Tensor x) -> Tensor"),
            schemas->end());
}

TEST_F(OperatorsTest, NoTwoFilesHaveOneOperator) {
  auto schemas = operatorsIn({JIT_TEST_OPERATORS, JIT_TEST_OPERATORS});
  ASSERT_FALSE(schemas);
  EXPECT_EQ(schemas.error().code, ErrorCode::Malformed);
  EXPECT_NE(schemas.error().message.find("expected an operator of another name"),
            std::string::npos);
}

TEST_F(OperatorsTest, EachSessionHasItsOwn) {
  auto with = open({JIT_TEST_OPERATORS});
  ASSERT_TRUE(with) << with.error().str();
  auto without = open({});
  ASSERT_FALSE(without);
  EXPECT_NE(without.error().message.find("test::scale(Tensor x, float by=2.0) -> Tensor"),
            std::string::npos);
  std::vector<Value> args = {numbers(3, 1), 2.5};
  auto result = (*with)->run("forward", args);
  ASSERT_TRUE(result) << result.error().str();
  EXPECT_EQ(firstOf(*result), 2.5f);
}

TEST_F(OperatorsTest, ThreadsCallIt) {
  auto session = open({JIT_TEST_OPERATORS});
  ASSERT_TRUE(session) << session.error().str();
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int number = 0; number < 4; ++number)
    threads.emplace_back([&, number] {
      for (int i = 0; i < 50; ++i) {
        // Every other one is refused, each by a number of its own.
        double by = i % 2 ? -1 - number : 1 + number;
        std::vector<Value> args = {numbers(2 + number % 2, 3), by};
        auto result = (*session)->run("forward", args);
        std::string said = "got -" + std::to_string(1 + number);
        bool isRight = by < 0 ? !result && result.error().code == ErrorCode::Raised &&
                                    result.error().message.find(said) != std::string::npos
                              : result && firstOf(*result) == 3 * by;
        wrong += !isRight;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(OperatorsTest, ABackwardPassOutlivesItsSession) {
  auto session = open({JIT_TEST_OPERATORS});
  ASSERT_TRUE(session) << session.error().str();
  Tensor x = numbers(3, 1);
  x.setRequiresGrad(true);
  std::vector<Value> args = {std::move(x), 4.0};
  auto forward = (*session)->forward("forward", args);
  ASSERT_TRUE(forward) << forward.error().str();
  session->reset();
  std::vector<Value> seeds = {numbers(3, 1)};
  auto gradients = forward->backward(seeds);
  ASSERT_TRUE(gradients) << gradients.error().str();
  EXPECT_EQ(*static_cast<const float *>(gradients->front().value.data()), 4.0f);
}

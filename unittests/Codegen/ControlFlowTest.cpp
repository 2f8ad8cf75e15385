//===- ControlFlowTest.cpp - loops, branches and guards on data -----------===//
#include "CompiledModule.h"

#include <gtest/gtest.h>

using namespace jit;
using namespace jit::runtime;

/// Elementwise `%r = op(%a, %b)` on vectors of 8 floats.
static std::string binary(std::string result, std::string op, std::string a, std::string b) {
  return result + " = linalg.map { arith." + op + " } ins(" + a + ", " + b +
         " : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>)\n";
}

TEST(ControlFlow, LoopCarriesTensors) {
  CompiledModule module(R"(
    func.func @forward(%x: tensor<8xf32>, %n: i64) -> (tensor<8xf32>, tensor<8xf32>, i64) {
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      %e = tensor.empty() : tensor<8xf32>
      %r:3 = scf.for %i = %zero to %n step %one iter_args(%a = %x, %b = %x, %k = %zero)
          -> (tensor<8xf32>, tensor<8xf32>, i64) : i64 {
)" + binary("%s", "addf", "%a", "%b") +
                        R"(
        %k1 = arith.addi %k, %i : i64
        scf.yield %b, %s, %k1 : tensor<8xf32>, tensor<8xf32>, i64
      }
      return %r#0, %r#1, %r#2 : tensor<8xf32>, tensor<8xf32>, i64
    })");
  ASSERT_TRUE(module.valid()) << module.message();
  std::vector<float> x = {1, 2, 3, 4, 5, 6, 7, 8};
  Tensor input = floatTensor({8}, x);
  for (int64_t n : {0, 1, 2, 7}) {
    float a = 1, b = 1;
    for (int64_t i = 0; i < n; ++i)
      std::swap(a, b), b += a;
    auto results = module.run({input, n});
    ASSERT_TRUE(results);
    for (int i = 0; i < 8; ++i) {
      // a' = b, b' = a + b.
      float p = x[i], q = x[i];
      for (int64_t k = 0; k < n; ++k) {
        float s = p + q;
        p = q;
        q = s;
      }
      EXPECT_EQ((*results)[0].getIf<Tensor>()->as<float>()[i], p);
      EXPECT_EQ((*results)[1].getIf<Tensor>()->as<float>()[i], q);
    }
    EXPECT_EQ(*(*results)[2].getIf<int64_t>(), n * (n - 1) / 2);
  }
  EXPECT_EQ(std::vector<float>(input.as<float>(), input.as<float>() + 8), x);
}

TEST(ControlFlow, LoopSwapsAndSlices) {
  CompiledModule module(R"(
    func.func @forward(%x: tensor<8xf32>, %y: tensor<8xf32>, %n: i64) -> (tensor<8xf32>, tensor<8xf32>) {
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %x, %b = %y)
          -> (tensor<8xf32>, tensor<8xf32>) : i64 {
        %h = tensor.extract_slice %b[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
        %c = tensor.insert_slice %h into %b[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
        scf.yield %c, %a : tensor<8xf32>, tensor<8xf32>
      }
      return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
    })");
  ASSERT_TRUE(module.valid()) << module.message();
  std::vector<float> x = {1, 2, 3, 4, 5, 6, 7, 8}, y = {9, 10, 11, 12, 13, 14, 15, 16};
  auto results = module.run({floatTensor({8}, x), floatTensor({8}, y), int64_t(3)});
  ASSERT_TRUE(results);
  auto a = x, b = y;
  for (int k = 0; k < 3; ++k) {
    auto c = b;
    std::copy_n(b.begin(), 4, c.begin() + 4);
    b = a;
    a = c;
  }
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ((*results)[0].getIf<Tensor>()->as<float>()[i], a[i]);
    EXPECT_EQ((*results)[1].getIf<Tensor>()->as<float>()[i], b[i]);
  }
}

TEST(ControlFlow, BranchesOnData) {
  CompiledModule module(R"(
    func.func @forward(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
      %c0 = arith.constant 0 : index
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<8xf32>
      %first = tensor.extract %x[%c0] : tensor<8xf32>
      %positive = arith.cmpf ogt, %first, %zero : f32
      %r = scf.if %positive -> tensor<8xf32> {
)" + binary("%s", "addf", "%x", "%y") +
                        binary("%t", "mulf", "%s", "%s") + R"(
        scf.yield %t : tensor<8xf32>
      } else {
        scf.yield %y : tensor<8xf32>
      }
)" + binary("%u", "subf", "%r", "%x") +
                        R"(
      return %u : tensor<8xf32>
    })");
  ASSERT_TRUE(module.valid()) << module.message();
  for (float sign : {1.0f, -1.0f}) {
    std::vector<float> x(8, 3 * sign), y(8, 2), expected(8);
    for (int i = 0; i < 8; ++i)
      expected[i] = (sign > 0 ? (x[i] + y[i]) * (x[i] + y[i]) : y[i]) - x[i];
    EXPECT_EQ(module.floats({floatTensor({8}, x), floatTensor({8}, y)}), expected);
  }
}

TEST(ControlFlow, WhileOnData) {
  CompiledModule module(R"(
    func.func @forward(%x: tensor<8xf32>) -> (tensor<8xf32>, i64) {
      %c0 = arith.constant 0 : index
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      %limit = arith.constant 100.0 : f32
      %e = tensor.empty() : tensor<8xf32>
      %r:2 = scf.while (%a = %x, %k = %zero) : (tensor<8xf32>, i64) -> (tensor<8xf32>, i64) {
        %first = tensor.extract %a[%c0] : tensor<8xf32>
        %more = arith.cmpf olt, %first, %limit : f32
        scf.condition(%more) %a, %k : tensor<8xf32>, i64
      } do {
      ^bb0(%a: tensor<8xf32>, %k: i64):
)" + binary("%s", "addf", "%a", "%a") +
                        R"(
        %k1 = arith.addi %k, %one : i64
        scf.yield %s, %k1 : tensor<8xf32>, i64
      }
      return %r#0, %r#1 : tensor<8xf32>, i64
    })");
  ASSERT_TRUE(module.valid()) << module.message();
  auto results = module.run({floatTensor({8}, std::vector<float>(8, 3))});
  ASSERT_TRUE(results);
  EXPECT_EQ((*results)[0].getIf<Tensor>()->as<float>()[7], 192.0f);
  EXPECT_EQ(*(*results)[1].getIf<int64_t>(), 6);
}

TEST(ControlFlow, WhileForwardsOtherValues) {
  CompiledModule module(R"(
    func.func @forward(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, i64) {
      %c0 = arith.constant 0 : index
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      %limit = arith.constant 100.0 : f32
      %e = tensor.empty() : tensor<8xf32>
      %r:3 = scf.while (%k = %zero, %a = %x, %b = %y) : (i64, tensor<8xf32>, tensor<8xf32>)
          -> (tensor<8xf32>, tensor<8xf32>, i64) {
)" + binary("%s", "addf", "%a", "%b") +
                        R"(
        %first = tensor.extract %s[%c0] : tensor<8xf32>
        %more = arith.cmpf olt, %first, %limit : f32
        %k1 = arith.addi %k, %one : i64
        scf.condition(%more) %s, %a, %k1 : tensor<8xf32>, tensor<8xf32>, i64
      } do {
      ^bb0(%s: tensor<8xf32>, %a: tensor<8xf32>, %k: i64):
        scf.yield %k, %s, %a : i64, tensor<8xf32>, tensor<8xf32>
      }
      return %r#0, %r#1, %r#2 : tensor<8xf32>, tensor<8xf32>, i64
    })");
  ASSERT_TRUE(module.valid()) << module.message();
  auto results = module.run(
      {floatTensor({8}, std::vector<float>(8, 1)), floatTensor({8}, std::vector<float>(8, 1))});
  ASSERT_TRUE(results);
  // Fibonacci up to the first number of at least 100.
  EXPECT_EQ((*results)[0].getIf<Tensor>()->as<float>()[7], 144.0f);
  EXPECT_EQ((*results)[1].getIf<Tensor>()->as<float>()[7], 89.0f);
  EXPECT_EQ(*(*results)[2].getIf<int64_t>(), 10);
}

TEST(ControlFlow, GuardsStopFromAnywhere) {
  CompiledModule module(R"(
    func.func @forward(%x: tensor<4xf32>, %n: i64, %s: f64) -> tensor<4xf32> {
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      %three = arith.constant 3 : i64
      %ok = arith.cmpi sge, %n, %zero : i64
      jit.guard %ok, "builtins.ValueError", "expected n >= 0, got {} with {}"(%n, %s : i64, f64)
      %many = arith.cmpi sgt, %n, %three : i64
      scf.if %many {
        scf.for %i = %zero to %n step %one : i64 {
          %fine = arith.cmpi slt, %i, %three : i64
          jit.guard %fine, "builtins.RuntimeError", "step {} {}"(%i, %fine : i64, i1)
        }
      }
      return %x : tensor<4xf32>
    })");
  ASSERT_TRUE(module.valid()) << module.message();
  Tensor x = floatTensor({4}, {1, 2, 3, 4});
  EXPECT_TRUE(module.run({x, int64_t(3), 0.5}));
  auto negative = module.run({x, int64_t(-2), 0.5});
  ASSERT_FALSE(negative);
  EXPECT_EQ(negative.error().pythonClass, "builtins.ValueError");
  EXPECT_EQ(negative.error().message, "expected n >= 0, got -2 with 0.5");
  auto inner = module.run({x, int64_t(9), 0.5});
  ASSERT_FALSE(inner);
  EXPECT_EQ(inner.error().pythonClass, "builtins.RuntimeError");
  EXPECT_EQ(inner.error().message, "step 3 False");
}

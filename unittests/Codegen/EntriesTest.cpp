//===- EntriesTest.cpp - weights, scalars, booleans, refusals -------------===//
#include "CompiledModule.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace jit;
using namespace jit::runtime;

TEST(Entries, FoldedWeightsAreComputedOnce) {
  CompiledModule module(
      R"(
    func.func @forward(%x: tensor<4xf32>, %v: tensor<4xf32> {jit.weight = "bn.var"},
                       %unused: tensor<2xf32> {jit.weight = "bn.unused"}) -> tensor<4xf32> {
      %e = tensor.empty() : tensor<4xf32>
      %r = linalg.map { math.rsqrt } ins(%v : tensor<4xf32>) outs(%e : tensor<4xf32>)
      %y = linalg.map { arith.mulf } ins(%x, %r : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>)
      return %y : tensor<4xf32>
    })",
      {{"bn.var", floatTensor({4}, {1, 4, 16, 64})}, {"bn.unused", floatTensor({2}, {0, 0})}});
  ASSERT_TRUE(module.valid()) << module.message();
  EXPECT_NE(module.entry().init, nullptr);
  EXPECT_EQ(module.entry().packedBytes, std::vector<int64_t>{16});
  std::vector<float> expected = {1, 1, 1, 1};
  EXPECT_LT(distance(module.floats({floatTensor({4}, {1, 2, 4, 8})}), expected), 1e-6f);
}

TEST(Entries, ScalarsGoInAndOut) {
  CompiledModule module(R"(
    func.func @forward(%a: i64, %b: f64, %c: i1) -> (i64, f64, i1) {
      %one = arith.constant 1 : i64
      %n = arith.addi %a, %one : i64
      %d = arith.addf %b, %b : f64
      %true = arith.constant true
      %not = arith.xori %c, %true : i1
      return %n, %d, %not : i64, f64, i1
    })");
  ASSERT_TRUE(module.valid()) << module.message();
  auto results = module.run({int64_t(41), 1.25, true});
  ASSERT_TRUE(results);
  EXPECT_EQ(*(*results)[0].getIf<int64_t>(), 42);
  EXPECT_EQ(*(*results)[1].getIf<double>(), 2.5);
  EXPECT_EQ(*(*results)[2].getIf<bool>(), false);
}

TEST(Entries, BooleansAreBytes) {
  CompiledModule module(R"(
    #id = affine_map<(i) -> (i)>
    func.func @forward(%x: tensor<100xf32>, %m: tensor<100xi1>) -> (tensor<100xi1>, tensor<100xf32>) {
      %table = arith.constant dense<true> : tensor<100xi1>
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<100xi1>
      %f = tensor.empty() : tensor<100xf32>
      %p = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
          ins(%x, %m, %table : tensor<100xf32>, tensor<100xi1>, tensor<100xi1>) outs(%e : tensor<100xi1>) {
      ^bb0(%a: f32, %b: i1, %t: i1, %o: i1):
        %c = arith.cmpf ogt, %a, %zero : f32
        %d = arith.andi %b, %c : i1
        %g = arith.andi %d, %t : i1
        linalg.yield %g : i1
      } -> tensor<100xi1>
      %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
          ins(%x, %p : tensor<100xf32>, tensor<100xi1>) outs(%f : tensor<100xf32>) {
      ^bb0(%a: f32, %b: i1, %o: f32):
        %c = arith.select %b, %a, %zero : f32
        linalg.yield %c : f32
      } -> tensor<100xf32>
      return %p, %s : tensor<100xi1>, tensor<100xf32>
    })");
  ASSERT_TRUE(module.valid()) << module.message();
  std::vector<float> x = noise(100, 11);
  auto mask = Tensor::allocate(ScalarType::Bool, {100});
  for (int i = 0; i < 100; ++i)
    mask->mutableAs<uint8_t>()[i] = i % 3 != 0;
  auto results = module.run({floatTensor({100}, x), *mask});
  ASSERT_TRUE(results);
  for (int i = 0; i < 100; ++i) {
    bool expected = i % 3 != 0 && x[i] > 0;
    EXPECT_EQ((*results)[0].getIf<Tensor>()->as<uint8_t>()[i], expected);
    EXPECT_EQ((*results)[1].getIf<Tensor>()->as<float>()[i], expected ? x[i] : 0);
  }
}

TEST(Entries, EmptyTensorsAndPlainCopies) {
  CompiledModule module(R"(
    func.func @forward(%x: tensor<0x3xf32>, %y: tensor<3xf32>) -> (tensor<0x3xf32>, tensor<3xf32>, tensor<3xf32>) {
      %e = tensor.empty() : tensor<0x3xf32>
      %r = linalg.map { arith.negf } ins(%x : tensor<0x3xf32>) outs(%e : tensor<0x3xf32>)
      return %r, %y, %y : tensor<0x3xf32>, tensor<3xf32>, tensor<3xf32>
    })");
  ASSERT_TRUE(module.valid()) << module.message();
  auto results = module.run({floatTensor({0, 3}, {}), floatTensor({3}, {1, 2, 3})});
  ASSERT_TRUE(results);
  EXPECT_EQ((*results)[2].getIf<Tensor>()->as<float>()[2], 3.0f);
}

TEST(Entries, HalfPrecision) {
  CompiledModule module(R"(
    func.func @forward(%x: tensor<40xf32>) -> tensor<40xf32> {
      %e = tensor.empty() : tensor<40xf32>
      %h = tensor.empty() : tensor<40xf16>
      %b = tensor.empty() : tensor<40xbf16>
      %n = linalg.map { arith.truncf } ins(%x : tensor<40xf32>) outs(%h : tensor<40xf16>)
      %t = linalg.map { math.tanh } ins(%n : tensor<40xf16>) outs(%h : tensor<40xf16>)
      %w = linalg.map { arith.extf } ins(%t : tensor<40xf16>) outs(%e : tensor<40xf32>)
      %c = linalg.map { arith.truncf } ins(%w : tensor<40xf32>) outs(%b : tensor<40xbf16>)
      %d = linalg.map { arith.extf } ins(%c : tensor<40xbf16>) outs(%e : tensor<40xf32>)
      return %d : tensor<40xf32>
    })");
  ASSERT_TRUE(module.valid()) << module.message();
  std::vector<float> x = noise(40, 13), expected(40);
  for (int i = 0; i < 40; ++i)
    expected[i] = std::tanh(x[i]);
  EXPECT_LT(distance(module.floats({floatTensor({40}, x)}), expected), 5e-3f);
}

TEST(Entries, RefusesWhatItCannotCompile) {
  CompiledModule unranked("func.func @forward(%x: tensor<*xf32>) -> i64 {\n"
                          "  %n = arith.constant 0 : i64\n  return %n : i64\n}");
  EXPECT_FALSE(unranked.valid());
  EXPECT_NE(unranked.message().find("expected a tensor, i64, f64 or i1"), std::string::npos)
      << unranked.message();
}

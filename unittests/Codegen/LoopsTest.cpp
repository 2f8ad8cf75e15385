//===- LoopsTest.cpp - elementwise ops, reductions and products -----------===//
#include "CompiledModule.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace jit;
using namespace jit::codegen;
using namespace jit::runtime;

TEST(Loops, AddAndReluFuse) {
  CompiledModule module(R"(
    func.func @forward(%x: tensor<3x5xf32>, %y: tensor<5xf32>) -> tensor<3x5xf32> {
      %e = tensor.empty() : tensor<3x5xf32>
      %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
          affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
          ins(%x, %y : tensor<3x5xf32>, tensor<5xf32>) outs(%e : tensor<3x5xf32>) {
      ^bb0(%a: f32, %b: f32, %o: f32):
        %c = arith.addf %a, %b : f32
        linalg.yield %c : f32
      } -> tensor<3x5xf32>
      %zero = arith.constant 0.0 : f32
      %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
          iterator_types = ["parallel", "parallel"]}
          ins(%s : tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) {
      ^bb0(%a: f32, %o: f32):
        %m = arith.maximumf %a, %zero : f32
        linalg.yield %m : f32
      } -> tensor<3x5xf32>
      return %r : tensor<3x5xf32>
    })");
  ASSERT_TRUE(module.valid()) << module.message();
  EXPECT_EQ(module.entry().arenaBytes, 0);
  std::vector<float> x = noise(15, 1), y = noise(5, 2), expected(15);
  for (int i = 0; i < 15; ++i)
    expected[i] = std::max(0.0f, x[i] + y[i % 5]);
  EXPECT_EQ(module.floats({floatTensor({3, 5}, x), floatTensor({5}, y)}), expected);
}

TEST(Loops, Softmax) {
  CompiledModule module(R"(
    func.func @forward(%x: tensor<7x130xf32>) -> tensor<7x130xf32> {
      %e = tensor.empty() : tensor<7x130xf32>
      %s = linalg.softmax dimension(1) ins(%x : tensor<7x130xf32>) outs(%e : tensor<7x130xf32>)
        -> tensor<7x130xf32>
      return %s : tensor<7x130xf32>
    })");
  ASSERT_TRUE(module.valid()) << module.message();
  std::vector<float> x = noise(7 * 130, 3), expected(7 * 130);
  for (float &value : x)
    value *= 5;
  for (int i = 0; i < 7; ++i) {
    double sum = 0;
    for (int j = 0; j < 130; ++j)
      sum += std::exp(double(x[i * 130 + j]));
    for (int j = 0; j < 130; ++j)
      expected[i * 130 + j] = static_cast<float>(std::exp(double(x[i * 130 + j])) / sum);
  }
  EXPECT_LT(distance(module.floats({floatTensor({7, 130}, x)}), expected), 1e-6f);
}

TEST(Loops, Matmul) {
  CompiledModule module(R"(
    func.func @forward(%a: tensor<9x33xf32>, %b: tensor<33x17xf32>) -> tensor<9x17xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<9x17xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<9x17xf32>) -> tensor<9x17xf32>
      %r = linalg.matmul ins(%a, %b : tensor<9x33xf32>, tensor<33x17xf32>)
          outs(%f : tensor<9x17xf32>) -> tensor<9x17xf32>
      return %r : tensor<9x17xf32>
    })");
  ASSERT_TRUE(module.valid()) << module.message();
  std::vector<float> a = noise(9 * 33, 4), b = noise(33 * 17, 5), expected(9 * 17);
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 17; ++j)
      for (int k = 0; k < 33; ++k)
        expected[i * 17 + j] += a[i * 33 + k] * b[k * 17 + j];
  EXPECT_LT(distance(module.floats({floatTensor({9, 33}, a), floatTensor({33, 17}, b)}), expected),
            1e-5f);
}

TEST(Loops, PaddedConvolution) {
  CompiledModule module(R"(
    func.func @forward(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32> {jit.weight = "w"})
        -> tensor<1x4x8x8xf32> {
      %zero = arith.constant 0.0 : f32
      %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
      ^bb0(%i: index, %j: index, %k: index, %l: index):
        tensor.yield %zero : f32
      } : tensor<1x3x8x8xf32> to tensor<1x3x10x10xf32>
      %e = tensor.empty() : tensor<1x4x8x8xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
      %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
          ins(%p, %w : tensor<1x3x10x10xf32>, tensor<4x3x3x3xf32>)
          outs(%f : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
      return %r : tensor<1x4x8x8xf32>
    })",
                        {{"w", floatTensor({4, 3, 3, 3}, noise(108, 7))}});
  ASSERT_TRUE(module.valid()) << module.message();
  std::vector<float> x = noise(192, 6), w = noise(108, 7), expected(256);
  for (int o = 0; o < 4; ++o)
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 8; ++j)
        for (int c = 0; c < 3; ++c)
          for (int h = 0; h < 3; ++h)
            for (int v = 0; v < 3; ++v) {
              int y = i + h - 1, z = j + v - 1;
              if (y >= 0 && y < 8 && z >= 0 && z < 8)
                expected[(o * 8 + i) * 8 + j] +=
                    x[(c * 8 + y) * 8 + z] * w[((o * 3 + c) * 3 + h) * 3 + v];
            }
  EXPECT_LT(distance(module.floats({floatTensor({1, 3, 8, 8}, x)}), expected), 1e-5f);
}

TEST(Loops, ColumnSumsAndArgmax) {
  CompiledModule module(R"(
    func.func @forward(%x: tensor<6x20xf32>) -> (tensor<20xf32>, tensor<6xi64>) {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<20xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<20xf32>) -> tensor<20xf32>
      %s = linalg.reduce { arith.addf } ins(%x : tensor<6x20xf32>) outs(%f : tensor<20xf32>) dimensions = [0]
      %low = arith.constant 0xFF800000 : f32
      %first = arith.constant 0 : i64
      %me = tensor.empty() : tensor<6xf32>
      %ie = tensor.empty() : tensor<6xi64>
      %mf = linalg.fill ins(%low : f32) outs(%me : tensor<6xf32>) -> tensor<6xf32>
      %if = linalg.fill ins(%first : i64) outs(%ie : tensor<6xi64>) -> tensor<6xi64>
      %m:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
          affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<6x20xf32>) outs(%mf, %if : tensor<6xf32>, tensor<6xi64>) {
      ^bb0(%a: f32, %best: f32, %at: i64):
        %j = linalg.index 1 : index
        %j64 = arith.index_cast %j : index to i64
        %more = arith.cmpf ogt, %a, %best : f32
        %v = arith.select %more, %a, %best : f32
        %p = arith.select %more, %j64, %at : i64
        linalg.yield %v, %p : f32, i64
      } -> (tensor<6xf32>, tensor<6xi64>)
      return %s, %m#1 : tensor<20xf32>, tensor<6xi64>
    })");
  ASSERT_TRUE(module.valid()) << module.message();
  std::vector<float> x = noise(120, 8);
  auto results = module.run({floatTensor({6, 20}, x)});
  ASSERT_TRUE(results);
  for (int j = 0; j < 20; ++j) {
    float sum = 0;
    for (int i = 0; i < 6; ++i)
      sum += x[i * 20 + j];
    EXPECT_NEAR((*results)[0].getIf<Tensor>()->as<float>()[j], sum, 1e-5f);
  }
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ((*results)[1].getIf<Tensor>()->as<int64_t>()[i],
              std::max_element(&x[i * 20], &x[i * 20] + 20) - &x[i * 20]);
}

TEST(Loops, LargeLoopsRunOnThreads) {
  CodegenOptions options;
  options.parallelThreshold = 1;
  CompiledModule module(R"(
    func.func @forward(%x: tensor<50x70xf32>, %n: f64) -> tensor<70x50xf32> {
      %e = tensor.empty() : tensor<70x50xf32>
      %f = arith.truncf %n : f64 to f32
      %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
          iterator_types = ["parallel", "parallel"]}
          ins(%x : tensor<50x70xf32>) outs(%e : tensor<70x50xf32>) {
      ^bb0(%a: f32, %o: f32):
        %c = arith.mulf %a, %f : f32
        linalg.yield %c : f32
      } -> tensor<70x50xf32>
      return %r : tensor<70x50xf32>
    })",
                        {}, options);
  ASSERT_TRUE(module.valid()) << module.message();
  std::vector<float> x = noise(3500, 9), expected(3500);
  for (int i = 0; i < 70; ++i)
    for (int j = 0; j < 50; ++j)
      expected[i * 50 + j] = 2 * x[j * 70 + i];
  EXPECT_EQ(module.floats({floatTensor({50, 70}, x), 2.0}), expected);
}

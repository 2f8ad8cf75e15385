//===- MathTest.cpp - polynomials against the C library -------------------===//
#include "CompiledModule.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace jit;

namespace {
struct Function {
  const char *name;
  double (*reference)(double);
  /// Arguments are taken from [low, high].
  double low, high;
};
} // namespace

static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
static double rsqrt(double x) { return 1 / std::sqrt(x); }

/// A module that applies `math.NAME`, or a sigmoid spelled out, to 1000 elements.
static std::string moduleFor(const std::string &name) {
  std::string body = "%r = math." + name + " %a : f32\n";
  if (name == "sigmoid")
    body = "%one = arith.constant 1.0 : f32\n%n = arith.negf %a : f32\n%p = math.exp %n : f32\n"
           "%s = arith.addf %p, %one : f32\n%r = arith.divf %one, %s : f32\n";
  return "#id = affine_map<(i) -> (i)>\n"
         "func.func @forward(%x: tensor<1000xf32>) -> tensor<1000xf32> {\n"
         "%e = tensor.empty() : tensor<1000xf32>\n"
         "%y = linalg.generic {indexing_maps = [#id, #id], iterator_types = [\"parallel\"]}\n"
         "    ins(%x : tensor<1000xf32>) outs(%e : tensor<1000xf32>) {\n"
         "^bb0(%a: f32, %o: f32):\n" +
         body +
         "linalg.yield %r : f32\n} -> tensor<1000xf32>\n"
         "return %y : tensor<1000xf32>\n}";
}

class Accuracy : public testing::TestWithParam<Function> {};

TEST_P(Accuracy, StaysWithinAFewUlp) {
  Function function = GetParam();
  CompiledModule module(moduleFor(function.name));
  ASSERT_TRUE(module.valid()) << module.message();
  std::vector<float> x = noise(1000, 12);
  for (float &value : x)
    value = static_cast<float>(function.low + (function.high - function.low) * (value + 1) / 2);
  std::vector<float> result = module.floats({floatTensor({1000}, x)});
  ASSERT_EQ(result.size(), 1000u);
  double worst = 0;
  for (int i = 0; i < 1000; ++i) {
    double expected = function.reference(x[i]);
    double ulp = std::abs(expected) * std::pow(2.0, -23) + 1e-44;
    worst = std::max(worst, std::abs(result[i] - expected) / ulp);
  }
  EXPECT_LT(worst, 5.0);
}

TEST_P(Accuracy, HandlesSpecialValues) {
  Function function = GetParam();
  CompiledModule module(moduleFor(function.name));
  ASSERT_TRUE(module.valid()) << module.message();
  float infinity = std::numeric_limits<float>::infinity();
  std::vector<float> x(1000, 0.5f);
  std::vector<float> special = {0.0f,          -0.0f, infinity, -infinity,
                                std::nanf(""), -1.0f, 100.0f,   -100.0f};
  std::copy(special.begin(), special.end(), x.begin());
  std::vector<float> result = module.floats({floatTensor({1000}, x)});
  ASSERT_EQ(result.size(), 1000u);
  for (size_t i = 0; i < special.size(); ++i) {
    float expected = static_cast<float>(function.reference(special[i]));
    if (std::isnan(expected))
      EXPECT_TRUE(std::isnan(result[i])) << "at " << special[i] << " got " << result[i];
    else if (std::isinf(expected))
      EXPECT_EQ(result[i], expected) << "at " << special[i];
    else
      EXPECT_NEAR(result[i], expected, std::abs(expected) * 1e-6 + 1e-37) << "at " << special[i];
  }
}

INSTANTIATE_TEST_SUITE_P(
    Math, Accuracy,
    testing::Values(Function{"exp", std::exp, -80, 80}, Function{"expm1", std::expm1, -2, 2},
                    Function{"log", std::log, 1e-3, 50}, Function{"log1p", std::log1p, -0.9, 50},
                    Function{"log2", std::log2, 1e-3, 50}, Function{"tanh", std::tanh, -9, 9},
                    Function{"erf", std::erf, -4, 4}, Function{"sigmoid", sigmoid, -20, 20},
                    Function{"sin", std::sin, -10, 10}, Function{"cos", std::cos, -1e5, 1e5},
                    Function{"sinh", std::sinh, -8, 8}, Function{"atan", std::atan, -8, 8},
                    Function{"tan", std::tan, -8, 8}, Function{"asin", std::asin, -1, 1},
                    Function{"sqrt", std::sqrt, 0, 50}, Function{"rsqrt", rsqrt, 1e-3, 50}),
    [](const testing::TestParamInfo<Function> &info) { return std::string(info.param.name); });

//===- ProductsTest.cpp - products against plain loops --------------------===//
#include "ProductText.h"

#include <gtest/gtest.h>

using namespace jit;

/// Sums of k terms in [-1, 1) in blocks: a few units in the last place times sqrt(k).
static constexpr double tolerance = 4e-6;

template <typename Product> static void expectRight(const std::vector<Product> &products) {
  for (const Product &product : products) {
    std::string message;
    double error = errorOf(product, message);
    EXPECT_LT(error, tolerance) << describe(product) << "\n" << message;
  }
}

TEST(Products, RaggedMatmuls) {
  expectRight<Matmul>({{1, 1, 1},
                       {1, 7, 3},
                       {2, 16, 5, true},
                       {3, 17, 16},
                       {5, 31, 64, true},
                       {7, 33, 29},
                       {13, 1, 40, true},
                       {14, 64, 1},
                       {15, 48, 70, true},
                       {29, 70, 31},
                       {64, 65, 66, true},
                       {70, 70, 70}});
}

TEST(Products, OperandsThatChange) {
  expectRight<Matmul>({{1, 40, 37, true, Fixed::None},
                       {17, 1, 130, false, Fixed::None},
                       {33, 34, 35, false, Fixed::None},
                       {64, 64, 64, true, Fixed::None},
                       {70, 61, 50, true, Fixed::None},
                       {40, 70, 30, false, Fixed::Left},
                       {65, 3, 20, true, Fixed::Left},
                       {33, 1, 70, true, Fixed::Left}});
}

TEST(Products, LongSums) {
  expectRight<Matmul>({{1, 100, 9216, true},
                       {9, 40, 4099},
                       {3, 8, 5000, true, Fixed::None},
                       {200, 300, 2050, true, Fixed::None},
                       {40, 70, 20011},
                       {33, 100, 20000, false, Fixed::None}});
}

TEST(Products, Strides) {
  expectRight<Conv>({{1, 3, 9, 9, 20, 3, 3, 1, 1},
                     {2, 5, 12, 17, 33, 3, 2, 2, 1},
                     {1, 4, 15, 14, 16, 5, 5, 3, 2},
                     {1, 2, 20, 21, 7, 4, 4, 4, 0},
                     {1, 6, 8, 8, 70, 1, 1, 2, 0},
                     {2, 7, 5, 6, 48, 1, 1}});
}

TEST(Products, Dilations) {
  expectRight<Conv>({{1, 3, 12, 13, 20, 3, 3, 1, 2, 2}, {1, 8, 0, 40, 24, 1, 5, 2, 4, 2}});
}

TEST(Products, Groups) {
  expectRight<Conv>({{1, 6, 9, 10, 8, 3, 3, 1, 1, 1, 2},
                     {2, 12, 7, 7, 96, 3, 3, 2, 1, 1, 3},
                     {1, 9, 20, 37, 9, 3, 3, 1, 1, 1, 9},
                     {1, 4, 21, 40, 4, 3, 3, 2, 1, 1, 4},
                     {1, 4, 30, 31, 4, 5, 5, 3, 2, 1, 4}});
}

TEST(Products, Lines) {
  expectRight<Conv>({{1, 1, 0, 640, 258, 1, 256, 128},
                     {1, 129, 0, 4, 128, 1, 3, 1, 1},
                     {1, 128, 0, 4, 64, 1, 3, 2, 1},
                     {1, 64, 0, 2, 64, 1, 3, 2, 1},
                     {1, 64, 0, 1, 128, 1, 3, 1, 1},
                     {1, 128, 0, 1, 1, 1, 1}});
}

TEST(Products, WhatStandsAround) {
  for (Around around : {Around::Zero, Around::Bias}) {
    expectRight<Matmul>({{17, 40, 30, true, Fixed::Right, around},
                         {1, 70, 33, true, Fixed::Right, around},
                         {30, 35, 20, false, Fixed::Left, around},
                         {9, 40, 4099, false, Fixed::Right, around},
                         {20, 1, 64, true, Fixed::None, around}});
    expectRight<Conv>({{2, 5, 12, 17, 33, 3, 3, 1, 1, 1, 1, around},
                       {1, 4, 9, 21, 4, 3, 3, 2, 1, 1, 4, around},
                       {1, 8, 9, 9, 20, 3, 3, 1, 1, 1, 2, around},
                       {1, 16, 0, 1, 24, 1, 1, 1, 0, 1, 1, around}});
  }
}

TEST(Products, Networks) {
  expectRight<Conv>({{1, 3, 224, 224, 64, 11, 11, 4, 2},
                     {1, 64, 27, 27, 192, 5, 5, 1, 2},
                     {1, 192, 13, 13, 384, 3, 3, 1, 1},
                     {1, 64, 28, 28, 64, 3, 3, 1, 1},
                     {1, 3, 64, 64, 64, 7, 7, 2, 3},
                     {1, 256, 7, 7, 512, 1, 1, 2}});
  expectRight<Matmul>({{1, 512, 128, true}, {4, 1000, 512, true}});
}

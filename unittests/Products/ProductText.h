//===- ProductText.h - products as MLIR and as plain loops ------*- C++ -*-===//
#ifndef JIT_UNITTESTS_PRODUCTS_PRODUCTTEXT_H
#define JIT_UNITTESTS_PRODUCTS_PRODUCTTEXT_H

#include "../Codegen/CompiledModule.h"

namespace jit {

/// Which operand of a product is a weight.
enum class Fixed { None, Left, Right };

/// What stands around a product: it adds to a given output; or it starts from zero or a bias of
/// each of its columns or channels, and max(0, sum) + residual + bias is the result.
enum class Around { Output, Zero, Bias };

/// out[m, n] += sum of a[m, k] * b[k, n]; b may be given as [n, k].
struct Matmul {
  int64_t m, n, k;
  bool transposed = false;
  Fixed fixed = Fixed::Right;
  Around around = Around::Output;
};

/// A convolution as PyTorch defines it; `h` zero: one spatial dimension.
struct Conv {
  int64_t n, inChannels, h, w, outChannels, kh, kw;
  int64_t stride = 1, pad = 0, dilation = 1, groups = 1;
  Around around = Around::Output;
};

/// Compiles the product, runs it on noise and returns its largest distance from plain loops in
/// double precision, divided by the square root of the length of its sums. Infinite where it does
/// not compile or run; `message` then says why.
double errorOf(const Matmul &product, std::string &message);
double errorOf(const Conv &product, std::string &message);

/// "3x5x7", for messages.
std::string describe(const Matmul &product);
std::string describe(const Conv &product);

} // namespace jit

#endif // JIT_UNITTESTS_PRODUCTS_PRODUCTTEXT_H

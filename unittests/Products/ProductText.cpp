//===- ProductText.cpp - products as MLIR and as plain loops --------------===//
#include "ProductText.h"

#include <cmath>
#include <limits>
#include <sstream>

using namespace jit;
using namespace jit::runtime;

static std::string type(const std::vector<int64_t> &sizes) {
  std::ostringstream text;
  text << "tensor<";
  for (int64_t size : sizes)
    text << size << "x";
  text << "f32>";
  return text.str();
}

static size_t count(const std::vector<int64_t> &sizes) {
  size_t product = 1;
  for (int64_t size : sizes)
    product *= size;
  return product;
}

namespace {
/// One product, ready to be compiled: `body` computes %p from %x, %w and the output's init %i.
struct Case {
  std::vector<int64_t> x, w, out;
  Fixed fixed;
  Around around;
  size_t channel; ///< the dimension of `out` that a bias has
  std::string body;
};
} // namespace

/// What comes before and after the product: %i from nothing or %b, and %r from the product's %p.
static std::pair<std::string, std::string> surroundings(const Case &test) {
  if (test.around == Around::Output)
    return {"", ""};
  std::string out = type(test.out), bias = type({test.out[test.channel]});
  std::string dims = std::string("a, b, c, d").substr(0, 3 * test.out.size() - 2), kinds;
  for (size_t i = 0; i < test.out.size(); ++i)
    kinds += i ? ", \"parallel\"" : "\"parallel\"";
  std::string same = "affine_map<(" + dims + ") -> (" + dims + ")>";
  std::string channel = "affine_map<(" + dims + ") -> (" + dims.substr(3 * test.channel, 1) + ")>";
  std::string before = "  %e = tensor.empty() : " + out + "\n";
  if (test.around == Around::Zero)
    before += "  %i = linalg.fill ins(%zero : f32) outs(%e : " + out + ") -> " + out + "\n";
  else
    before += "  %i = linalg.generic {indexing_maps = [" + channel + ", " + same +
              "], iterator_types = [" + kinds + "]} ins(%bias : " + bias + ") outs(%e : " + out +
              ") {\n  ^bb0(%u: f32, %v: f32):\n    linalg.yield %u : f32\n  } -> " + out + "\n";
  std::string after = "  %r = linalg.generic {indexing_maps = [" + same + ", " + same + ", " +
                      channel + ", " + same + "], iterator_types = [" + kinds +
                      "]} ins(%p, %residual, %bias : " + out + ", " + out + ", " + bias +
                      ") outs(%e : " + out +
                      ") {\n  ^bb0(%u: f32, %v: f32, %w1: f32, %x1: f32):\n"
                      "    %m = arith.maximumf %u, %zero : f32\n    %s1 = arith.addf %m, %v : f32\n"
                      "    %s2 = arith.addf %s1, %w1 : f32\n    linalg.yield %s2 : f32\n  } -> " +
                      out + "\n";
  return {before, after};
}

/// What the product's sums, which started from `init` or zero, become.
static void finish(const Case &test, const std::vector<float> &residual,
                   const std::vector<float> &bias, std::vector<double> &sums) {
  if (test.around == Around::Output)
    return;
  size_t inner = 1;
  for (size_t i = test.channel + 1; i < test.out.size(); ++i)
    inner *= test.out[i];
  for (size_t i = 0; i < sums.size(); ++i) {
    double own = bias[i / inner % bias.size()];
    if (test.around == Around::Bias)
      sums[i] += own;
    sums[i] = std::max(0.0, sums[i]) + residual[i] + own;
  }
}

static double worst(const std::vector<float> &got, const std::vector<double> &expected,
                    double terms) {
  if (got.size() != expected.size())
    return std::numeric_limits<double>::infinity();
  double error = 0;
  for (size_t i = 0; i < got.size(); ++i)
    if (!(std::abs(got[i] - expected[i]) <= error))
      error = std::isnan(got[i]) ? std::numeric_limits<double>::infinity()
                                 : std::abs(got[i] - expected[i]);
  return error / std::sqrt(terms);
}

/// The largest error of the compiled case; `sums` are the product of `x` and `w` alone.
static double measure(const Case &test, const std::vector<float> &x, const std::vector<float> &w,
                      std::vector<double> sums, double terms, std::string &message) {
  std::vector<float> extra = noise(count(test.out), 3);
  std::vector<float> bias = noise(test.out[test.channel], 4);
  if (test.around == Around::Output)
    for (size_t i = 0; i < sums.size(); ++i)
      sums[i] += extra[i];
  finish(test, extra, bias, sums);

  bool plain = test.around == Around::Output;
  std::map<std::string, Tensor> weights;
  std::vector<Value> inputs;
  std::ostringstream text;
  auto argument = [&](const char *name, const std::vector<int64_t> &sizes,
                      const std::vector<float> &values, bool fixed) {
    text << (weights.empty() && inputs.empty() ? "%" : ", %") << name << ": " << type(sizes);
    if (fixed) {
      text << " {jit.weight = \"" << name << "\"}";
      weights.emplace(name, floatTensor(sizes, values));
    } else {
      inputs.push_back(floatTensor(sizes, values));
    }
  };
  text << "func.func @forward(";
  argument("x", test.x, x, test.fixed == Fixed::Left);
  argument("w", test.w, w, test.fixed == Fixed::Right);
  argument(plain ? "i" : "residual", test.out, extra, false);
  argument("bias", {test.out[test.channel]}, bias, true);
  auto [before, after] = surroundings(test);
  text << ") -> " << type(test.out) << " {\n  %zero = arith.constant 0.0 : f32\n"
       << before << test.body << after << "  return " << (plain ? "%p" : "%r") << " : "
       << type(test.out) << "\n}\n";
  CompiledModule module(text.str(), weights);
  std::vector<float> result = module.floats(inputs);
  message = module.message();
  return worst(result, sums, terms);
}

double jit::errorOf(const Matmul &p, std::string &message) {
  Case test{{p.m, p.k}, {p.k, p.n}, {p.m, p.n}, p.fixed, p.around, 1, ""};
  if (p.transposed)
    test.w = {p.n, p.k};
  std::ostringstream body;
  body << "  %p = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, "
       << "affine_map<(m, n, k) -> " << (p.transposed ? "(n, k)" : "(k, n)")
       << ">, affine_map<(m, n, k) -> (m, n)>], "
       << "iterator_types = [\"parallel\", \"parallel\", \"reduction\"]} ins(%x, %w : "
       << type(test.x) << ", " << type(test.w) << ") outs(%i : " << type(test.out) << ") {\n"
       << "  ^bb0(%a: f32, %b: f32, %c: f32):\n    %t = arith.mulf %a, %b : f32\n"
       << "    %s = arith.addf %c, %t : f32\n    linalg.yield %s : f32\n  } -> " << type(test.out)
       << "\n";
  test.body = body.str();

  std::vector<float> x = noise(count(test.x), 1), w = noise(count(test.w), 2);
  std::vector<double> expected(count(test.out));
  for (int64_t i = 0; i < p.m; ++i)
    for (int64_t j = 0; j < p.n; ++j)
      for (int64_t k = 0; k < p.k; ++k)
        expected[i * p.n + j] +=
            double(x[i * p.k + k]) * w[p.transposed ? j * p.k + k : k * p.n + j];
  return measure(test, x, w, expected, p.k, message);
}

/// The op, its input padded; grouped convolutions split the channel dimensions first.
static std::string convBody(const Conv &p, const Case &test, const std::vector<int64_t> &padded) {
  bool line = p.h == 0;
  std::ostringstream body;
  std::string input = "%x";
  if (p.pad != 0) {
    std::ostringstream edge;
    edge << "[0, 0, " << p.pad;
    if (!line)
      edge << ", " << p.pad;
    edge << "]";
    body << "  %pad = tensor.pad %x low" << edge.str() << " high" << edge.str() << " {\n  ^bb0("
         << (line ? "%a: index, %b: index, %c: index"
                  : "%a: index, %b: index, %c: index, %d: index")
         << "):\n    tensor.yield %zero : f32\n  } : " << type(test.x) << " to " << type(padded)
         << "\n";
    input = "%pad";
  }
  std::ostringstream attributes;
  const char *rank = line ? "1" : "2";
  attributes << "{strides = dense<" << p.stride << "> : tensor<" << rank
             << "xi64>, dilations = dense<" << p.dilation << "> : tensor<" << rank << "xi64>}";
  auto op = [&](const char *name, const std::string &in, const std::string &w,
                const std::string &out, const std::vector<int64_t> &inType,
                const std::vector<int64_t> &wType, const std::vector<int64_t> &outType) {
    body << name << " " << attributes.str() << " ins(" << in << ", " << w << " : " << type(inType)
         << ", " << type(wType) << ") outs(" << out << " : " << type(outType) << ") -> "
         << type(outType) << "\n";
  };
  if (p.groups == 1) {
    op(line ? "  %p = linalg.conv_1d_ncw_fcw" : "  %p = linalg.conv_2d_nchw_fchw", input, "%w",
       "%i", padded, test.w, test.out);
    return body.str();
  }
  if (p.groups == p.inChannels && p.groups == p.outChannels) {
    std::vector<int64_t> flat = {p.outChannels, p.kh, p.kw};
    body << "  %f = tensor.collapse_shape %w [[0, 1], [2], [3]] : " << type(test.w) << " into "
         << type(flat) << "\n";
    op("  %p = linalg.depthwise_conv_2d_nchw_chw", input, "%f", "%i", padded, flat, test.out);
    return body.str();
  }
  auto split = [&](std::vector<int64_t> sizes, unsigned at) {
    sizes[at] /= p.groups;
    sizes.insert(sizes.begin() + at, p.groups);
    return sizes;
  };
  auto expand = [&](const char *name, const std::string &value, const std::vector<int64_t> &from,
                    const std::vector<int64_t> &to, const char *groups) {
    body << "  " << name << " = tensor.expand_shape " << value << " " << groups
         << " output_shape [";
    for (size_t i = 0; i < to.size(); ++i)
      body << (i ? ", " : "") << to[i];
    body << "] : " << type(from) << " into " << type(to) << "\n";
  };
  auto x = split(padded, 1), w = split(test.w, 0), out = split(test.out, 1);
  expand("%gx", input, padded, x, "[[0], [1, 2], [3], [4]]");
  expand("%gw", "%w", test.w, w, "[[0, 1], [2], [3], [4]]");
  expand("%gi", "%i", test.out, out, "[[0], [1, 2], [3], [4]]");
  op("  %gr = linalg.conv_2d_ngchw_gfchw", "%gx", "%gw", "%gi", x, w, out);
  body << "  %p = tensor.collapse_shape %gr [[0], [1, 2], [3], [4]] : " << type(out) << " into "
       << type(test.out) << "\n";
  return body.str();
}

static int64_t outputSize(const Conv &p, int64_t size, int64_t kernel) {
  return (size + 2 * p.pad - p.dilation * (kernel - 1) - 1) / p.stride + 1;
}

static std::vector<double> convolve(const Conv &p, const std::vector<float> &x,
                                    const std::vector<float> &w) {
  bool line = p.h == 0;
  int64_t h = line ? 1 : p.h, kh = line ? 1 : p.kh, pad = line ? 0 : p.pad;
  int64_t oh = line ? 1 : outputSize(p, p.h, p.kh), ow = outputSize(p, p.w, p.kw);
  int64_t in = p.inChannels / p.groups, out = p.outChannels / p.groups;
  std::vector<double> result(p.n * p.outChannels * oh * ow);
  size_t at = 0;
  for (int64_t n = 0; n < p.n; ++n)
    for (int64_t f = 0; f < p.outChannels; ++f)
      for (int64_t i = 0; i < oh; ++i)
        for (int64_t j = 0; j < ow; ++j, ++at)
          for (int64_t c = 0; c < in; ++c)
            for (int64_t a = 0; a < kh; ++a)
              for (int64_t b = 0; b < p.kw; ++b) {
                int64_t y = i * p.stride + a * p.dilation - pad;
                int64_t z = j * p.stride + b * p.dilation - p.pad;
                if (y < 0 || y >= h || z < 0 || z >= p.w)
                  continue;
                int64_t channel = f / out * in + c;
                result[at] += double(x[((n * p.inChannels + channel) * h + y) * p.w + z]) *
                              w[((f * in + c) * kh + a) * p.kw + b];
              }
  return result;
}

double jit::errorOf(const Conv &p, std::string &message) {
  bool line = p.h == 0;
  int64_t in = p.inChannels / p.groups, ow = outputSize(p, p.w, p.kw);
  Case test;
  test.fixed = Fixed::Right;
  test.around = p.around;
  test.channel = 1;
  std::vector<int64_t> padded;
  if (line) {
    test.x = {p.n, p.inChannels, p.w};
    test.w = {p.outChannels, in, p.kw};
    test.out = {p.n, p.outChannels, ow};
    padded = {p.n, p.inChannels, p.w + 2 * p.pad};
  } else {
    test.x = {p.n, p.inChannels, p.h, p.w};
    test.w = {p.outChannels, in, p.kh, p.kw};
    test.out = {p.n, p.outChannels, outputSize(p, p.h, p.kh), ow};
    padded = {p.n, p.inChannels, p.h + 2 * p.pad, p.w + 2 * p.pad};
  }
  test.body = convBody(p, test, padded);
  std::vector<float> x = noise(count(test.x), 1), w = noise(count(test.w), 2);
  double terms = in * (line ? 1 : p.kh) * p.kw;
  return measure(test, x, w, convolve(p, x, w), terms, message);
}

std::string jit::describe(const Matmul &p) {
  std::ostringstream text;
  text << p.m << "x" << p.n << "x" << p.k << (p.transposed ? " b as [n, k]" : "");
  return text.str();
}

std::string jit::describe(const Conv &p) {
  std::ostringstream text;
  text << "batch " << p.n << ", " << p.inChannels << " to " << p.outChannels << " channels, " << p.h
       << "x" << p.w << ", kernel " << p.kh << "x" << p.kw << ", stride " << p.stride << ", pad "
       << p.pad << ", dilation " << p.dilation << ", groups " << p.groups;
  return text.str();
}

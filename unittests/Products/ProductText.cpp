//===- ProductText.cpp - products as MLIR and as plain loops --------------===//
#include "ProductText.h"

#include <cmath>
#include <limits>
#include <sstream>

using namespace jit;

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
/// One product, ready to be compiled: `body` computes %r from %x, %w and the output's init %i.
struct Case {
  std::vector<int64_t> x, w, out;
  Fixed fixed;
  std::string body;
};
} // namespace

/// What the compiled case gives for `x` and `w`, added to `init`.
static std::vector<float> run(const Case &test, const std::vector<float> &x,
                              const std::vector<float> &w, const std::vector<float> &init,
                              std::string &message) {
  std::ostringstream text;
  auto argument = [&](const char *name, const std::vector<int64_t> &sizes, bool fixed) {
    text << "%" << name << ": " << type(sizes);
    if (fixed)
      text << " {jit.weight = \"" << name << "\"}";
  };
  text << "func.func @forward(";
  argument("x", test.x, test.fixed == Fixed::Left);
  text << ", ";
  argument("w", test.w, test.fixed == Fixed::Right);
  text << ", ";
  argument("i", test.out, false);
  text << ") -> " << type(test.out) << " {\n  %zero = arith.constant 0.0 : f32\n"
       << test.body << "  return %r : " << type(test.out) << "\n}\n";

  std::map<std::string, Tensor> weights;
  std::vector<Value> inputs;
  if (test.fixed == Fixed::Left)
    weights.emplace("x", floatTensor(test.x, x));
  else
    inputs.push_back(floatTensor(test.x, x));
  if (test.fixed == Fixed::Right)
    weights.emplace("w", floatTensor(test.w, w));
  else
    inputs.push_back(floatTensor(test.w, w));
  inputs.push_back(floatTensor(test.out, init));
  CompiledModule module(text.str(), weights);
  std::vector<float> result = module.floats(inputs);
  message = module.message();
  return result;
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

double jit::errorOf(const Matmul &p, std::string &message) {
  Case test{{p.m, p.k}, {p.k, p.n}, {p.m, p.n}, p.fixed, ""};
  if (p.transposed)
    test.w = {p.n, p.k};
  std::ostringstream body;
  body << "  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, "
       << "affine_map<(m, n, k) -> " << (p.transposed ? "(n, k)" : "(k, n)")
       << ">, affine_map<(m, n, k) -> (m, n)>], "
       << "iterator_types = [\"parallel\", \"parallel\", \"reduction\"]} ins(%x, %w : "
       << type(test.x) << ", " << type(test.w) << ") outs(%i : " << type(test.out) << ") {\n"
       << "  ^bb0(%a: f32, %b: f32, %c: f32):\n    %p = arith.mulf %a, %b : f32\n"
       << "    %s = arith.addf %c, %p : f32\n    linalg.yield %s : f32\n  } -> " << type(test.out)
       << "\n";
  test.body = body.str();

  std::vector<float> x = noise(count(test.x), 1), w = noise(count(test.w), 2);
  std::vector<float> init = noise(count(test.out), 3);
  std::vector<double> expected(init.begin(), init.end());
  for (int64_t i = 0; i < p.m; ++i)
    for (int64_t j = 0; j < p.n; ++j)
      for (int64_t k = 0; k < p.k; ++k)
        expected[i * p.n + j] +=
            double(x[i * p.k + k]) * w[p.transposed ? j * p.k + k : k * p.n + j];
  return worst(run(test, x, w, init, message), expected, p.k);
}

/// The op, its input padded; grouped convolutions split the channel dimensions first.
static std::string convBody(const Conv &p, const Case &test, const std::vector<int64_t> &padded) {
  bool line = p.h == 0;
  std::ostringstream body;
  std::string input = "%x", zeros = line ? "0, 0, " : "0, 0, 0, 0, ";
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
    op(line ? "  %r = linalg.conv_1d_ncw_fcw" : "  %r = linalg.conv_2d_nchw_fchw", input, "%w",
       "%i", padded, test.w, test.out);
    return body.str();
  }
  if (p.groups == p.inChannels && p.groups == p.outChannels) {
    std::vector<int64_t> flat = {p.outChannels, p.kh, p.kw};
    body << "  %f = tensor.collapse_shape %w [[0, 1], [2], [3]] : " << type(test.w) << " into "
         << type(flat) << "\n";
    op("  %r = linalg.depthwise_conv_2d_nchw_chw", input, "%f", "%i", padded, flat, test.out);
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
  body << "  %r = tensor.collapse_shape %gr [[0], [1, 2], [3], [4]] : " << type(out) << " into "
       << type(test.out) << "\n";
  return body.str();
}

static int64_t outputSize(const Conv &p, int64_t size, int64_t kernel) {
  return (size + 2 * p.pad - p.dilation * (kernel - 1) - 1) / p.stride + 1;
}

static std::vector<double> convolve(const Conv &p, const std::vector<float> &x,
                                    const std::vector<float> &w, const std::vector<float> &init) {
  bool line = p.h == 0;
  int64_t h = line ? 1 : p.h, kh = line ? 1 : p.kh, pad = line ? 0 : p.pad;
  int64_t oh = line ? 1 : outputSize(p, p.h, p.kh), ow = outputSize(p, p.w, p.kw);
  int64_t in = p.inChannels / p.groups, out = p.outChannels / p.groups;
  std::vector<double> result(init.begin(), init.end());
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
  std::vector<float> init = noise(count(test.out), 3);
  double terms = in * (line ? 1 : p.kh) * p.kw;
  return worst(run(test, x, w, init, message), convolve(p, x, w, init), terms);
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

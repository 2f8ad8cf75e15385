//===- RandomProgramsTest.cpp - buffers shared by chance ------------------===//
//
// Random programs over 6x6 matrices, with branches and loops, run compiled and by a plain
// interpreter. What they compute is of no interest; that no buffer is reused too early is.
//
//===----------------------------------------------------------------------===//
#include "CompiledModule.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace jit;
using namespace jit::codegen;
using namespace jit::runtime;

static constexpr int side = 6;
using Matrix = std::vector<float>;

namespace {
struct Statement;
using Body = std::vector<Statement>;

enum class Kind { Add, Clamp, Transpose, RowMean, Slice, If, For };

/// Gives the values numbered `result` (and `result + 1` for If and For) from the values `a` and
/// `b`. If branches on an element of `a`; For carries `a` and `b` through `trips` iterations.
struct Statement {
  Kind kind;
  int result, a, b, trips = 0;
  Body first, second;
  /// What the bodies yield.
  int yields[4] = {0, 0, 0, 0};
};

/// Makes programs, as text and as statements.
class Generator {
public:
  explicit Generator(unsigned seed) : random(seed) {}

  Body body(std::vector<int> visible, int length, int depth);
  /// The last value that `body` defined.
  int last(const Body &body, const std::vector<int> &visible);

private:
  int pick(int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); }
  int any(const std::vector<int> &values) {
    return values[static_cast<size_t>(pick(static_cast<int>(values.size())))];
  }

  std::mt19937 random;
  int next = 2;
};
} // namespace

Body Generator::body(std::vector<int> visible, int length, int depth) {
  Body statements;
  for (int i = 0; i < length; ++i) {
    Kind kind = static_cast<Kind>(pick(depth > 0 ? 7 : 5));
    Statement s{kind, 0, any(visible), any(visible), 0, {}, {}};
    if (kind == Kind::For)
      s.trips = pick(4);
    if (kind == Kind::If || kind == Kind::For) {
      auto inner = visible;
      if (kind == Kind::For) {
        s.result = next;
        // The carried values are called as the results: inside they are the loop's arguments.
        next += 2;
        inner.push_back(s.result);
        inner.push_back(s.result + 1);
      }
      for (Body *part : {&s.first, &s.second}) {
        if (kind == Kind::For && part == &s.second)
          break;
        *part = body(inner, 1 + pick(4), depth - 1);
        auto all = inner;
        for (const Statement &made : *part)
          all.push_back(made.result);
        int *yields = part == &s.first ? s.yields : s.yields + 2;
        yields[0] = any(all);
        yields[1] = any(all);
      }
      if (kind == Kind::If) {
        s.result = next;
        next += 2;
      }
      visible.push_back(s.result + 1);
    } else {
      s.result = next++;
    }
    visible.push_back(s.result);
    statements.push_back(std::move(s));
  }
  return statements;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static constexpr char type[] = "tensor<6x6xf32>";

static std::string name(int value) { return "%v" + std::to_string(value); }

static std::string generic(const Statement &s, const std::string &maps,
                           const std::string &payload) {
  return name(s.result) + " = linalg.generic {indexing_maps = [" + maps +
         "#id], iterator_types = [\"parallel\", \"parallel\"]} ins(" + name(s.a) + ", " +
         name(s.b) + " : " + type + ", " + type + ") outs(%e : " + type +
         ") {\n^bb0(%x: f32, %y: f32, %o: f32):\n" + payload + "linalg.yield %r : f32\n} -> " +
         type + "\n";
}

static std::string print(const Body &body);

static std::string printRegion(const Body &body, const int *yields) {
  return "{\n" + print(body) + "scf.yield " + name(yields[0]) + ", " + name(yields[1]) + " : " +
         type + ", " + type + "\n}";
}

static std::string print(const Statement &s) {
  const std::string r = name(s.result), two = std::string(" -> (") + type + ", " + type + ") ";
  switch (s.kind) {
  case Kind::Add:
    return generic(s, "#id, #id, ",
                   "%s = arith.addf %x, %y : f32\n%r = arith.mulf %s, %half : f32\n");
  case Kind::Clamp:
    return generic(s, "#id, #id, ",
                   "%s = arith.maximumf %x, %y : f32\n%r = arith.subf %s, %half : f32\n");
  case Kind::Transpose:
    return generic(s, "#tr, #id, ",
                   "%s = arith.subf %x, %y : f32\n%r = arith.mulf %s, %half : f32\n");
  case Kind::RowMean:
    return r + "f = linalg.fill ins(%zero : f32) outs(%re : tensor<6xf32>) -> tensor<6xf32>\n" + r +
           "s = linalg.reduce { arith.addf } ins(" + name(s.a) + " : " + type + ") outs(" + r +
           "f : tensor<6xf32>) dimensions = [1]\n" + r +
           " = linalg.generic {indexing_maps = [#row, #id, #id], " +
           "iterator_types = [\"parallel\", \"parallel\"]} ins(" + r + "s, " + name(s.b) +
           " : tensor<6xf32>, " + type + ") outs(%e : " + type +
           ") {\n^bb0(%x: f32, %y: f32, %o: f32):\n%m = arith.mulf %x, %sixth : f32\n" +
           "%s = arith.addf %m, %y : f32\n%q = arith.mulf %s, %half : f32\nlinalg.yield %q : "
           "f32\n} -> " +
           type + "\n";
  case Kind::Slice:
    return r + "s = tensor.extract_slice " + name(s.a) + "[1, 0] [3, 6] [1, 1] : " + type +
           " to tensor<3x6xf32>\n" + r + " = tensor.insert_slice " + r + "s into " + name(s.b) +
           "[0, 0] [3, 6] [1, 1] : tensor<3x6xf32> into " + type + "\n";
  case Kind::If:
    return r + "e = tensor.extract " + name(s.a) + "[%c0, %c1] : " + type + "\n" + r +
           "c = arith.cmpf ogt, " + r + "e, %zero : f32\n" + r + ", " + name(s.result + 1) +
           " = scf.if " + r + "c" + two + printRegion(s.first, s.yields) + " else " +
           printRegion(s.second, s.yields + 2) + "\n";
  case Kind::For:
    // Inside, the carried values have the names of the results with a prime.
    return r + "r:2 = scf.for " + r + "i = %c0 to %c" + std::to_string(s.trips) +
           " step %c1 iter_args(" + r + " = " + name(s.a) + ", " + name(s.result + 1) + " = " +
           name(s.b) + ")" + two + printRegion(s.first, s.yields) + "\n" + "@rename " +
           std::to_string(s.result) + "\n";
  }
  return "";
}

static std::string print(const Body &body) {
  std::string text;
  for (const Statement &s : body)
    text += print(s);
  return text;
}

/// A loop's results have other names than the values that it carries: uses after it are renamed
/// here.
static std::string resolveNames(std::string text) {
  size_t at;
  while ((at = text.find("@rename ")) != std::string::npos) {
    size_t end = text.find('\n', at);
    int result = std::stoi(text.substr(at + 8, end - at - 8));
    std::string head = text.substr(0, at), tail = text.substr(end + 1);
    for (int i : {0, 1}) {
      std::string from = name(result + i), to = name(result) + "r#" + std::to_string(i);
      for (size_t use = 0; (use = tail.find(from, use)) != std::string::npos; use += to.size()) {
        char after = use + from.size() < tail.size() ? tail[use + from.size()] : ' ';
        if (std::isalnum(static_cast<unsigned char>(after)) == 0)
          tail.replace(use, from.size(), to);
      }
    }
    text = head + tail;
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Interpreter
//===----------------------------------------------------------------------===//

using Environment = std::map<int, Matrix>;

static void run(const Body &body, Environment &values);

static void run(const Statement &s, Environment &values) {
  Matrix a = values[s.a], b = values[s.b], r(side * side);
  switch (s.kind) {
  case Kind::Add:
  case Kind::Clamp:
  case Kind::Transpose:
  case Kind::RowMean:
    for (int i = 0; i < side; ++i)
      for (int j = 0; j < side; ++j) {
        float x = a[i * side + j], y = b[i * side + j], sum = 0;
        for (int k = 0; k < side; ++k)
          sum += a[i * side + k];
        r[i * side + j] = s.kind == Kind::Add         ? (x + y) * 0.5f
                          : s.kind == Kind::Clamp     ? std::max(x, y) - 0.5f
                          : s.kind == Kind::Transpose ? (a[j * side + i] - y) * 0.5f
                                                      : (sum / side + y) * 0.5f;
      }
    values[s.result] = r;
    return;
  case Kind::Slice:
    r = b;
    std::copy_n(a.begin() + side, 3 * side, r.begin());
    values[s.result] = r;
    return;
  case Kind::If: {
    bool taken = a[1] > 0;
    Environment inner = values;
    run(taken ? s.first : s.second, inner);
    for (int i : {0, 1})
      values[s.result + i] = inner[s.yields[(taken ? 0 : 2) + i]];
    return;
  }
  case Kind::For:
    for (int trip = 0; trip < s.trips; ++trip) {
      Environment inner = values;
      inner[s.result] = a;
      inner[s.result + 1] = b;
      run(s.first, inner);
      a = inner[s.yields[0]];
      b = inner[s.yields[1]];
    }
    values[s.result] = a;
    values[s.result + 1] = b;
    return;
  }
}

static void run(const Body &body, Environment &values) {
  for (const Statement &s : body)
    run(s, values);
}

TEST(RandomPrograms, AgreeWithTheInterpreter) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    Body body = Generator(seed).body({0, 1}, 12, 2);
    int last = body.back().result;
    std::string text = R"(
      #id = affine_map<(i, j) -> (i, j)>
      #tr = affine_map<(i, j) -> (j, i)>
      #row = affine_map<(i, j) -> (i)>
      func.func @forward(%v0: tensor<6x6xf32>, %v1: tensor<6x6xf32>) -> (tensor<6x6xf32>, tensor<6x6xf32>) {
        %zero = arith.constant 0.0 : f32
        %half = arith.constant 0.5 : f32
        %sixth = arith.constant 0.16666667 : f32
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c3 = arith.constant 3 : index
        %e = tensor.empty() : tensor<6x6xf32>
        %re = tensor.empty() : tensor<6xf32>
)" + print(body) + "return " +
                       name(last) + ", " + name(body[5].result) + " : " + type + ", " + type +
                       "\n}";
    CodegenOptions options;
    // Every other program runs all of its loops on threads.
    options.parallelThreshold = seed % 2 == 0 ? options.parallelThreshold : 1;
    CompiledModule module(resolveNames(text), {}, options);
    ASSERT_TRUE(module.valid()) << "seed " << seed << ": " << module.message()
                                << resolveNames(text);
    Environment values = {{0, noise(36, seed)}, {1, noise(36, seed + 1000)}};
    auto results = module.run({floatTensor({6, 6}, values[0]), floatTensor({6, 6}, values[1])});
    ASSERT_TRUE(results);
    run(body, values);
    for (int i : {0, 1}) {
      auto *tensor = (*results)[i].getIf<Tensor>();
      Matrix got(tensor->as<float>(), tensor->as<float>() + 36);
      ASSERT_LT(distance(got, values[i == 0 ? last : body[5].result]), 1e-4f)
          << "seed " << seed << " result " << i << resolveNames(text);
    }
  }
}

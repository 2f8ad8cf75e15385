//===- EntryCheckBenchmark.cpp - what an artifact's input checks cost -----===//
//
// Whether a call is one that was compiled: rank, sizes, element type, strides, alignment and null
// of each argument, and that no result overlaps one. The package is written by hand, and its entry
// does nothing, so that the whole call is nothing but checks and pointers.
//
//===----------------------------------------------------------------------===//
#include "jit-c/Artifact.h"
#include "jit/Runtime/Package.h"

#include <array>
#include <benchmark/benchmark.h>
#include <deque>
#include <vector>

namespace {
constexpr int32_t inputs = 8, kinds = 8;
using Sizes = std::array<int64_t, 4>;

/// Kinds of calls that differ in the first size of the last argument: finding the last of them
/// looks at every argument of each.
struct Package {
  std::array<Sizes, kinds> lastSizes;
  std::array<std::array<jit_pattern, inputs>, kinds> patterns = {};
  std::array<std::array<int32_t, 1>, inputs> paths = {};
  std::array<jit_operand, inputs> operands = {};
  std::array<const char *, inputs> names;
  std::array<jit_variant, kinds> variants = {};
  jit_output output = {};
  jit_method method = {};

  static constexpr Sizes sizes = {4, 3, 8, 8};
  static constexpr int64_t bytes = int64_t(4) * 3 * 8 * 8 * sizeof(float);

  static jit_pattern tensor(const Sizes &sizes) {
    return {JIT_KIND_TENSOR, JIT_F32, 0, int32_t(sizes.size()), 0, sizes.data(), nullptr, nullptr};
  }
  Package() {
    for (int32_t i = 0; i < inputs; ++i) {
      paths[i] = {i};
      names[i] = "x";
      operands[i] = {{JIT_PLACE_ARGUMENT, 0, 1, paths[i].data()}, bytes, 0, 0};
    }
    output = {tensor(sizes), bytes, {JIT_PLACE_RESULT, 0, 0, nullptr}, 0, -1};
    for (int32_t k = 0; k < kinds; ++k) {
      lastSizes[k] = sizes;
      lastSizes[k][0] = k + 1;
      patterns[k].fill(tensor(sizes));
      patterns[k].back() = tensor(lastSizes[k]);
      jit_variant &variant = variants[k];
      variant.run = [](jit_call *, void *const *) -> int32_t { return 0; };
      variant.structure = "%0";
      variant.argument_count = variant.operand_count = inputs;
      variant.output_count = variant.result_count = 1;
      variant.arguments = patterns[k].data();
      variant.operands = operands.data();
      variant.outputs = &output;
    }
    method = {"forward", names.data(), inputs, 0, kinds, 0, 0};
  }
};

const Package package; // NOLINT(bugprone-throwing-static-initialization): it throws nothing
} // namespace

extern "C" {
// NOLINTBEGIN(readability-identifier-naming): names of C
extern const jit_package jit_this_package;
const jit_package jit_this_package = {.name = "checked",
                                      .description = "",
                                      .methods = &package.method,
                                      .variants = package.variants.data(),
                                      .method_count = 1,
                                      .variant_count = kinds,
                                      .arena_bytes = 64};
const jit_artifact_table *jit_artifact(void);
// NOLINTEND(readability-identifier-naming)
}

namespace {
/// A module, and a call of the kind of this number.
class Call {
public:
  Call(int64_t kind, bool withStrides) : memory(inputs + 1) {
    jit_artifact()->open(nullptr, &module, nullptr);
    strides = {3 * 8 * 8, 8 * 8, 8, 1};
    lastSizes = Package::sizes;
    lastSizes[0] = kind + 1;
    for (int32_t i = 0; i <= inputs; ++i) {
      memory[i].resize(Package::bytes / sizeof(float) * 2);
      const Sizes &sizes = i == inputs - 1 ? lastSizes : Package::sizes;
      values[i].kind = JIT_KIND_TENSOR;
      values[i].as.tensor = {memory[i].data(), sizes.data(), withStrides ? strides.data() : nullptr,
                             int32_t(sizes.size()), JIT_F32};
    }
  }
  ~Call() { jit_artifact()->close(module); }
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;

  jit_module *module = nullptr;
  std::array<jit_value, inputs + 1> values = {}; // the last is the result

private:
  Sizes lastSizes, strides;
  std::vector<std::vector<float>> memory;
};
} // namespace

static void check(benchmark::State &state) {
  Call call(state.range(0), state.range(1) != 0);
  size_t variant = 0;
  for (auto _ : state) {
    if (jit_artifact()->find(call.module, "forward", call.values.data(), inputs, &variant,
                             nullptr) != JIT_OK)
      return state.SkipWithError("expected a call that was compiled");
    benchmark::DoNotOptimize(variant);
  }
}
BENCHMARK(check)->ArgNames({"kind", "strides"})->Args({0, 0})->Args({0, 1})->Args({7, 0});

static void wholeCall(benchmark::State &state) {
  Call call(state.range(0), true);
  for (auto _ : state)
    if (jit_artifact()->call(call.module, "forward", call.values.data(), inputs,
                             &call.values[inputs], 1, nullptr) != JIT_OK)
      return state.SkipWithError("expected a call that was compiled");
}
BENCHMARK(wholeCall)->ArgName("kind")->Arg(0);

//===- Program.cpp - a package written by hand ----------------------------===//
#include "Program.h"

#include <gtest/gtest.h>

#include <atomic>

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

static int32_t fail(jit_call *call) {
  jit_rt_fail(call, "builtins.MemoryError", "out of memory", "", 0, nullptr);
  return 1;
}

static int32_t both(jit_call *, void *const *args) {
  auto *x = static_cast<float *>(args[0]);
  for (int i = 0; i < 4; ++i) {
    static_cast<float *>(args[1])[i] = x[i] + 1;
    static_cast<float *>(args[2])[i] = x[i] * 2;
  }
  return 0;
}

/// args: x, the sum, the arena, sizes.
static int32_t sum(jit_call *, void *const *args) {
  auto *sizes = static_cast<int64_t *>(args[3]);
  float total = 0;
  for (int64_t i = 0; i < sizes[0] * sizes[1]; ++i)
    total += static_cast<float *>(args[0])[i];
  *static_cast<float *>(args[1]) = total;
  return 0;
}

static int32_t square(jit_call *call, void *const *args) {
  int64_t n = *static_cast<int64_t *>(args[0]);
  int64_t sizes[] = {n, n};
  auto *result = static_cast<float *>(jit_rt_result(call, 0, sizes));
  if (!result)
    return fail(call);
  std::fill_n(result, n * n, float(n));
  return 0;
}

/// args: bytes, the same again, the arena.
static int32_t borrow(jit_call *call, void *const *args) {
  int64_t bytes = *static_cast<int64_t *>(args[0]);
  void *memory = jit_rt_scratch(call, 0, bytes);
  if (!memory)
    return fail(call);
  std::fill_n(static_cast<char *>(memory), bytes, 1);
  *static_cast<int64_t *>(args[1]) = bytes;
  return 0;
}

/// args: x, the total, the next total, the arena.
static int32_t add(jit_call *, void *const *args) {
  for (int i = 0; i < 4; ++i)
    static_cast<float *>(args[2])[i] =
        static_cast<float *>(args[0])[i] + static_cast<float *>(args[1])[i];
  return 0;
}

static int32_t share(jit_call *call, void *const *args) {
  std::atomic<int64_t> count{0};
  jit_rt_parallel_for(
      call,
      [](void *closure, int64_t begin, int64_t end) {
        *static_cast<std::atomic<int64_t> *>(closure) += end - begin;
      },
      &count, *static_cast<int64_t *>(args[0]));
  *static_cast<int64_t *>(args[1]) = count;
  return 0;
}

/// args: four numbers, the same twice as large, the arena.
static int32_t twice(jit_call *, void *const *args) {
  for (int i = 0; i < 4; ++i)
    static_cast<float *>(args[1])[i] = 2 * static_cast<float *>(args[0])[i];
  return 0;
}

static int32_t real(jit_call *, void *const *args) {
  *static_cast<float *>(args[1]) = *static_cast<float *>(args[0]);
  return 0;
}

//===----------------------------------------------------------------------===//
// The package
//===----------------------------------------------------------------------===//

// NOLINTBEGIN(bugprone-throwing-static-initialization): jit_packages has to be static
namespace {
constexpr int64_t two[] = {2}, three[] = {3}, four[] = {4}, square2[] = {2, 2},
                  open[] = {JIT_OPEN_SIZE, JIT_OPEN_SIZE}, dense[] = {1}, columns[] = {1, 3},
                  anyStrides[] = {JIT_OPEN_STRIDE, JIT_OPEN_STRIDE};
constexpr jit_part front = {0, 0, 4}, back = {0, 1, 4};
const int32_t firstPath[] = {0};
const float zeros[4] = {};
const char *const names[] = {"x", "y"};

jit_pattern tensorPattern(const int64_t *sizes, int32_t rank, jit_dtype dtype = JIT_F32) noexcept {
  jit_pattern pattern = {};
  pattern.kind = JIT_KIND_TENSOR;
  pattern.dtype = dtype;
  pattern.count = rank;
  pattern.sizes = sizes;
  return pattern;
}

jit_pattern stridedPattern(const int64_t *sizes, int32_t rank, const int64_t *strides,
                           const jit_part *part = nullptr) noexcept {
  jit_pattern pattern = tensorPattern(sizes, rank);
  pattern.strides = strides;
  pattern.part = part;
  return pattern;
}

jit_pattern intPattern() noexcept {
  jit_pattern pattern = {};
  pattern.kind = JIT_KIND_INT;
  pattern.open = 1;
  return pattern;
}

const jit_pattern vector = tensorPattern(four, 1), matrix = tensorPattern(open, 2),
                  scalar = tensorPattern(nullptr, 0), complex = tensorPattern(two, 1, JIT_C64),
                  number = intPattern(), pair = tensorPattern(square2, 2),
                  ofColumns = stridedPattern(square2, 2, columns),
                  ofAny = stridedPattern(square2, 2, anyStrides);
const jit_pattern parts[] = {stridedPattern(three, 1, dense, &front),
                             stridedPattern(three, 1, dense, &back)};
const jit_operand vectorOperand = {{JIT_PLACE_ARGUMENT, 0, 1, firstPath}, 16, 0, JIT_KIND_NONE};
const jit_operand matrixOperand = {{JIT_PLACE_ARGUMENT, 0, 1, firstPath}, -1, 0, JIT_KIND_NONE};
const jit_operand numberOperand = {{JIT_PLACE_ARGUMENT, 0, 1, firstPath}, 0, 0, JIT_KIND_INT};
const jit_operand addOperands[] = {vectorOperand,
                                   {{JIT_PLACE_CELL, 0, 0, nullptr}, 16, 0, JIT_KIND_NONE}};
const jit_output bothOutputs[] = {{vector, 16, {JIT_PLACE_RESULT, 0, 0, nullptr}, 0, -1},
                                  {vector, 16, {JIT_PLACE_RESULT, 1, 0, nullptr}, 0, -1}};
const jit_output sumOutput = {scalar, 4, {JIT_PLACE_RESULT, 0, 0, nullptr}, 0, -1};
const jit_output squareOutput = {matrix, -1, {JIT_PLACE_RESULT, 0, 0, nullptr}, 0, -1};
const jit_output numberOutput = {number, 8, {JIT_PLACE_RESULT, 0, 0, nullptr}, 8, -1};
const jit_output addOutput = {vector, 16, {JIT_PLACE_RESULT, 0, 0, nullptr}, 0, -1};
const jit_copy addCopy = {0, 0, {JIT_PLACE_CELL, 0, 0, nullptr}, nullptr, nullptr};
const jit_output pairOutput = {pair, 16, {JIT_PLACE_RESULT, 0, 0, nullptr}, 0, -1};
const jit_output writtenOutput = {vector, 16, {JIT_PLACE_SCRATCH, 0, 0, nullptr}, 0, -1};
const jit_copy writtenCopy = {0, 0, {JIT_PLACE_ARGUMENT, 0, 1, firstPath}, nullptr, nullptr};

jit_variant variantOf(jit_entry_fn run, const jit_pattern *argument, const jit_operand *operands,
                      int32_t operandCount, const jit_output *outputs,
                      int32_t outputCount) noexcept {
  jit_variant variant = {};
  variant.run = run;
  variant.structure = "%0";
  variant.argument_count = 1;
  variant.arguments = argument;
  variant.operands = operands;
  variant.operand_count = operandCount;
  variant.outputs = outputs;
  variant.output_count = variant.result_count = outputCount;
  return variant;
}

jit_variant addVariant() noexcept {
  jit_variant variant = variantOf(add, &vector, addOperands, 2, &addOutput, 1);
  variant.copies = &addCopy;
  variant.copy_count = 1;
  return variant;
}

/// Writes twice its numbers to where they are from.
jit_variant twiceVariant(const jit_pattern *arguments, int32_t count) noexcept {
  jit_variant variant = variantOf(twice, arguments, &vectorOperand, 1, &writtenOutput, 1);
  variant.structure = "None";
  variant.argument_count = count;
  variant.result_count = 0;
  variant.copies = &writtenCopy;
  variant.copy_count = 1;
  return variant;
}

jit_variant sumVariant() noexcept {
  jit_variant variant = variantOf(sum, &matrix, &matrixOperand, 1, &sumOutput, 1);
  variant.open_count = 2;
  return variant;
}

const jit_variant variants[] = {variantOf(both, &vector, &vectorOperand, 1, bothOutputs, 2),
                                sumVariant(),
                                variantOf(square, &number, &numberOperand, 1, &squareOutput, 1),
                                variantOf(borrow, &number, &numberOperand, 1, &numberOutput, 1),
                                addVariant(),
                                variantOf(share, &number, &numberOperand, 1, &numberOutput, 1),
                                variantOf(real, &complex, &vectorOperand, 1, &sumOutput, 1),
                                twiceVariant(&ofColumns, 1),
                                twiceVariant(parts, 2),
                                twiceVariant(&pair, 1),
                                variantOf(twice, &ofAny, &vectorOperand, 1, &pairOutput, 1)};
const jit_method methods[] = {
    {"both", names, 1, 0, 1, 0, 0},     {"sum", names, 1, 1, 1, 0, 0},
    {"square", names, 1, 2, 1, 0, 0},   {"borrow", names, 1, 3, 1, 0, 0},
    {"add", names, 1, 4, 1, 1, 1},      {"share", names, 1, 5, 1, 0, 0},
    {"real", names, 1, 6, 1, 0, 0},     {"columns", names, 1, 7, 1, 0, 0, 1},
    {"parts", names, 2, 8, 1, 0, 0, 1}, {"pair", names, 1, 9, 1, 0, 0},
    {"any", names, 1, 10, 1, 0, 0}};
const jit_blob blob = {zeros, 0, sizeof zeros};
const jit_slot slot = {"total", nullptr, 0, 0, 1, &vector};
const jit_cell cell = {16, 0};

jit_package makePackage() noexcept {
  jit_package package = {};
  package.name = "program";
  package.cpu = "generic";
  package.blobs = &blob;
  package.blob_count = 1;
  package.methods = methods;
  package.method_count = 11;
  package.variants = variants;
  package.variant_count = 11;
  package.slots = &slot;
  package.slot_count = 1;
  package.cells = &cell;
  package.cell_count = 1;
  package.arena_bytes = 64;
  return package;
}
} // namespace

extern "C" {
const jit_package jit_packages[] = {makePackage()};
const int32_t jit_package_count = 1;
}
// NOLINTEND(bugprone-throwing-static-initialization)

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Module::Module(uint32_t threads) {
  jit_open_options options = {sizeof options, nullptr, threads};
  EXPECT_EQ(jit_artifact_open(&options, &handle, &error), JIT_OK) << error.message;
}

jit_status Module::call(const char *method, std::vector<jit_value> arguments,
                        std::vector<jit_value> &results) {
  return jit_artifact_call(handle, method, arguments.data(), arguments.size(), results.data(),
                           results.size(), &error);
}

jit_value tensorValue(float *data, const std::vector<int64_t> &sizes) {
  jit_value value = {};
  value.kind = JIT_KIND_TENSOR;
  value.as.tensor = {data, sizes.data(), nullptr, int32_t(sizes.size()), JIT_F32};
  return value;
}

jit_value tensorValue(float *data, const std::vector<int64_t> &sizes,
                      const std::vector<int64_t> &strides) {
  jit_value value = tensorValue(data, sizes);
  value.as.tensor.strides = strides.data();
  return value;
}

jit_value intValue(int64_t number) {
  jit_value value = {};
  value.kind = JIT_KIND_INT;
  value.as.integer = number;
  return value;
}

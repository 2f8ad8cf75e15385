//===- StridesTest.cpp - arguments that do not lie row by row -------------===//
#include "Program.h"

#include <gtest/gtest.h>

#include <numeric>

namespace {
const std::vector<int64_t> two = {2, 2}, three = {3}, columns = {1, 3};

struct Strided {
  Strided() { std::iota(std::begin(memory), std::end(memory), 1.f); }

  jit_status call(const char *method, std::vector<jit_value> arguments) {
    std::vector<jit_value> none;
    return module.call(method, std::move(arguments), none);
  }
  /// What of the memory is not what it was, by place.
  std::vector<std::pair<int, float>> changed() const {
    std::vector<std::pair<int, float>> found;
    for (int i = 0; i < 8; ++i)
      if (memory[i] != float(i + 1))
        found.push_back({i, memory[i]});
    return found;
  }

  float memory[8];
  Module module;
};
using Changes = std::vector<std::pair<int, float>>;
} // namespace

TEST(PackageStrides, AreTakenWhereTheCallWasCompiledForThem) {
  Strided strided;
  ASSERT_EQ(strided.call("columns", {tensorValue(strided.memory, two, columns)}), JIT_OK)
      << strided.module.error.message;
  EXPECT_EQ(strided.changed(), (Changes{{0, 2}, {1, 4}, {3, 8}, {4, 10}}))
      << "what lies between the elements is not the call's";
}

TEST(PackageStrides, OthersAreRefused) {
  Strided strided;
  const std::vector<int64_t> rows = {2, 1}, gaps = {4, 1};
  for (jit_value value :
       {tensorValue(strided.memory, two), tensorValue(strided.memory, two, rows)}) {
    EXPECT_EQ(strided.call("columns", {value}), JIT_INVALID_ARGUMENT);
    EXPECT_STREQ(strided.module.error.message,
                 "argument 'x' of columns: expected f32[2,2]:strides[1,3], got f32[2,2]");
  }
  EXPECT_EQ(strided.call("columns", {tensorValue(strided.memory, two, gaps)}),
            JIT_INVALID_ARGUMENT);
  EXPECT_STREQ(strided.module.error.message, "argument 'x' of columns: expected "
                                             "f32[2,2]:strides[1,3], got f32[2,2]:strides[4,1]");
  EXPECT_EQ(strided.call("pair", {tensorValue(strided.memory, two, columns)}),
            JIT_INVALID_ARGUMENT);
  EXPECT_STREQ(strided.module.error.message,
               "argument 'x' of pair: expected f32[2,2] as row-major memory without gaps, got "
               "other strides");
  EXPECT_EQ(strided.changed(), Changes());
}

TEST(PackageStrides, MayBeAny) {
  Strided strided;
  const std::vector<int64_t> backwards = {-2, -1}, expanded = {0, 1};
  for (auto [value, last] : {std::pair(tensorValue(strided.memory, two), 8.f),
                             {tensorValue(strided.memory, two, columns), 10.f},
                             {tensorValue(strided.memory + 3, two, backwards), 2.f},
                             {tensorValue(strided.memory, two, expanded), 4.f}}) {
    float result[4] = {};
    std::vector<jit_value> results = {tensorValue(result, two)};
    ASSERT_EQ(strided.module.call("any", {value}, results), JIT_OK) << strided.module.error.message;
    EXPECT_EQ(result[3], last);
  }
}

TEST(PackageStrides, OfMoreBytesThanCanBeCountedAreRefused) {
  Strided strided;
  float result[4] = {};
  std::vector<jit_value> results = {tensorValue(result, two)};
  for (std::vector<int64_t> strides :
       {std::vector<int64_t>{INT64_MAX, 1}, {INT64_MAX / 2, INT64_MAX / 2}, {INT64_MIN, 1}}) {
    EXPECT_EQ(strided.module.call("any", {tensorValue(strided.memory, two, strides)}, results),
              JIT_LIMIT_EXCEEDED);
    EXPECT_STREQ(strided.module.error.message,
                 "argument 'x' of any: expected f32[2,2]:strides[?,?] as sizes that fit in memory, "
                 "got more bytes than can be counted");
  }
}

TEST(PackageStrides, ResultsThatOverlapAStridedArgumentAreRefused) {
  Strided strided;
  // The last element is the fifth of the memory.
  std::vector<jit_value> results = {tensorValue(strided.memory + 4, two)};
  EXPECT_EQ(strided.module.call("any", {tensorValue(strided.memory, two, columns)}, results),
            JIT_INVALID_ARGUMENT);
  EXPECT_STREQ(strided.module.error.message,
               "result 0: expected memory of its own, got that of argument 0");
}

TEST(PackageStrides, CopiesComeBackWhereTheCallerAllowsThem) {
  Strided strided;
  jit_value value = tensorValue(strided.memory, two, columns);
  value.flags = JIT_MAY_COPY;
  ASSERT_EQ(strided.call("pair", {value}), JIT_OK) << strided.module.error.message;
  EXPECT_EQ(strided.changed(), (Changes{{0, 2}, {1, 4}, {3, 8}, {4, 10}}));
}

TEST(PackageStrides, WritesAreRefusedToReadOnlyMemoryAndToElementsInOnePlace) {
  Strided strided;
  const std::vector<int64_t> expanded = {0, 1}, overlapping = {1, 1};
  jit_value value = tensorValue(strided.memory, two);
  value.flags = JIT_READ_ONLY;
  EXPECT_EQ(strided.call("pair", {value}), JIT_INVALID_ARGUMENT);
  EXPECT_STREQ(strided.module.error.message,
               "argument 0: expected memory that may be written, as the program writes it in "
               "place, got read-only memory");
  for (const std::vector<int64_t> &strides : {expanded, overlapping}) {
    value = tensorValue(strided.memory, two, strides);
    value.flags = JIT_MAY_COPY;
    EXPECT_EQ(strided.call("pair", {value}), JIT_UNSUPPORTED);
    EXPECT_STREQ(strided.module.error.message,
                 "argument 0: expected elements with a place each where the program writes them, "
                 "got strides under which some share one");
  }
  EXPECT_EQ(strided.changed(), Changes());
}

TEST(PackageStrides, PartsOfOneMemoryAreWrittenTogether) {
  Strided strided;
  float *memory = strided.memory;
  ASSERT_EQ(strided.call("parts", {tensorValue(memory, three), tensorValue(memory + 1, three)}),
            JIT_OK)
      << strided.module.error.message;
  EXPECT_EQ(strided.changed(), (Changes{{0, 2}, {1, 4}, {2, 6}, {3, 8}}));
}

TEST(PackageStrides, PartsElsewhereAreRefused) {
  Strided strided;
  float *memory = strided.memory;
  for (int by : {0, 2, 5}) {
    EXPECT_EQ(strided.call("parts", {tensorValue(memory, three), tensorValue(memory + by, three)}),
              JIT_INVALID_ARGUMENT);
    EXPECT_STREQ(strided.module.error.message,
                 "argument 'y' of parts: expected f32[3]:strides[1]:part[0,1,4] as a part of a "
                 "memory beside its other parts, got another place");
  }
  jit_value readOnly = tensorValue(memory + 1, three);
  readOnly.flags = JIT_READ_ONLY;
  EXPECT_EQ(strided.call("parts", {tensorValue(memory, three), readOnly}), JIT_INVALID_ARGUMENT);
  EXPECT_EQ(strided.changed(), Changes());
}

TEST(PackageStrides, ElementsOfEachSizeAreCopied) {
  const int64_t sizes[] = {2, 3, 2}, strides[] = {1, 4, 2};
  for (auto [dtype, bytes] :
       {std::pair(JIT_BOOL, 1), {JIT_F16, 2}, {JIT_F32, 4}, {JIT_C64, 8}, {JIT_C128, 16}}) {
    alignas(16) unsigned char memory[12 * 16], rows[12 * 16] = {}, again[12 * 16] = {};
    std::iota(std::begin(memory), std::end(memory), 0);
    jit_tensor strided = {memory, sizes, strides, 3, dtype};
    jit_tensor dense = {rows, sizes, nullptr, 3, dtype};
    jit_copy_elements(&dense, &strided);
    // The first row's second element lies 2 further, the next row 4, the other half 1.
    for (auto [row, place] : {std::pair(1, 2), {2, 4}, {6, 1}, {11, 11}})
      EXPECT_EQ(rows[row * bytes + bytes - 1], memory[place * bytes + bytes - 1]) << bytes;
    strided.data = again;
    jit_copy_elements(&strided, &dense);
    EXPECT_TRUE(std::equal(memory, memory + 12 * bytes, again)) << bytes;
  }
}

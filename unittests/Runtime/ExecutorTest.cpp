//===- ExecutorTest.cpp - marshalling, packing and guards -----------------===//
//
// The entries are written by hand against the C interface, as compiled code would be.
//
//===----------------------------------------------------------------------===//
#include "jit/Runtime/Executor.h"
#include "jit/Runtime/ThreadPool.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace jit;
using namespace jit::runtime;

static std::atomic<int> initRuns{0};
/// Where the last call of this thread found x.
static thread_local const void *seen;

/// args: weight w, packed, arena. packed = 2 * w.
static int32_t initEntry(jit_call *, void *const *args) {
  ++initRuns;
  for (int i = 0; i < 4; ++i)
    static_cast<float *>(args[1])[i] = 2 * static_cast<float *>(args[0])[i];
  return 0;
}

/// args: x, n, w, result y, result m, packed, arena. y = x * packed + n, m = n + 1; guards n >= 0.
static int32_t runEntry(jit_call *call, void *const *args) {
  auto *x = static_cast<float *>(args[0]);
  seen = x;
  int64_t n = *static_cast<int64_t *>(args[1]);
  if (n < 0) {
    jit_arg values[] = {{JIT_ARG_INT, {.i = n}}, {JIT_ARG_FLOAT, {.f = 0.5}}};
    jit_rt_fail(call, "builtins.ValueError", "got {} and {} {}", "m.py:3", 2, values);
    return 1;
  }
  auto *scratch = static_cast<float *>(args[6]);
  for (int i = 0; i < 4; ++i)
    scratch[i] = x[i] * static_cast<float *>(args[5])[i];
  for (int i = 0; i < 4; ++i)
    static_cast<float *>(args[3])[i] = scratch[i] + static_cast<float>(n);
  *static_cast<int64_t *>(args[4]) = n + 1;
  return 0;
}

static std::shared_ptr<const Artifact> makeArtifact() {
  ValueType vector{true, ScalarType::Float, {4}}, integer{false, ScalarType::Long, {}};
  Entry entry{.name = "forward", .run = runEntry, .init = initEntry};
  entry.arguments = {{ArgumentKind::Input, vector, ""},
                     {ArgumentKind::Input, integer, ""},
                     {ArgumentKind::Weight, vector, "w"}};
  entry.results = {{vector, ""}, {integer, ""}};
  entry.packedBytes = {16};
  entry.arenaBytes = 16;
  auto artifact = std::make_shared<Artifact>();
  artifact->entries.push_back(entry);
  return artifact;
}

static Tensor vectorOf(std::vector<float> values) {
  return *Tensor::from<float>(ScalarType::Float, {static_cast<int64_t>(values.size())}, values);
}

static Result<Tensor> weightSource(const std::string &name) {
  if (name != "w")
    return Error{ErrorCode::NotFound, name};
  return vectorOf({1, 2, 3, 4});
}

TEST(Executor, RunsInitOnceAndCalls) {
  initRuns = 0;
  auto executor = Executor::create(makeArtifact(), "forward", weightSource, nullptr);
  ASSERT_TRUE(executor) << executor.error().str();
  std::vector<Value> inputs = {vectorOf({1, 1, 1, 1}), int64_t(10)};
  for (int repeat = 0; repeat < 3; ++repeat) {
    auto results = (*executor)->run(inputs);
    ASSERT_TRUE(results) << results.error().str();
    EXPECT_EQ((*results)[0].getIf<Tensor>()->as<float>()[3], 18.0f);
    EXPECT_EQ(*(*results)[1].getIf<int64_t>(), 11);
  }
  EXPECT_EQ(initRuns, 1);
}

TEST(Executor, TurnsAFailedGuardIntoRaised) {
  auto executor = Executor::create(makeArtifact(), "forward", weightSource, nullptr);
  ASSERT_TRUE(executor);
  std::vector<Value> inputs = {vectorOf({1, 1, 1, 1}), int64_t(-3)};
  auto results = (*executor)->run(inputs);
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().code, ErrorCode::Raised);
  EXPECT_EQ(results.error().pythonClass, "builtins.ValueError");
  EXPECT_EQ(results.error().str(), "m.py:3: got -3 and 0.5 {}");
}

TEST(Executor, ChecksWhatItIsGiven) {
  auto artifact = makeArtifact();
  EXPECT_FALSE(Executor::create(artifact, "backward", weightSource, nullptr));
  auto wrong = [](const std::string &) -> Result<Tensor> { return vectorOf({1}); };
  auto refused = Executor::create(artifact, "forward", wrong, nullptr);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "'w': expected f32[4], got f32[1]");
  auto executor = Executor::create(artifact, "forward", weightSource, nullptr);
  ASSERT_TRUE(executor);
  EXPECT_FALSE((*executor)->run(std::vector<Value>{vectorOf({1, 1, 1, 1})}));
  auto kind = (*executor)->run(std::vector<Value>{vectorOf({1, 1, 1, 1}), 1.5});
  ASSERT_FALSE(kind);
  EXPECT_EQ(kind.error().message, "argument 1: expected int, got float");
}

TEST(Executor, TakesInputsWhereTheyAre) {
  auto executor = Executor::create(makeArtifact(), "forward", weightSource, nullptr);
  ASSERT_TRUE(executor);
  auto owner = std::make_shared<std::vector<float>>(32, 1.0f);
  for (size_t place = 0; place < 16; ++place) {
    auto view = Tensor::view(ScalarType::Float, {4}, owner->data() + place, owner);
    auto results = (*executor)->run(std::vector<Value>{*view, int64_t(0)});
    ASSERT_TRUE(results);
    EXPECT_EQ((*results)[0].getIf<Tensor>()->as<float>()[0], 2.0f);
    EXPECT_EQ(seen, owner->data() + place);
  }
}

TEST(Executor, CopiesInputsAtOddAddresses) {
  auto executor = Executor::create(makeArtifact(), "forward", weightSource, nullptr);
  ASSERT_TRUE(executor);
  float ones[4] = {1, 1, 1, 1};
  char bytes[32];
  char *odd = bytes + (reinterpret_cast<uintptr_t>(bytes) % 2 ? 0 : 1);
  std::memcpy(odd, ones, sizeof ones);
  auto view = Tensor::view(ScalarType::Float, {4}, odd, nullptr);
  auto results = (*executor)->run(std::vector<Value>{*view, int64_t(0)});
  ASSERT_TRUE(results);
  EXPECT_EQ((*results)[0].getIf<Tensor>()->as<float>()[0], 2.0f);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(seen) % bufferAlignment, 0u);
}

TEST(Executor, ServesSeveralThreads) {
  auto executor = Executor::create(makeArtifact(), "forward", weightSource, nullptr);
  ASSERT_TRUE(executor);
  std::atomic<bool> wrong{false};
  std::vector<std::thread> callers;
  for (int c = 0; c < 4; ++c)
    callers.emplace_back([&, c] {
      std::vector<Value> inputs = {vectorOf({1, 1, 1, 1}), int64_t(c)};
      for (int repeat = 0; repeat < 200; ++repeat) {
        auto results = (*executor)->run(inputs);
        if (!results || (*results)[0].getIf<Tensor>()->as<float>()[1] != 4.0f + c)
          wrong = true;
      }
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_FALSE(wrong);
}

/// args: n, y, arena. y = f32[n], by way of n * n * 8 bytes of scratch, counted as compiled code
/// does.
static int32_t openEntry(jit_call *call, void *const *args) {
  int64_t n = *static_cast<int64_t *>(args[0]), bytes = 0;
  if (__builtin_mul_overflow(n, n, &bytes) || __builtin_mul_overflow(bytes, 8, &bytes))
    bytes = -1;
  auto *result = static_cast<float *>(jit_rt_result(call, 0, &n));
  if (!result || !jit_rt_scratch(call, 0, bytes)) {
    jit_rt_fail(call, "builtins.MemoryError", "out of memory", "", 0, nullptr);
    return 1;
  }
  std::fill_n(result, n, 1.0f);
  return 0;
}

TEST(Executor, RefusesMemoryThatCannotBeCounted) {
  Entry entry{.name = "forward", .run = openEntry};
  entry.arguments = {{ArgumentKind::Input, {false, ScalarType::Long, {}}, ""}};
  entry.results = {{{true, ScalarType::Float, {ValueType::openSize}}, ""}};
  auto artifact = std::make_shared<Artifact>();
  artifact->entries.push_back(entry);
  auto executor = Executor::create(artifact, "forward", weightSource, nullptr);
  ASSERT_TRUE(executor) << executor.error().str();
  auto run = [&](int64_t n) { return (*executor)->run(std::vector<Value>{n}); };
  ASSERT_TRUE(run(5));
  auto uncounted = run(int64_t(1) << 31);
  ASSERT_FALSE(uncounted);
  EXPECT_EQ(uncounted.error().code, ErrorCode::LimitExceeded);
  EXPECT_EQ(uncounted.error().message,
            "expected scratch that fits in memory, got more bytes than can be counted");
  for (int64_t n : {int64_t(-1), INT64_MAX}) {
    auto refused = run(n);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().code, ErrorCode::Raised) << refused.error().str();
  }
  ASSERT_TRUE(run(6));
}

//===- DeviceExecutorTest.cpp - plans, weights and guards on a device -----===//
//
// The kernels are written by hand for the emulated device, as compiled ones would be.
//
//===----------------------------------------------------------------------===//
#include "jit/Runtime/Executor.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace jit;
using namespace jit::runtime;

template <typename T> static T *pointer(uint64_t word) { return reinterpret_cast<T *>(word); }

/// to[i] = from[i] * 2.
static void twice(jit_thread *t, const uint64_t *args) {
  pointer<float>(args[0])[t->thread[0]] = 2 * pointer<float>(args[1])[t->thread[0]];
}

/// to[i] += from[i] * n, for an integer n and a double factor.
static void addScaled(jit_thread *t, const uint64_t *args) {
  double factor;
  std::memcpy(&factor, &args[3], sizeof factor);
  pointer<float>(args[0])[t->thread[0]] +=
      pointer<float>(args[1])[t->thread[0]] * float(int64_t(args[2])) * float(factor);
}

/// cell = x[0] < 100.
static void isSmall(jit_thread *, const uint64_t *args) {
  *pointer<uint8_t>(args[0]) = *pointer<float>(args[1]) < 100;
}

/// Words: x, factor, w, result y, result count, packed, arena, and two of the plan's own.
enum : int32_t { X, Factor, W, Y, Count, Packed, Arena, Index, Flag, Words };

static PlanOperand at(int32_t word, int64_t offset = 0) { return {word, offset}; }
static PlanOperand constant(int64_t value) { return {PlanOperand::none, value}; }

static Entry makeEntry() {
  ValueType vector{true, ScalarType::Float, {4}};
  Entry entry{.name = "forward"};
  entry.arguments = {{ArgumentKind::Input, vector, ""},
                     {ArgumentKind::Input, {false, ScalarType::Double, {}}, ""},
                     {ArgumentKind::Weight, vector, "w"}};
  entry.results = {{vector, ""}, {{false, ScalarType::Long, {}}, ""}};
  entry.packedBytes = {16};
  entry.arenaBytes = 128;
  return entry;
}

/// An artifact whose plan is made of `steps`; `.init` doubles the weight.
static std::shared_ptr<const Artifact> makeArtifact(PlanSteps steps) {
  auto code = std::make_shared<DeviceCode>();
  code->isEmulated = true;
  code->kernels = {{.name = "twice", .block = {4, 1, 1}, .emulated = twice},
                   {.name = "addScaled", .block = {4, 1, 1}, .emulated = addScaled},
                   {.name = "isSmall", .emulated = isSmall}};
  Entry entry = makeEntry();
  entry.plan = {std::move(steps), Words};
  // Of init: w, packed, arena.
  entry.initPlan = DevicePlan{{{LaunchStep{0, {at(1), at(0)}}}}, 3};
  auto artifact = std::make_shared<Artifact>();
  artifact->entries.push_back(entry);
  artifact->device = code;
  return artifact;
}

static Tensor vectorOf(std::vector<float> values) {
  return *Tensor::from<float>(ScalarType::Float, {int64_t(values.size())}, values);
}

static Result<std::vector<Value>> call(PlanSteps steps, std::vector<float> x, double factor = 0.5) {
  auto source = [](const std::string &) -> Result<Tensor> { return vectorOf({1, 2, 3, 4}); };
  auto executor = Executor::create(makeArtifact(std::move(steps)), "forward", source, nullptr);
  if (!executor)
    return executor.takeError();
  std::vector<Value> inputs = {vectorOf(std::move(x)), factor};
  auto first = (*executor)->run(inputs);
  // The second call finds the buffers of the first.
  return first ? (*executor)->run(inputs) : std::move(first);
}

static std::vector<float> floats(const Value &value) {
  auto *tensor = value.getIf<Tensor>();
  return {tensor->as<float>(), tensor->as<float>() + tensor->numElements()};
}

/// y = x, and the count is 0.
static PlanSteps copies() {
  return {{CopyStep{at(Y), at(X), 16}}, {CopyStep{at(Count), at(Arena), 8}}};
}

TEST(DeviceExecutor, LoopsLaunchWithNumbersAndPackedWeights) {
  PlanSteps steps = copies();
  PlanSteps body = {{LaunchStep{1, {at(Y), at(Packed), at(Index), at(Factor)}}}};
  steps.push_back({LoopStep{Index, constant(1), constant(6), constant(2), body}});
  auto results = call(steps, {10, 20, 30, 40});
  ASSERT_TRUE(results) << results.error().message;
  // x + 2w * 0.5 * (1 + 3 + 5).
  EXPECT_EQ(floats((*results)[0]), (std::vector<float>{19, 38, 57, 76}));
  EXPECT_NE((*results)[1].getIf<int64_t>(), nullptr);
}

TEST(DeviceExecutor, WhileAndBranchReadTheDevice) {
  // while y[0] < 100: y *= 2
  PlanSteps test = {{LaunchStep{2, {at(Arena, 64), at(Y)}}},
                    {ReadStep{Flag, at(Arena, 64), ScalarType::Bool}}};
  PlanSteps steps = copies();
  steps.push_back({WhileStep{test, at(Flag), {{LaunchStep{0, {at(Y), at(Y)}}}}}});
  // if x[0] < 100: y *= 2
  steps.push_back({LaunchStep{2, {at(Arena, 64), at(X)}}});
  steps.push_back({ReadStep{Flag, at(Arena, 64), ScalarType::Bool}});
  steps.push_back({BranchStep{at(Flag), {{LaunchStep{0, {at(Y), at(Y)}}}}, {}}});
  auto small = call(steps, {30, 1, 0, -1}), large = call(steps, {300, 1, 0, -1});
  ASSERT_TRUE(small && large);
  EXPECT_EQ(floats((*small)[0]), (std::vector<float>{240, 8, 0, -8}));
  EXPECT_EQ(floats((*large)[0]), (std::vector<float>{300, 1, 0, -1}));
}

TEST(DeviceExecutor, SetExchangesPointers) {
  // Two words change places five times, then the first is copied.
  PlanSteps steps = {{SetStep{{{Index, at(X)}, {Flag, at(Packed)}}}}};
  for (int i = 0; i < 5; ++i)
    steps.push_back({SetStep{{{Index, at(Flag)}, {Flag, at(Index)}}}});
  steps.push_back({CopyStep{at(Y), at(Index), 16}});
  auto results = call(steps, {0, 0, 0, 0});
  ASSERT_TRUE(results);
  EXPECT_EQ(floats((*results)[0]), (std::vector<float>{2, 4, 6, 8}));
}

TEST(DeviceExecutor, GuardsRaise) {
  PlanSteps steps = copies();
  steps.push_back({ReadStep{Index, at(X, 4), ScalarType::Float}});
  steps.push_back({GuardStep{constant(1), "builtins.ValueError", "never", "", {}}});
  GuardStep guard{constant(0), "builtins.ValueError", "got {} and {}", "m.py:3", {}};
  guard.arguments = {{JIT_ARG_FLOAT, at(Index)}, {JIT_ARG_INT, constant(-3)}};
  steps.push_back({guard});
  auto results = call(steps, {0, 1.5, 0, 0});
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().code, ErrorCode::Raised);
  EXPECT_EQ(results.error().message, "got 1.5 and -3");
  EXPECT_EQ(results.error().where, "m.py:3");
}

TEST(DeviceExecutor, RefusesWhatDoesNotFit) {
  auto results = call(copies(), {1, 2, 3});
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(results.error().message, "argument 0: expected f32[4], got f32[3]");
}

//===----------------------------------------------------------------------===//
// Sizes that a call tells
//===----------------------------------------------------------------------===//

/// to[i] = from[i] * 2 for i below n.
static void twiceAll(jit_thread *, const uint64_t *args) {
  for (uint64_t i = 0; i < args[2]; ++i)
    pointer<float>(args[0])[i] = 2 * pointer<float>(args[1])[i];
}

/// y = 4 * x of any size n, by way of scratch, and without the last element where n is odd.
static std::shared_ptr<const Artifact> makeOpenArtifact() {
  enum : int32_t { Input, OpenArena, N, Half, Even, Piece, Result, Last };
  auto code = std::make_shared<DeviceCode>();
  code->isEmulated = true;
  code->kernels = {{.name = "twiceAll", .emulated = twiceAll}};
  ValueType vector{true, ScalarType::Float, {ValueType::openSize}};
  Entry entry{.name = "forward"};
  entry.arguments = {{ArgumentKind::Input, vector, ""}};
  entry.results = {{vector, ""}};
  entry.plan.words = Last;
  entry.plan.steps = {{GuardStep{at(N), "builtins.ValueError", "expected {} numbers", "", {}}},
                      {ComputeStep{Half, SizeOperation::Divide, at(N), constant(2)}},
                      {ComputeStep{Even, SizeOperation::Multiply, at(Half), constant(2)}},
                      {ScratchStep{Piece, 0, 4, {at(N)}}},
                      {LaunchStep{0, {at(Piece), at(Input), at(N)}}},
                      {ResultStep{Result, 0, {at(Even)}}},
                      {LaunchStep{0, {at(Result), at(Piece), at(Even)}}}};
  auto artifact = std::make_shared<Artifact>();
  artifact->entries.push_back(entry);
  artifact->device = code;
  return artifact;
}

TEST(DeviceExecutor, SizesGrowAndShrinkFromCallToCall) {
  auto executor = Executor::create(makeOpenArtifact(), "forward", nullptr, nullptr);
  ASSERT_TRUE(executor) << executor.error().message;
  std::vector<Value> kept;
  for (int64_t size : {4, 3, 5000, 7, 20000, 4}) {
    std::vector<float> x(static_cast<size_t>(size), float(size)), expected;
    expected.assign(static_cast<size_t>(size / 2 * 2), 4 * float(size));
    std::vector<Value> inputs = {vectorOf(x)};
    auto results = (*executor)->run(inputs);
    ASSERT_TRUE(results) << results.error().message;
    EXPECT_EQ(floats((*results)[0]), expected);
    kept.push_back((*results)[0]);
  }
  // Results are their caller's.
  EXPECT_EQ(floats(kept[0]), (std::vector<float>{16, 16, 16, 16}));
}

TEST(DeviceExecutor, OpenSizesAreGuarded) {
  auto executor = Executor::create(makeOpenArtifact(), "forward", nullptr, nullptr);
  ASSERT_TRUE(executor) << executor.error().message;
  std::vector<Value> empty = {*Tensor::allocate(ScalarType::Float, {0})};
  auto results = (*executor)->run(empty);
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().code, ErrorCode::Raised);
  std::vector<Value> wrong = {*Tensor::allocate(ScalarType::Float, {2, 2})};
  results = (*executor)->run(wrong);
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().message, "argument 0: expected f32[?], got f32[2,2]");
}

TEST(DeviceExecutor, RefusesSizesThatNoMemoryHas) {
  auto artifact = std::make_shared<Artifact>(*makeOpenArtifact());
  PlanSteps &steps = artifact->entries[0].plan.steps;
  std::get<ScratchStep>(steps[3].action).bytes = int64_t(1) << 62;
  std::vector<Value> inputs = {vectorOf({1, 2, 3, 4, 5})};
  auto executor = Executor::create(artifact, "forward", nullptr, nullptr);
  auto results = (*executor)->run(inputs);
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().code, ErrorCode::LimitExceeded);
  std::get<ScratchStep>(steps[3].action).bytes = 4;
  std::get<ComputeStep>(steps[1].action).right = constant(0);
  results = (*Executor::create(artifact, "forward", nullptr, nullptr))->run(inputs);
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().message, "expected sizes that can be divided, got 5 by 0");
  std::get<ComputeStep>(steps[1].action).right = constant(-2);
  results = (*Executor::create(artifact, "forward", nullptr, nullptr))->run(inputs);
  ASSERT_FALSE(results) << "a size below 0";
}

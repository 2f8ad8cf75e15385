//===- CudaTest.cpp - packages for a GPU ----------------------------------===//
//
// The driver is the one of unittests/Cuda/driver, the plans are encoded as jit-compile does.
//
//===----------------------------------------------------------------------===//
extern "C" {
#include "Module.h"

// NOLINTBEGIN(readability-identifier-naming): names of C
jit_status jit_artifact_open(const jit_open_options *options, jit_module **module,
                             jit_error *error);
void jit_artifact_close(jit_module *module);
jit_status jit_artifact_call(jit_module *module, const char *method, const jit_value *arguments,
                             size_t count, jit_value *results, size_t result_count,
                             jit_error *error);
extern const jit_device_functions jit_cuda_functions;
extern const jit_package jit_packages[];
extern const int32_t jit_package_count;
// NOLINTEND(readability-identifier-naming)
}
#include "jit/Runtime/PlanCode.h"

#include <gtest/gtest.h>

#include <cstring>
#include <dlfcn.h>
#include <thread>

using namespace jit;
using namespace jit::runtime;

namespace {
constexpr int64_t four[] = {4};
const int32_t firstPath[] = {0}, secondPath[] = {1};
const float weights[] = {1, 2, 3, 4};

jit_pattern vectorPattern() noexcept {
  return {.kind = JIT_KIND_TENSOR,
          .dtype = JIT_F32,
          .open = 0,
          .count = 1,
          .word = 0,
          .sizes = four,
          .size_names = nullptr,
          .text = nullptr,
          .items = nullptr};
}

jit_pattern intPattern() noexcept {
  return {.kind = JIT_KIND_INT,
          .dtype = 0,
          .open = 1,
          .count = 0,
          .word = 0,
          .sizes = nullptr,
          .size_names = nullptr,
          .text = nullptr,
          .items = nullptr};
}

const jit_pattern patterns[] = {vectorPattern(), intPattern()};
const jit_kernel twice = {"twice", {1, 1, 1}, {4, 1, 1}, 0, 0},
                 missing = {"missing", {1, 1, 1}, {4, 1, 1}, 0, 0},
                 words = {"words", {1, 1, 1}, {4, 1, 1}, 100000, 0};

/// y of x: f32[4], count: int and a weight: f32[4]; words 0 to 2, y 3, packed 4, arena 5.
struct Program {
  PlanTables tables;
  std::vector<const char *> textPointers;
  std::vector<int64_t> run, init;
  jit_device_code code = {};
  jit_operand operands[3] = {};
  jit_output output = {};
  jit_variant variant = {};

  Program(const PlanSteps &steps, const PlanSteps &initSteps, const jit_kernel *kernel,
          const char *ptx, const char *cubin, int64_t arenaBytes);
};

const int64_t packedBytes[] = {16};

Program::Program(const PlanSteps &steps, const PlanSteps &initSteps, const jit_kernel *kernel,
                 const char *ptx, const char *cubin, int64_t arenaBytes)
    : run(encodePlan(steps, tables)), init(encodePlan(initSteps, tables)) {
  for (const std::string &text : tables.texts)
    textPointers.push_back(text.c_str());
  code.capability = 80;
  code.ptx = ptx;
  code.cubin = cubin;
  code.kernels = kernel;
  code.kernel_count = 1;
  code.texts = textPointers.data();
  code.packed_bytes = packedBytes;
  code.packed_count = 1;
  code.run = {run.data(), int64_t(run.size()), 8};
  code.init = {init.data(), int64_t(init.size()), 3};
  code.arena_bytes = arenaBytes;
  code.init_arena_bytes = 16;
  operands[0] = {{JIT_PLACE_ARGUMENT, 0, 1, firstPath}, 16, 0, JIT_KIND_NONE};
  operands[1] = {{JIT_PLACE_ARGUMENT, 0, 1, secondPath}, 0, 0, JIT_KIND_INT};
  operands[2] = {{JIT_PLACE_BLOB, 0, 0, nullptr}, 16, 0, JIT_KIND_NONE};
  output = {vectorPattern(), 16, {JIT_PLACE_RESULT, 0, 0, nullptr}, 0, -1};
  variant.device = &code;
  variant.device_count = 1;
  variant.structure = "%0";
  variant.argument_count = 2;
  variant.operand_count = 3;
  variant.output_count = variant.result_count = 1;
  variant.arguments = patterns;
  variant.operands = operands;
  variant.outputs = &output;
}

PlanOperand at(int32_t word, int64_t offset = 0) { return {word, offset}; }
PlanOperand constant(int64_t value) { return {PlanOperand::none, value}; }
LaunchStep launch(PlanOperand to, PlanOperand from) { return {0, {to, from, constant(4)}}; }

// NOLINTBEGIN(bugprone-throwing-static-initialization): jit_packages has to be static, and is made
// here

/// packed = 2 * weight
const PlanSteps fill = {{launch(at(1), at(0))}};
/// y = 2 * packed as often as the count says, its last element x's; a count above 9 raises.
const PlanSteps steps = {
    // word 6 = count - 10, word 7 = what it was before
    {SetStep{{{6, at(1, -10)}, {7, at(6)}}}},
    {BranchStep{
        at(6),
        {},
        {{GuardStep{
            constant(0), "builtins.ValueError", "got {}", "m.py:3", {{JIT_ARG_INT, at(1)}}}}}}},
    {LoopStep{6,
              constant(0),
              at(1),
              constant(1),
              {{launch(at(5), at(4))}, {CopyStep{at(3), at(5), 16}}}}},
    {CopyStep{at(3, 12), at(0, 12), 4}},
    // word 7 = the first four bytes of x; while it is not 0: y[0] = x[1], and word 7 = 0
    {ReadStep{7, at(0), ScalarType::Int}},
    {WhileStep{{}, at(7), {{CopyStep{at(3), at(0, 4), 4}}, {SetStep{{{7, constant(0)}}}}}}},
};

/// y = two words of the map: the driver's number of its type, and its first size.
const PlanSteps describe = {
    {LaunchStep{
        0, {at(5), at(0)}, {{1, ScalarType::BFloat16, {100, 40, 3}, {208, 8320}, {64, 128, 1}}}}},
    {CopyStep{at(3), at(5, 8), 16}}};

/// What only the call can tell is not supported.
const PlanSteps refuse = {{GuardStep{
    constant(0), "jit.Unsupported", "expected a few, got {}", "m.py:4", {{JIT_ARG_INT, at(1)}}}}};

/// A number that the host does not know.
const PlanSteps readHalf = {{ReadStep{7, at(0), ScalarType::Half}}};

const Program programs[] = {{steps, fill, &twice, "kernels", nullptr, 64},
                            {steps, fill, &twice, "broken", "kernels", 64},
                            {steps, fill, &twice, "kernels", "another chip's", 64},
                            {steps, fill, &twice, "broken", nullptr, 64},
                            {steps, fill, &missing, "kernels", nullptr, 64},
                            {steps, fill, &twice, "kernels", nullptr, int64_t(1) << 40},
                            {describe, {}, &words, "kernels", nullptr, 128},
                            {refuse, {}, &twice, "kernels", nullptr, 64},
                            {readHalf, {}, &twice, "kernels", nullptr, 64}};

/// The same code, for GPUs of another capability, or of this alone.
jit_device_code codeFor(const Program &program, int32_t capability, int32_t isOfItAlone) {
  jit_device_code code = program.code;
  code.capability = capability;
  code.is_of_it_alone = isOfItAlone;
  return code;
}
/// The device's is 9.0. What is not to be taken is broken.
const jit_device_code several[] = {codeFor(programs[3], 100, 0), codeFor(programs[3], 80, 1),
                                   codeFor(programs[0], 90, 1), codeFor(programs[3], 90, 0)};

jit_variant variantFor(const jit_device_code *codes, int32_t count) {
  jit_variant variant = programs[0].variant;
  variant.device = codes;
  variant.device_count = count;
  return variant;
}

const jit_variant variants[] = {
    programs[0].variant, programs[1].variant,    programs[2].variant,    programs[3].variant,
    programs[4].variant, programs[5].variant,    programs[6].variant,    programs[7].variant,
    programs[8].variant, variantFor(several, 4), variantFor(several, 2), variantFor(several, 1)};
const char *const argumentNames[] = {"x", "count"};
const jit_method methods[] = {
    {"ptx", argumentNames, 2, 0, 1, 0, 0},         {"cubin", argumentNames, 2, 1, 1, 0, 0},
    {"either", argumentNames, 2, 2, 1, 0, 0},      {"broken", argumentNames, 2, 3, 1, 0, 0},
    {"missing", argumentNames, 2, 4, 1, 0, 0},     {"large", argumentNames, 2, 5, 1, 0, 0},
    {"mapped", argumentNames, 2, 6, 1, 0, 0},      {"refuse", argumentNames, 2, 7, 1, 0, 0},
    {"half", argumentNames, 2, 8, 1, 0, 0},        {"of several", argumentNames, 2, 9, 1, 0, 0},
    {"of another", argumentNames, 2, 10, 1, 0, 0}, {"of later", argumentNames, 2, 11, 1, 0, 0}};
const jit_blob blob = {weights, 0, sizeof weights};

jit_package makePackage() {
  jit_package package = {};
  package.name = "program";
  package.cpu = "generic";
  package.device = &jit_cuda_functions;
  package.blobs = &blob;
  package.blob_count = 1;
  package.methods = methods;
  package.method_count = 12;
  package.variants = variants;
  package.variant_count = 12;
  package.arena_bytes = 64;
  return package;
}

struct Module {
  jit_module *handle = nullptr;
  explicit Module(size_t device = 0) {
    jit_open_options options = {sizeof options, nullptr, 0, device};
    EXPECT_EQ(jit_artifact_open(&options, &handle, nullptr), JIT_OK);
  }
  ~Module() { jit_artifact_close(handle); }
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;

  jit_status call(const char *method, int64_t count, std::vector<float> x, float *y,
                  jit_error *error) {
    jit_value arguments[2] = {}, result = {};
    arguments[0].kind = result.kind = JIT_KIND_TENSOR;
    arguments[0].as.tensor = {x.data(), four, nullptr, 1, JIT_F32};
    arguments[1].kind = JIT_KIND_INT;
    arguments[1].as.integer = count;
    result.as.tensor = {y, four, nullptr, 1, JIT_F32};
    return jit_artifact_call(handle, method, arguments, 2, &result, 1, error);
  }
  void expectTwice(const char *method) {
    float y[4] = {};
    jit_error error = {};
    ASSERT_EQ(call(method, 2, {0, 5, 6, 7}, y, &error), JIT_OK) << error.message;
    EXPECT_EQ(std::vector<float>(y, y + 4), (std::vector<float>{4, 8, 12, 7}));
    ASSERT_EQ(call(method, 1, {1, 5, 6, 7}, y, &error), JIT_OK) << error.message;
    EXPECT_EQ(std::vector<float>(y, y + 4), (std::vector<float>{5, 8, 12, 7}));
  }
  void expectError(const char *method, int64_t count, jit_status status, const char *message) {
    float y[4] = {};
    jit_error error = {};
    EXPECT_EQ(call(method, count, {0, 5, 6, 7}, y, &error), status);
    EXPECT_STREQ(error.message, message);
  }
};

/// Lets a call of the driver fail: its `number`th from now on.
void failDriver(const char *name, size_t number) {
  auto fail = reinterpret_cast<void (*)(const char *, size_t)>(
      dlsym(dlopen("libcuda.so.1", RTLD_NOW), "fakeCudaFail"));
  ASSERT_NE(fail, nullptr);
  fail(name, number);
}

size_t allocations() {
  auto count = reinterpret_cast<size_t (*)()>(
      dlsym(dlopen("libcuda.so.1", RTLD_NOW), "fakeCudaAllocations"));
  EXPECT_NE(count, nullptr);
  return count ? count() : 0;
}
} // namespace

const jit_package jit_packages[] = {makePackage()};
const int32_t jit_package_count = 1;
// NOLINTEND(bugprone-throwing-static-initialization)

TEST(CudaPackage, DoesWhatPlansSay) { Module().expectTwice("ptx"); }
TEST(CudaPackage, PrefersTheCubin) { Module().expectTwice("cubin"); }
TEST(CudaPackage, FallsBackToPtx) { Module().expectTwice("either"); }

TEST(CudaPackage, DescribesTensorsToKernels) {
  int64_t words[2] = {};
  jit_error error = {};
  float y[4] = {};
  ASSERT_EQ(Module().call("mapped", 1, {1, 2, 3, 4}, y, &error), JIT_OK) << error.message;
  std::memcpy(words, y, sizeof words);
  EXPECT_EQ(words[0], 9);
  EXPECT_EQ(words[1], 100);
}

TEST(CudaPackage, ServesOtherThreads) {
  Module module;
  module.expectTwice("ptx");
  std::thread other([&] { module.expectTwice("cubin"); });
  other.join();
  module.expectTwice("ptx");
}

TEST(CudaPackage, RaisesItsOwnExceptions) {
  Module module;
  module.expectError("ptx", 10, JIT_RAISED, "got 10");
  module.expectTwice("ptx");
}

TEST(CudaPackage, SaysWhatIsNotSupported) {
  Module().expectError("refuse", 7, JIT_UNSUPPORTED, "expected a few, got 7");
}

TEST(CudaPackage, SaysWhatTheDriverSaid) {
  Module module;
  module.expectError("broken", 1, JIT_UNSUPPORTED,
                     "expected kernels that the driver takes, got CUDA error 209: no kernel image\n"
                     "line 1: expected '.version', got 'broken'");
  module.expectError("missing", 1, JIT_INTERNAL,
                     "expected a kernel called missing, got CUDA error 500: an error");
  module.expectError(
      "large", 1, JIT_LIMIT_EXCEEDED,
      "expected memory of 1099511627776 bytes on the device, got CUDA error 2: out of "
      "memory");
  module.expectTwice("ptx");
}

TEST(CudaPackage, ReadsNumbersThatTheHostKnows) {
  Module().expectError("half", 1, JIT_INTERNAL, "expected a number that the host knows, got f16");
}

TEST(CudaPackage, SaysThatTheDeviceFailed) {
  Module module;
  module.expectTwice("ptx");
  for (const char *name : {"cuMemcpyHtoDAsync_v2", "cuStreamSynchronize"}) {
    failDriver(name, 1);
    float y[4] = {};
    jit_error error = {};
    EXPECT_EQ(module.call("ptx", 1, {0, 5, 6, 7}, y, &error), JIT_INTERNAL) << error.message;
  }
  failDriver("cuCtxPushCurrent_v2", 1);
  module.expectError("ptx", 1, JIT_INTERNAL,
                     "expected a context to work in, got CUDA error 999: an error");
  failDriver("", 0);
  module.expectTwice("ptx");
}

TEST(CudaPackage, FreesWhatItTook) {
  Module().expectTwice("ptx");
  Module().expectError(
      "large", 1, JIT_LIMIT_EXCEEDED,
      "expected memory of 1099511627776 bytes on the device, got CUDA error 2: out "
      "of memory");
  EXPECT_EQ(allocations(), 0u);
}

TEST(CudaPackage, RunsOnTheDeviceThatItWasOpenedFor) {
  auto of = reinterpret_cast<size_t (*)(int)>(
      dlsym(dlopen("libcuda.so.1", RTLD_NOW), "fakeCudaAllocationsOf"));
  Module second(1);
  second.expectTwice("ptx");
  EXPECT_EQ(of(0), 0u);
  EXPECT_GT(of(1), 0u);
  Module(2).expectError("ptx", 1, JIT_UNSUPPORTED,
                        "expected a CUDA device of number 2, got CUDA error 101: an error");
}

TEST(CudaPackage, TakesTheFirstCodeThatFits) {
  Module().expectTwice("of several");
  Module().expectError("of another", 1, JIT_UNSUPPORTED,
                       "expected a GPU of compute capability 8.0, got one of 9.0");
  Module().expectError("of later", 1, JIT_UNSUPPORTED,
                       "expected a GPU of compute capability 10.0 or later, got one of 9.0");
}

TEST(CudaPackage, LeavesTheCallersContextAlone) {
  void *driver = dlopen("libcuda.so.1", RTLD_NOW);
  auto push = reinterpret_cast<int (*)(void *)>(dlsym(driver, "cuCtxPushCurrent_v2"));
  auto pop = reinterpret_cast<int (*)(void **)>(dlsym(driver, "cuCtxPopCurrent_v2"));
  int others = 0;
  void *found = nullptr;
  ASSERT_EQ(push(&others), 0);
  Module().expectTwice("ptx");
  Module().expectError("missing", 1, JIT_INTERNAL,
                       "expected a kernel called missing, got CUDA error 500: an error");
  EXPECT_EQ(pop(&found), 0);
  EXPECT_EQ(found, &others);
  EXPECT_NE(pop(&found), 0) << "nothing else is left there";
}

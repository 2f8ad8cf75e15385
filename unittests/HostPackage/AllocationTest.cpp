//===- AllocationTest.cpp - packages where memory is exhausted ------------===//
#include "FailingAllocation.h"
#include "Program.h"

#include <cstdlib>
#include <string_view>

using namespace jit::test;

TEST(PackageAllocation, OpeningFailsWithAnError) {
  jit_open_options options = {sizeof options, nullptr, 3};
  jit_module *module = nullptr;
  jit_error error = {};
  auto open = [&] {
    module = nullptr;
    return jit_artifact_open(&options, &module, &error) == JIT_OK;
  };
  failEachAllocation(
      open, [&] { return error.status == JIT_LIMIT_EXCEEDED && !module; },
      [&] {
        jit_artifact_close(module);
        bool isOpen = open();
        jit_artifact_close(module);
        return isOpen;
      });
}

TEST(PackageAllocation, CallsFailWithAnErrorAndLeaveTheStateAlone) {
  float x[4] = {1, 2, 3, 4}, expected = 0;
  std::vector<int64_t> four = {4}, two = {2, 2}, backwards = {-2, -1};
  Module module;
  struct Call {
    const char *method;
    jit_value argument;
    size_t results;
  };
  const Call calls[] = {{"both", tensorValue(x, four), 2},
                        {"square", intValue(5), 1},
                        {"borrow", intValue(100), 1},
                        {"any", tensorValue(x + 3, two, backwards), 1},
                        {"add", tensorValue(x, four), 1}};
  for (const Call &call : calls) {
    jit_value results[2] = {};
    jit_error error = {};
    auto attempt = [&] {
      return jit_artifact_call(module.handle, call.method, &call.argument, 1, results, call.results,
                               &error) == JIT_OK;
    };
    auto take = [&] {
      for (jit_value &result : results) {
        if (result.kind == JIT_KIND_TENSOR)
          std::free(result.as.tensor.data);
        result = {};
      }
    };
    failEachAllocation(
        [&] {
          bool isDone = attempt();
          expected += isDone && call.method == std::string_view("add");
          return isDone;
        },
        [&] { return error.status == JIT_LIMIT_EXCEEDED; },
        [&] {
          take();
          jit_value total = {};
          jit_artifact_state(module.handle, "total", &total, nullptr);
          return static_cast<float *>(total.as.tensor.data)[0] == expected;
        });
    EXPECT_TRUE(attempt());
    expected += call.method == std::string_view("add");
    take();
  }
}

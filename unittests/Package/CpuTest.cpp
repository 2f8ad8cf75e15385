//===- CpuTest.cpp - which code a CPU gets --------------------------------===//
extern "C" {
#include "Module.h"
}

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace {
const jit_cpu_feature avx2 = {"avx2", 7, 0, 1, 5}, avx512f = {"avx512f", 7, 0, 1, 16},
                      popcnt = {"popcnt", 1, 0, 2, 23};
const jit_cpu_feature newest[] = {popcnt, avx2, avx512f}, newer[] = {popcnt, avx2},
                      older[] = {popcnt};
constexpr uint32_t ymm = 0x6, zmm = 0xe6;

jit_package made(const char *cpu, std::span<const jit_cpu_feature> features) {
  jit_package package = {};
  package.name = "program";
  package.cpu = cpu;
  package.features = features.data();
  package.feature_count = int32_t(features.size());
  return package;
}

/// Registers by leaf and number: what the CPU at hand answers.
uint32_t answers[2][4];

void cpuid(uint32_t leaf, uint32_t, uint32_t registers[4]) {
  for (int i = 0; i < 4; ++i)
    registers[i] = leaf == 0 ? 7 : leaf == 1 ? answers[0][i] : leaf == 7 ? answers[1][i] : 0;
}

/// The CPU whose code a CPU with these features takes, or the error.
std::string chosen(std::vector<jit_cpu_feature> features, uint32_t saved,
                   const std::vector<jit_package> &packages) {
  std::fill(&answers[0][0], &answers[0][0] + 8, 0);
  for (const jit_cpu_feature &feature : features)
    answers[feature.leaf == 7][feature.reg] |= 1u << feature.bit;
  jit_cpu cpu = {cpuid, saved};
  const jit_package *package = nullptr;
  jit_error error = {};
  jit_status status =
      jit_choose_package(&cpu, packages.data(), int32_t(packages.size()), &package, &error);
  EXPECT_EQ(status, status == JIT_OK ? JIT_OK : JIT_UNSUPPORTED);
  return status == JIT_OK ? package->cpu : error.message;
}

std::vector<jit_package> three() {
  return {made("v4", newest), made("v3", newer), made("v2", older)};
}
} // namespace

TEST(ChoosesPackage, ThatAsksMostOfTheCpu) {
  EXPECT_EQ(chosen({popcnt, avx2, avx512f}, zmm, three()), "v4");
  EXPECT_EQ(chosen({popcnt, avx2}, ymm, three()), "v3");
  EXPECT_EQ(chosen({popcnt}, 0, three()), "v2");
}

TEST(ChoosesPackage, WithoutRegistersThatTheSystemDoesNotSave) {
  EXPECT_EQ(chosen({popcnt, avx2, avx512f}, ymm, three()), "v3");
  EXPECT_EQ(chosen({popcnt, avx2, avx512f}, 0, three()), "v2");
}

TEST(ChoosesPackage, OnlyWhereNothingIsMissing) {
  EXPECT_EQ(chosen({avx2, avx512f}, zmm, three()),
            "expected a CPU with popcnt, which 'program' was compiled for");
  EXPECT_EQ(chosen({popcnt}, 0, {made("v3", newer)}),
            "expected a CPU with avx2, which 'program' was compiled for");
}

TEST(ChoosesPackage, ByLeavesThatTheCpuHas) {
  jit_cpu_feature later = {"later", 9, 0, 0, 0};
  EXPECT_EQ(chosen({popcnt}, 0, {made("v9", std::span(&later, 1)), made("v2", older)}), "v2");
}

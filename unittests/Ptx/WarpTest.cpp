//===- WarpTest.cpp - lanes that part, meet and exchange ------------------===//
#include "Kernels.h"

#include <gtest/gtest.h>

using namespace ptx;

static const std::string keep = "shl.b32 %r30, %r0, 2;\ncvt.u64.u32 %rd1, %r30;\n"
                                "add.s64 %rd1, %rd0, %rd1;\nst.global.b32 [%rd1], %r1;";

TEST(PtxWarp, LanesMeetAgainAfterTheyParted) {
  // Odd lanes go round a loop as often as their number says; then all exchange.
  Outcome outcome = runStatements(
      "mov.b32 %r2, 0;\nand.b32 %r3, %r0, 1;\nsetp.eq.s32 %p0, %r3, 0;\n@%p0 bra together;\n"
      "again:\nadd.s32 %r2, %r2, 1;\nsetp.lt.s32 %p1, %r2, %r0;\n@%p1 bra again;\ntogether:\n"
      "shfl.sync.bfly.b32 %r1, %r2, 1, 31, -1;\n" +
          keep,
      32, 32);
  EXPECT_EQ(outcome.error, "");
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(outcome.words[i], i % 2 ? 0 : i + 1) << i;
}

TEST(PtxWarp, ShufflesStayInTheirSegments) {
  Outcome outcome = runStatements("shfl.sync.down.b32 %r1, %r0, 3, 0x181f, -1;\n" + keep, 32, 32);
  EXPECT_EQ(outcome.error, "");
  // Segments of 8 lanes.
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(outcome.words[i], i % 8 < 5 ? i + 3 : i) << i;
}

TEST(PtxWarp, AShuffleOfLanesThatDoNotComeIsAnError) {
  Outcome outcome = runStatements("setp.gt.s32 %p0, %r0, 15;\n@%p0 bra away;\n"
                                  "shfl.sync.bfly.b32 %r1, %r0, 1, 31, -1;\naway:",
                                  32, 32);
  EXPECT_NE(outcome.error.find("expected"), std::string::npos);
}

TEST(PtxWarp, ABarrierThatSomeDoNotReachIsAnError) {
  Outcome outcome = runStatements("setp.gt.s32 %p0, %r0, 40;\n@%p0 bar.sync 0;\n"
                                  "@!%p0 bar.sync 1;",
                                  64, 64);
  EXPECT_NE(outcome.error.find("expected threads that go on"), std::string::npos) << outcome.error;
}

TEST(PtxWarp, VotesAndReductions) {
  Outcome outcome = runStatements("setp.lt.s32 %p0, %r0, 5;\nvote.sync.ballot.b32 %r2, %p0, -1;\n"
                                  "redux.sync.add.s32 %r3, %r0, -1;\nadd.s32 %r1, %r2, %r3;\n" +
                                      keep,
                                  32, 32);
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.words[7], 31u + 496u);
}

/// A = rows of their number's bit, B = ones: by fragments as the manual draws them.
TEST(PtxWarp, MultipliesMatrices) {
  std::string text =
      "shr.u32 %r2, %r0, 2;\ncvt.rn.f32.u32 %r3, %r2;\nadd.rn.f32 %r4, %r3, 0f41000000;\n"
      "cvt.rn.f16x2.f32 %r5, %r3, %r3;\ncvt.rn.f16x2.f32 %r6, %r4, %r4;\n"
      "mov.b32 %r7, 0x3c003c00;\nmov.b32 %r8, 0f3F000000;\n"
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r10, %r11, %r12, %r13}, "
      "{%r5, %r6, %r5, %r6}, {%r7, %r7}, {%r8, %r8, %r8, %r8};\n"
      "add.rn.f32 %r14, %r11, %r12;\ncvt.rzi.u32.f32 %r1, %r14;\n" +
      keep;
  Outcome outcome = runStatements(text, 32, 32);
  EXPECT_EQ(outcome.error, "");
  // Row g and row g + 8, 16 times each, and 0.5 each.
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(outcome.words[i], 16 * (i / 4) + 16 * (i / 4 + 8) + 1) << i;
}

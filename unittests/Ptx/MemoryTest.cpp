//===- MemoryTest.cpp - bounds, alignment and races -----------------------===//
#include "Kernels.h"

#include <gtest/gtest.h>

using namespace ptx;

static void expectError(const Outcome &outcome, const std::string &text) {
  EXPECT_NE(outcome.error.find(text), std::string::npos) << outcome.error;
}

/// Each thread leaves its number in shared memory and takes that of the thread `by` lanes on.
static std::string exchange(const std::string &between, int by = 32) {
  return "shl.b32 %r1, %r0, 2;\nmov.b32 %r2, buffer;\nadd.s32 %r3, %r2, %r1;\n"
         "st.shared.b32 [%r3], %r0;\n" +
         between + "add.s32 %r4, %r0, " + std::to_string(by) +
         ";\nand.b32 %r4, %r4, 63;\nshl.b32 %r5, %r4, 2;\nadd.s32 %r5, %r2, %r5;\n"
         "ld.shared.b32 %r6, [%r5];\ncvt.u64.u32 %rd1, %r1;\nadd.s64 %rd1, %rd0, %rd1;\n"
         "st.global.b32 [%rd1], %r6;";
}
static const char *const buffer = ".shared .align 4 .b8 buffer[256];";

TEST(PtxMemory, SharedMemoryIsExchangedByABarrier) {
  Outcome outcome = runStatements(exchange("bar.sync 0;\n"), 64, 64, buffer);
  EXPECT_EQ(outcome.error, "");
  for (uint32_t i = 0; i < 64; ++i)
    EXPECT_EQ(outcome.words[i], (i + 32) % 64);
}

TEST(PtxMemory, AMissingBarrierIsARace) {
  expectError(runStatements(exchange(""), 64, 64, buffer), "a race with a ");
  // In a warp too, and a shuffle orders nothing.
  expectError(
      runStatements(exchange("shfl.sync.bfly.b32 %r7, %r0, 1, 31, -1;\n", 1), 32, 32, buffer),
      "a race with a ");
}

TEST(PtxMemory, WarpsOrderTheirLanes) {
  std::string text = exchange("bar.warp.sync -1;\n", 1);
  expectError(runStatements(text, 64, 64, buffer), "a race with a ");
  size_t all = text.find("63;");
  text.replace(all, 3, "31;");
  EXPECT_EQ(runStatements(text, 32, 32, buffer).error, "");
}

TEST(PtxMemory, AWriteAfterReadsNeedsABarrierToo) {
  std::string text = exchange("bar.sync 0;\n") + "\n%s st.shared.b32 [%r3], %r6;";
  for (auto [barrier, isRace] : {std::pair("bar.sync 0;", false), {"", true}}) {
    std::string one = text;
    one.replace(one.find("%s"), 2, barrier);
    Outcome outcome = runStatements(one, 64, 64, buffer);
    EXPECT_EQ(outcome.error.find("a race with a ") != std::string::npos, isRace) << outcome.error;
  }
}

TEST(PtxMemory, BoundsAndAlignment) {
  expectError(runStatements("st.global.b32 [%rd0+4], %r0;", 1, 1), "expected memory that is there");
  expectError(runStatements("st.global.b32 [%rd0+-4], %r0;", 1, 1),
              "expected memory that is there");
  expectError(runStatements("st.global.b32 [%rd0+2], %r0;", 1, 2), "expected an aligned address");
  expectError(runStatements("ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%rd0+8];", 1, 8),
              "expected an aligned address");
  expectError(runStatements("mov.b32 %r1, buffer;\nst.shared.b32 [%r1+256], %r0;", 1, 1, buffer),
              "expected memory that is there");
}

TEST(PtxMemory, BlocksDoNotShareWhatTheyWrite) {
  Outcome outcome = runText(kernelOf("st.global.b32 [%rd0], %r0;"), 1, 1, /*blocks=*/2);
  expectError(outcome, "a race with a write of thread 0 of block");
}

TEST(PtxMemory, TheReadOnlyPathReadsWhatNobodyWrites) {
  expectError(runStatements("st.global.b32 [%rd0], %r0;\nld.global.nc.b32 %r1, [%rd0];\n"
                            "st.global.b32 [%rd0+4], %r1;",
                            1, 2),
              "a load through the read-only path");
}

TEST(PtxMemory, CopiesOfThreadsAreDoneWhereTheyAreWaitedFor) {
  std::string text =
      "st.global.b32 [%rd0], 17;\nst.global.b32 [%rd0+4], 0;\n"
      "st.global.b32 [%rd0+8], 0;\nst.global.b32 [%rd0+12], 0;\nmov.b32 %r1, buffer;\n"
      "cp.async.cg.shared.global [%r1], [%rd0], 16;\ncp.async.commit_group;\n"
      "%s ld.shared.b32 %r2, [%r1];\nst.global.b32 [%rd0], %r2;";
  for (auto [wait, isThere] :
       {std::pair("cp.async.wait_group 0;", true), {"cp.async.wait_group 1;", false}}) {
    std::string one = text;
    one.replace(one.find("%s"), 2, wait);
    Outcome outcome = runStatements(one, 1, 4, ".shared .align 16 .b8 buffer[16];");
    EXPECT_EQ(outcome.error, "");
    EXPECT_EQ(outcome.words[0] == 17, isThere);
  }
}

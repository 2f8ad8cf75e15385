//===- GridTest.cpp - blocks that wait for each other ---------------------===//
#include "Kernels.h"

#include <gtest/gtest.h>

using namespace ptx;

static constexpr uint32_t threads = 64, blocks = 6, total = threads * blocks;

/// How the blocks of a grid meet: one thread of each comes, and looks until all have.
struct Meeting {
  std::string before = "fence.acq_rel.gpu;\n";
  std::string come = "red.relaxed.gpu.global.add.u32";
  std::string look = "ld.relaxed.gpu.global.u32";
  std::string after = "fence.acq_rel.gpu;\n";
  std::string expected = std::to_string(blocks);
};

static std::string text(const Meeting &how) {
  return "bar.sync 0;\nsetp.ne.s32 %p0, %r0, 0;\n@%p0 bra met;\n" + how.before + how.come +
         " [arrived], 1;\nagain:\n" + how.look + " %r5, [arrived];\nsetp.lt.u32 %p1, %r5, " +
         how.expected + ";\n@%p1 bra again;\n" + how.after + "met:\nbar.sync 0;\n";
}

/// Each thread writes its number, and after `meeting` reads what the next block wrote.
static std::string exchange(const std::string &meeting, const std::string &load = "ld.global.b32") {
  return kernelOf("mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmad.lo.s32 %r3, %r1, %r2, %r0;\n"
                  "mul.wide.u32 %rd1, %r3, 4;\nadd.s64 %rd1, %rd0, %rd1;\n"
                  "st.global.b32 [%rd1], %r3;\n" +
                      meeting + "add.s32 %r6, %r3, %r2;\nsetp.ge.u32 %p2, %r6, " +
                      std::to_string(total) + ";\n@%p2 sub.s32 %r6, %r6, " + std::to_string(total) +
                      ";\nmul.wide.u32 %rd2, %r6, 4;\nadd.s64 %rd2, %rd0, %rd2;\n" + load +
                      " %r7, [%rd2];\nst.global.b32 [%rd1+" + std::to_string(4 * total) + "], %r7;",
                  ".global .align 4 .u32 arrived;");
}

static Outcome run(const std::string &text, uint64_t seed = 0, bool isCooperative = true) {
  return runText(text, threads, size_t(2) * total, blocks, 0, seed, isCooperative);
}

static void expectError(const Outcome &outcome, const std::string &text) {
  EXPECT_NE(outcome.error.find(text), std::string::npos) << outcome.error;
}

static void expectExchanged(const Meeting &how) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    Outcome outcome = run(exchange(text(how)), seed);
    EXPECT_EQ(outcome.error, "");
    for (uint32_t i = 0; i < total; ++i)
      EXPECT_EQ(outcome.words[total + i], (i + threads) % total) << i;
  }
}

TEST(PtxGrid, BlocksExchangeWhatTheyWroteWhereTheyMeet) {
  expectExchanged({});
  expectExchanged({.before = "membar.gl;\n", .after = "fence.sc.gpu;\n"});
}

TEST(PtxGrid, AtomicsThatOrderNeedNoFences) {
  expectExchanged({.before = "",
                   .come = "red.release.gpu.global.add.u32",
                   .look = "ld.acquire.gpu.global.u32",
                   .after = ""});
}

TEST(PtxGrid, AMissingMeetingIsARace) { expectError(run(exchange("")), "a race with a "); }

TEST(PtxGrid, ABarrierOfTheBlockIsNone) {
  expectError(run(exchange("bar.sync 0;\n")), "a race with a ");
}

TEST(PtxGrid, AMissingFenceIsARace) {
  expectError(run(exchange(text({.before = ""}))), "a race with a ");
  expectError(run(exchange(text({.after = ""}))), "a race with a ");
  expectError(run(exchange(text({.before = "fence.acq_rel.cta;\n"}))), "a race with a ");
}

TEST(PtxGrid, AtomicsOfABlockOrderNoOthers) {
  expectError(run(exchange(text({.come = "red.relaxed.cta.global.add.u32"}))), "a race with a ");
}

TEST(PtxGrid, ABlockThatGoesOnTooEarlyIsARace) {
  expectError(run(exchange(text({.expected = "2"}))), "a race with a ");
}

TEST(PtxGrid, AMissingBarrierOfTheBlockIsARace) {
  std::string meeting = text({});
  expectError(run(exchange(meeting.substr(meeting.find('\n') + 1))), "a race with a ");
}

/// A loop in one kernel: in each of 8 trips the blocks meet, and each thread takes what the next
/// block has, and one more, for what is read in the next trip, `apart` bytes on.
static std::string loop(uint32_t apart) {
  std::string bytes = std::to_string(apart);
  return kernelOf("mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmad.lo.s32 %r3, %r1, %r2, %r0;\n"
                  "add.s32 %r6, %r3, %r2;\nsetp.ge.u32 %p2, %r6, " +
                      std::to_string(total) + ";\n@%p2 sub.s32 %r6, %r6, " + std::to_string(total) +
                      ";\nmul.wide.u32 %rd1, %r3, 4;\nmul.wide.u32 %rd2, %r6, 4;\n"
                      "mov.b64 %rd3, %rd0;\nadd.s64 %rd4, %rd0, " +
                      bytes +
                      ";\nadd.s64 %rd5, %rd3, %rd1;\nst.global.b32 [%rd5], %r3;\n"
                      "mov.b32 %r8, 0;\nmov.b32 %r9, 6;\ntrip:\n" +
                      text({.expected = "%r9"}) +
                      "add.s64 %rd5, %rd3, %rd2;\nld.global.b32 %r7, [%rd5];\n"
                      "add.s32 %r7, %r7, 1;\nadd.s64 %rd5, %rd4, %rd1;\n"
                      "st.global.b32 [%rd5], %r7;\nmov.b64 %rd6, %rd3;\nmov.b64 %rd3, %rd4;\n"
                      "mov.b64 %rd4, %rd6;\nadd.s32 %r9, %r9, 6;\nadd.s32 %r8, %r8, 1;\n"
                      "setp.lt.u32 %p3, %r8, 8;\n@%p3 bra trip;",
                  ".global .align 4 .u32 arrived;");
}

TEST(PtxGrid, TripsOfALoopMeetAgainAndAgain) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    Outcome outcome = run(loop(4 * total), seed);
    EXPECT_EQ(outcome.error, "");
    for (uint32_t i = 0; i < total; ++i)
      EXPECT_EQ(outcome.words[i], (i + 8 * threads) % total + 8) << i;
  }
}

TEST(PtxGrid, ATripThatWritesWhatOthersStillReadIsARace) {
  expectError(run(loop(0)), "a race with a ");
}

TEST(PtxGrid, TheReadOnlyPathReadsNothingOfAnotherPhase) {
  expectError(run(exchange(text({}), "ld.global.nc.b32")), "a load through the read-only path");
}

TEST(PtxGrid, BlocksThatDoNotRunSideBySideDoNotMeet) {
  expectError(run(exchange(text({})), 0, /*isCooperative=*/false),
              "looking for what does not come");
  expectError(run(exchange(text({.expected = "7"}))), "looking for what does not come");
}

TEST(PtxGrid, ALaunchHasRoomForAllOfItsBlocks) {
  // 32 blocks of 64 threads in each of 132 multiprocessors; shared memory leaves room for fewer.
  std::string empty = kernelOf("");
  EXPECT_EQ(runText(empty, 64, 1, 32 * 132, 0, 0, true).error, "");
  expectError(runText(empty, 64, 1, 32 * 132 + 1, 0, 0, true),
              "expected at most 4224 blocks side by side, got 4225");
  EXPECT_EQ(runText(empty, 64, 1, 132, 120 * 1024, 0, true).error, "");
  expectError(runText(empty, 64, 1, 133, 120 * 1024, 0, true),
              "expected at most 132 blocks side by side, got 133");
}

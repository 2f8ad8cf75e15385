//===- CountingTest.cpp - sectors, wavefronts and issues ------------------===//
#include "Kernels.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

using namespace ptx;

namespace {
/// What is counted of a kernel `run(to)`, by the first word or words of opcodes.
struct Counted {
  Counter counter{/*mostBlocks=*/4};
  std::string error;
  std::unique_ptr<Module> module;
  Machine machine;

  Counted(const std::string &statements, uint32_t threads, const std::string &globals = "",
          uint32_t blocks = 1, bool isCooperative = false) {
    module = machine.load(kernelOf(statements, globals), error);
    if (!module)
      return;
    uint64_t to = machine.memory.allocate(1 << 16, /*isZero=*/true);
    Launch launch = {{blocks, 1, 1}, {threads, 1, 1}, 0, std::vector<uint8_t>(8), isCooperative};
    std::memcpy(launch.parameters.data(), &to, sizeof to);
    error = machine.count(*module, *module->functions.at("run"), launch, counter);
  }

  InstructionCounts of(const std::string &opcode) const {
    for (const InstructionCounts &one : counter.instructions())
      if (one.instruction->opcode.starts_with(opcode))
        return one;
    return {};
  }
};
} // namespace

/// Thread i at byte `by` * i.
static std::string strided(int by, const std::string &access) {
  return "mul.wide.u32 %rd1, %r0, " + std::to_string(by) + ";\nadd.s64 %rd1, %rd0, %rd1;\n" +
         access;
}

TEST(PtxCounting, SectorsOfAWarpsLoad) {
  struct {
    int by;
    const char *access;
    uint64_t sectors, least;
  } cases[] = {{4, "ld.global.b32 %r1, [%rd1];", 4, 4},
               {8, "ld.global.b32 %r1, [%rd1];", 8, 4},
               {32, "ld.global.b32 %r1, [%rd1];", 32, 4},
               {0, "ld.global.b32 %r1, [%rd1];", 1, 1},
               {1, "ld.global.u8 %rs1, [%rd1];", 1, 1},
               {16, "ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%rd1];", 16, 16},
               {4, "ld.global.b32 %r1, [%rd1+4];", 5, 4}};
  for (auto &one : cases) {
    Counted counted(strided(one.by, one.access), 32);
    EXPECT_EQ(counted.error, "");
    InstructionCounts load = counted.of("ld.global");
    EXPECT_EQ(load.loads.transactions, one.sectors) << one.by << " " << one.access;
    EXPECT_EQ(load.loads.least, one.least) << one.by << " " << one.access;
    EXPECT_EQ(load.issues, 1U);
  }
}

TEST(PtxCounting, LanesThatTakeNoPartCostNothing) {
  Counted counted(strided(4, "setp.lt.u32 %p1, %r0, 8;\n@%p1 st.global.b32 [%rd1], %r0;"), 64);
  EXPECT_EQ(counted.error, "");
  InstructionCounts store = counted.of("st.global");
  EXPECT_EQ(store.stores.transactions, 1U);
  EXPECT_EQ(store.stores.bytes, 32U);
  EXPECT_EQ(store.issues, 1U);
  EXPECT_EQ(store.lanes, 8U);
}

TEST(PtxCounting, WavefrontsOfSharedMemory) {
  struct {
    int by;
    const char *access;
    uint64_t wavefronts, least;
  } cases[] = {{4, "ld.shared.b32 %r2, [%r1];", 1, 1},
               {8, "ld.shared.b32 %r2, [%r1];", 2, 1},
               {128, "ld.shared.b32 %r2, [%r1];", 32, 1},
               {132, "ld.shared.b32 %r2, [%r1];", 1, 1},
               {0, "ld.shared.b32 %r2, [%r1];", 1, 1},
               {8, "ld.shared.b64 %rd2, [%r1];", 2, 2},
               {16, "ld.shared.v4.b32 {%r2, %r3, %r4, %r5}, [%r1];", 4, 4},
               {0, "ld.shared.v4.b32 {%r2, %r3, %r4, %r5}, [%r1];", 1, 1},
               {128, "st.shared.v4.b32 [%r1], {%r2, %r3, %r4, %r5};", 32, 4}};
  for (auto &one : cases) {
    Counted counted("mov.b32 %r2, buffer;\nmul.lo.s32 %r1, %r0, " + std::to_string(one.by) +
                        ";\nadd.s32 %r1, %r1, %r2;\n" + one.access,
                    32, ".shared .align 16 .b8 buffer[8192];");
    EXPECT_EQ(counted.error, "");
    InstructionCounts counts =
        counted.of(std::string(one.access).substr(0, std::string(one.access).find(' ')));
    EXPECT_EQ(counts.shared.transactions, one.wavefronts) << one.by << " " << one.access;
    EXPECT_EQ(counts.shared.least, one.least) << one.by << " " << one.access;
  }
}

TEST(PtxCounting, RowsOfMatrices) {
  // Rows of 16 bytes at the same banks take turns; side by side they do not.
  for (auto [by, wavefronts] : {std::pair(16, 4), {128, 32}}) {
    Counted counted("mov.b32 %r2, buffer;\nmul.lo.s32 %r1, %r0, " + std::to_string(by) +
                        ";\nadd.s32 %r1, %r1, %r2;\n"
                        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r3, %r4, %r5, %r6}, [%r1];",
                    32, ".shared .align 16 .b8 buffer[8192];");
    EXPECT_EQ(counted.error, "");
    EXPECT_EQ(counted.of("ldmatrix").shared.transactions, static_cast<uint64_t>(wavefronts));
  }
}

TEST(PtxCounting, CopiesOfThreadsReadAndWrite) {
  std::string copy = strided(16, "mov.b32 %r2, buffer;\nmul.lo.s32 %r1, %r0, 16;\n"
                                 "add.s32 %r1, %r1, %r2;\n"
                                 "cp.async.cg.shared.global [%r1], [%rd1], 16;\n"
                                 "cp.async.wait_all;");
  Counted counted(copy, 32, ".shared .align 16 .b8 buffer[512];");
  EXPECT_EQ(counted.error, "");
  EXPECT_EQ(counted.of("cp.async.cg").loads.transactions, 16U);
  EXPECT_EQ(counted.of("cp.async.cg").shared.transactions, 4U);
}

TEST(PtxCounting, OnlyWhatTakesAnIssueSlot) {
  Counted counted("mov.u32 %r1, %r0;\nadd.s32 %r1, %r1, 1;\nadd.s32 %r1, %r1, 2;", 64);
  EXPECT_EQ(counted.error, "");
  EXPECT_EQ(counted.of("mov").issues, 0U);
  EXPECT_EQ(counted.of("ld.param").issues, 0U);
  // Two additions and the end, in each of two warps.
  EXPECT_EQ(counted.counter.longestWarps(), 3U);
  std::vector<InstructionCounts> all = counted.counter.instructions();
  EXPECT_EQ(std::accumulate(all.begin(), all.end(), uint64_t(0),
                            [](uint64_t sum, auto &one) { return sum + one.issues; }),
            6U);
}

TEST(PtxCounting, AMatrixProductIsOneIssue) {
  Counted counted("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r1, %r2, %r3, %r4}, "
                  "{%r1, %r2, %r3, %r4}, {%r5, %r6}, {%r1, %r2, %r3, %r4};",
                  64);
  EXPECT_EQ(counted.error, "");
  EXPECT_EQ(counted.of("mma.sync").issues, 2U);
}

TEST(PtxCounting, BuffersOfASample) {
  // Each of 10 blocks reads what all read and writes 128 bytes of its own; four blocks run.
  Counted counted("mov.u32 %r1, %ctaid.x;\nshl.b32 %r2, %r1, 5;\nadd.s32 %r2, %r2, %r0;\n"
                  "mul.wide.u32 %rd1, %r2, 4;\nadd.s64 %rd1, %rd0, %rd1;\n"
                  "ld.global.b32 %r3, [%rd0+32768];\nst.global.b32 [%rd1], %r3;",
                  32, "", /*blocks=*/10);
  EXPECT_EQ(counted.error, "");
  EXPECT_EQ(counted.counter.blocks(), 4U);
  std::vector<Footprint> buffers = counted.counter.footprints();
  ASSERT_EQ(buffers.size(), 2U);
  EXPECT_FALSE(buffers[0].isWritten);
  EXPECT_EQ(buffers[0].bytes, 4U);
  EXPECT_EQ(buffers[0].bytesOfBlocks, 16U);
  EXPECT_TRUE(buffers[1].isWritten);
  EXPECT_EQ(buffers[1].bytes, 512U);
  EXPECT_EQ(buffers[1].sectorsOfBlocks, 16U);
  EXPECT_EQ(buffers[1].high - buffers[1].low, 1280U);
}

TEST(PtxCounting, FirstLastAndBetween) {
  EXPECT_EQ(Counter(4).sample(10), (std::vector<uint32_t>{0, 2, 6, 9}));
  // Not all at one place of rows of 64.
  std::set<uint32_t> places;
  for (uint32_t block : Counter(6).sample(4096))
    places.insert(block % 64);
  EXPECT_EQ(places.size(), 6U);
  EXPECT_EQ(Counter(4).sample(3), (std::vector<uint32_t>{0, 1, 2}));
  EXPECT_EQ(Counter(1).sample(7), (std::vector<uint32_t>{0}));
  EXPECT_TRUE(Counter(0).sample(7).empty());
}

/// 6 blocks of 64 threads meet twice in each of 4 trips of a loop. Between the meetings the blocks
/// below `workers` read a word a thread, behind the second one all write one.
static std::string tripsOf(const std::string &workers) {
  auto meet = [](const std::string &name) {
    return "bar.sync 0;\nadd.s32 %r5, %r5, 6;\nsetp.ne.s32 %p0, %r0, 0;\n@%p0 bra met" + name +
           ";\nred.relaxed.gpu.global.add.u32 [arrived], 1;\nagain" + name +
           ":\nld.relaxed.gpu.global.u32 %r1, [arrived];\nsetp.lt.u32 %p0, %r1, %r5;\n@%p0 bra "
           "again" +
           name + ";\nmet" + name + ":\nbar.sync 0;\n";
  };
  return "mov.u32 %r5, 0;\nmov.u32 %r6, 0;\nmov.u32 %r7, %ctaid.x;\nmul.wide.u32 %rd1, %r0, 4;\n"
         "add.s64 %rd1, %rd0, %rd1;\ntrip:\n" +
         meet("1") + "setp.ge.u32 %p1, %r7, " + workers +
         ";\n@%p1 bra idle;\nld.global.b32 %r3, [%rd1];\nld.global.b32 %r4, [%rd1];\nidle:\n" +
         meet("2") +
         "st.global.b32 [%rd1], %r7;\nadd.s32 %r6, %r6, 1;\nsetp.lt.u32 %p1, %r6, 4;\n"
         "@%p1 bra trip;";
}

TEST(PtxCounting, WhatBlocksDoBetweenMeetingsIsCountedOnce) {
  Machine machine;
  std::string error;
  std::unique_ptr<Module> module =
      machine.load(kernelOf(tripsOf("2"), ".global .align 4 .u32 arrived;"), error);
  ASSERT_TRUE(module) << error;
  uint64_t to = machine.memory.allocate(1 << 16, /*isZero=*/true);
  Launch launch = {{6, 1, 1}, {64, 1, 1}, 0, std::vector<uint8_t>(8), /*isCooperative=*/true};
  std::memcpy(launch.parameters.data(), &to, sizeof to);
  Phases phases;
  EXPECT_EQ(machine.count(*module, *module->functions.at("run"), launch, phases), "");
  ASSERT_EQ(phases.all().size(), 3U);
  auto of = [&](size_t phase, const std::string &opcode) {
    for (const InstructionCounts &one : phases.all()[phase].counter.instructions())
      if (one.instruction->opcode.starts_with(opcode))
        return one;
    return InstructionCounts();
  };
  std::vector<uint64_t> times;
  for (const Phase &phase : phases.all()) {
    times.push_back(phase.times);
    EXPECT_EQ(phase.counter.blocks(), 6U);
    // None waits for others: each looks once.
    EXPECT_LE(of(times.size() - 1, "ld.relaxed").issues, 6U);
  }
  EXPECT_EQ(times, (std::vector<uint64_t>{1, 4, 4}));
  EXPECT_EQ(of(0, "ld.global").issues, 0U);
  EXPECT_EQ(of(1, "ld.global").issues, 2 * 2U);
  EXPECT_EQ(of(1, "st.global").issues, 0U);
  EXPECT_EQ(of(2, "st.global").issues, 6 * 2U);
  std::vector<uint64_t> issues = phases.all()[1].counter.issuesOfBlocks(6);
  EXPECT_EQ(issues[0], issues[1]);
  // Two loads of two warps, and no branch.
  EXPECT_EQ(issues[0], issues[5] + 2);
  EXPECT_EQ(issues[2], issues[5]);
}

TEST(PtxCounting, LanesMeetWhereverTheWaysComeTogether) {
  // What all lanes go on with stands in front of what half of them do before.
  Counted counted(
      "and.b32 %r1, %r0, 1;\nsetp.eq.s32 %p0, %r1, 0;\n@%p0 bra some;\nbra.uni together;\n"
      "together:\nmul.lo.s32 %r2, %r0, 3;\nbra.uni away;\n"
      "some:\nadd.s32 %r1, %r1, 1;\nbra.uni together;\naway:\nst.global.b32 [%rd0], %r2;",
      32);
  EXPECT_EQ(counted.error, "");
  EXPECT_EQ(counted.of("add.s32").issues, 1U);
  EXPECT_EQ(counted.of("mul.lo").issues, 1U);
  EXPECT_EQ(counted.of("st.global").issues, 1U);
}

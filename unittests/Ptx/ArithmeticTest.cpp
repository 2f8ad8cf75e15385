//===- ArithmeticTest.cpp - what instructions of one thread compute -------===//
#include "Kernels.h"

#include <gtest/gtest.h>

#include <bit>

using namespace ptx;

/// The word that a statement leaves in %r1, for what %r2, %r3 and %r4 are.
static uint32_t compute(const std::string &statement, uint32_t a = 0, uint32_t b = 0,
                        uint32_t c = 0) {
  auto number = [](uint32_t value) { return std::to_string(value); };
  Outcome outcome = runStatements("mov.b32 %r2, " + number(a) + ";\nmov.b32 %r3, " + number(b) +
                                      ";\nmov.b32 %r4, " + number(c) + ";\n" + statement +
                                      "\nst.global.b32 [%rd0], %r1;",
                                  1, 1);
  EXPECT_EQ(outcome.error, "") << statement;
  return outcome.words.empty() ? 0 : outcome.words[0];
}
static uint32_t bits(float value) { return std::bit_cast<uint32_t>(value); }

TEST(PtxArithmetic, Integers) {
  EXPECT_EQ(compute("mul.hi.u32 %r1, %r2, %r3;", 0x80000000, 6), 3u);
  EXPECT_EQ(compute("mul.hi.s32 %r1, %r2, %r3;", 0x80000000, 6), uint32_t(-3));
  EXPECT_EQ(compute("mad.lo.s32 %r1, %r2, %r3, %r4;", 7, uint32_t(-3), 1), uint32_t(-20));
  EXPECT_EQ(compute("rem.s32 %r1, %r2, %r3;", uint32_t(-7), 4), uint32_t(-3));
  EXPECT_EQ(compute("shr.s32 %r1, %r2, 40;", 0x80000000), ~uint32_t(0));
  EXPECT_EQ(compute("shl.b32 %r1, %r2, 32;", 1), 0u);
  EXPECT_EQ(compute("shf.l.wrap.b32 %r1, %r2, %r3, 8;", 0xaabbccdd, 0x11223344), 0x223344aau);
  EXPECT_EQ(compute("prmt.b32 %r1, %r2, %r3, 0x5410U;", 0x11112222, 0x33334444), 0x44442222u);
  EXPECT_EQ(compute("bfe.s32 %r1, %r2, 4, 4;", 0xf0), ~uint32_t(0));
}

TEST(PtxArithmetic, FloatsAreRoundedAsTheInstructionSays) {
  // 1 + 2^-24 lies in the middle.
  uint32_t one = bits(1), small = bits(0x1p-24f);
  EXPECT_EQ(compute("add.rn.f32 %r1, %r2, %r3;", one, small), one);
  EXPECT_EQ(compute("add.rp.f32 %r1, %r2, %r3;", one, small), one + 1);
  EXPECT_EQ(compute("add.rz.f32 %r1, %r2, %r3;", bits(-1), bits(-0x1p-24f)), bits(-1));
  EXPECT_EQ(compute("fma.rn.f32 %r1, %r2, %r2, %r3;", bits(1 + 0x1p-12f), bits(-1)),
            bits(0x1p-11f + 0x1p-24f));
  EXPECT_EQ(compute("min.f32 %r1, %r2, %r3;", 0x7fc00000, bits(3)), bits(3));
  EXPECT_EQ(compute("max.NaN.f32 %r1, %r2, %r3;", 0x7fc00000, bits(3)), 0x7fffffffu);
  EXPECT_EQ(compute("mul.ftz.f32 %r1, %r2, %r3;", 1, bits(2)), 0u);
  EXPECT_EQ(compute("mul.f32 %r1, %r2, %r3;", 1, bits(2)), 2u);
}

TEST(PtxArithmetic, Conversions) {
  EXPECT_EQ(compute("cvt.rzi.s32.f32 %r1, %r2;", bits(-2.9f)), uint32_t(-2));
  EXPECT_EQ(compute("cvt.rni.s32.f32 %r1, %r2;", bits(2.5f)), 2u);
  EXPECT_EQ(compute("cvt.rzi.s32.f32 %r1, %r2;", bits(1e20f)), 0x7fffffffu);
  EXPECT_EQ(compute("cvt.rzi.u32.f32 %r1, %r2;", bits(-1)), 0u);
  EXPECT_EQ(compute("cvt.rn.f32.s32 %r1, %r2;", 0x7fffffff), bits(0x1p31f));
  EXPECT_EQ(compute("cvt.rz.f32.s32 %r1, %r2;", 0x7fffffff), bits(2147483520.0f));
  EXPECT_EQ(compute("cvt.rna.tf32.f32 %r1, %r2;", 0x3f801000), 0x3f802000u);
  EXPECT_EQ(compute("cvt.rn.bf16x2.f32 %r1, %r2, %r3;", bits(1), bits(-2)), 0x3f80c000u);
  // The largest half and what rounds to infinity; halves are even.
  EXPECT_EQ(compute("cvt.rn.f16x2.f32 %r1, %r2, %r3;", bits(65519), bits(65520)), 0x7bff7c00u);
  EXPECT_EQ(compute("cvt.rn.f16x2.f32 %r1, %r2, %r3;", bits(2049), bits(0x1p-25f)), 0x68000000u);
}

/// 1.0625 squared lies in the middle between two numbers; 2^-100 says which is nearer.
TEST(PtxArithmetic, NarrowFloatsAreRoundedOnce) {
  for (auto [added, expected] : {std::pair(0u, 0x3f90u), {0x0d80u, 0x3f91u}, {0x8d80u, 0x3f90u}})
    EXPECT_EQ(compute("cvt.u16.u32 %rs0, %r2;\ncvt.u16.u32 %rs1, %r3;\n"
                      "fma.rn.bf16 %rs2, %rs0, %rs0, %rs1;\ncvt.u32.u16 %r1, %rs2;",
                      0x3f88, added),
              expected);
  EXPECT_EQ(compute("mul.rn.f16x2 %r1, %r2, %r3;", 0x3c013c00, 0x3c013c01), 0x3c023c01u);
}

TEST(PtxArithmetic, ComparisonsOfNaN) {
  constexpr uint32_t nan = 0x7fc00000;
  for (auto [name, expected] : {std::pair("lt", 0u), {"ltu", 1u}, {"nan", 1u}, {"num", 0u}})
    EXPECT_EQ(compute(std::string("setp.") + name + ".f32 %p0, %r2, %r3;\nselp.b32 %r1, 1, 0, %p0;",
                      nan, bits(1)),
              expected)
        << name;
}

TEST(PtxArithmetic, RefusesWhatItDoesNotKnow) {
  for (const char *statement : {"add.q32 %r1, %r2, %r3;", "tex.2d.v4.f32 %r1, %r2;",
                                "fma.f32 %r1, %r2, %r3, %r4;", "cvt.f16.f32 %rs0, %r2;"})
    EXPECT_NE(runStatements(statement, 1, 1).error.find("expected a known opcode"),
              std::string::npos)
        << statement;
}

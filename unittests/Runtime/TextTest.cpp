//===- TextTest.cpp - numbers and failures as text ------------------------===//
#include "../../lib/Runtime/Failure.h"
#include "../../lib/Runtime/Sizes.h"

#include "jit/ScalarType.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

static std::string printed(double value) {
  char buffer[64];
  jit_text text = {buffer, sizeof buffer, 0};
  jit_append_float(&text, value);
  return buffer;
}

TEST(Text, FloatsAreThoseOfPython) {
  EXPECT_EQ(printed(0), "0.0");
  EXPECT_EQ(printed(-0.0), "-0.0");
  EXPECT_EQ(printed(10), "10.0");
  EXPECT_EQ(printed(100000), "100000.0");
  EXPECT_EQ(printed(-1234.5), "-1234.5");
  EXPECT_EQ(printed(0.1), "0.1");
  EXPECT_EQ(printed(0.0001), "0.0001");
  EXPECT_EQ(printed(0.00001), "1e-05");
  EXPECT_EQ(printed(1.5e-7), "1.5e-07");
  EXPECT_EQ(printed(9007199254740993.0), "9007199254740992.0");
  EXPECT_EQ(printed(1e16), "1e+16");
  EXPECT_EQ(printed(1.25e22), "1.25e+22");
  EXPECT_EQ(printed(-2.2250738585072014e-308), "-2.2250738585072014e-308");
  EXPECT_EQ(printed(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(printed(-std::numeric_limits<double>::infinity()), "-inf");
  EXPECT_EQ(printed(-std::numeric_limits<double>::quiet_NaN()), "nan");
}

TEST(Text, AFailureFitsItsRoom) {
  jit_call call = {};
  jit_arg arguments[JIT_MAX_FAIL_ARGS];
  std::string message = "{{", expected = "{";
  for (jit_arg &argument : arguments) {
    argument.kind = JIT_ARG_FLOAT;
    argument.value.f = -2.2250738585072014e-308;
    message += "{}";
    expected += "-2.2250738585072014e-308";
  }
  jit_rt_fail(&call, "builtins.ValueError", message.c_str(), "", JIT_MAX_FAIL_ARGS, arguments);
  std::string room(jit_failure_room(&call), 0);
  jit_text text = {room.data(), room.size(), 0};
  jit_append_failure(&text, &call);
  EXPECT_EQ(room.substr(0, text.length), expected);
}

/// jit/ScalarType.h is for C++ alone.
TEST(Sizes, ElementsAreThoseOfScalarTypes) {
  for (int32_t dtype = 0; dtype < jit::scalarTypeNumbers; ++dtype) {
    auto type = jit::ScalarType(dtype);
    EXPECT_EQ(jit_element_size(dtype), jit::elementSize(type)) << dtype;
    if (jit::elementSize(type) > 0)
      EXPECT_EQ(jit_dtype_name(dtype), jit::shortName(type));
  }
  EXPECT_EQ(jit_element_alignment(JIT_C64), 4);
  EXPECT_EQ(jit_element_alignment(JIT_C128), 8);
  EXPECT_EQ(jit_element_alignment(JIT_F64), 8);
}

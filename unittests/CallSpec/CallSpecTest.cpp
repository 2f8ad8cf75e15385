//===- CallSpecTest.cpp - the text of a call's spec, both ways ------------===//
#include "jit/CallSpec/CallSpec.h"
#include "jit/TensorLimits.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace jit;

using Kind = ValueSpec::Kind;

/// The one argument of a call.
static ValueSpec parseOne(std::string_view text) {
  auto call = CallSpec::parse(text);
  EXPECT_TRUE(call) << call.error().str();
  if (!call || call->arguments.size() != 1)
    return {.kind = Kind::Default, .text = "not one argument"};
  return call->arguments.front();
}

static Error errorOf(std::string_view text) {
  auto call = CallSpec::parse(text);
  EXPECT_FALSE(call) << call->str();
  return call ? Error{} : call.error();
}

TEST(CallSpec, TextsArePrintedAsTheyAreRead) {
  for (std::string_view text : {
           "",
           "none",
           "default,default",
           "undef",
           "f32[]",
           "f32[1,512],16000",
           "bool[0],u8[1],i8[2],i16[3],i32[4],i64[5],f16[6],bf16[7],f64[8],c32[9],c64[10],c128[11]",
           "f32[?,8]",
           "f32[n,8],f32[n,?]",
           "f32[batch_2]",
           "f32[3,2]:strides[1,3]",
           "f32[3,2]:strides[?,?]",
           "f32[3]:strides[-1]",
           "f32[2]:strides[1]:part[0,4,9]",
           "f32[]:part[1,2,3]",
           "f32[8]@cuda",
           "f32[8]@cuda:1:strides[1]:grad",
           "f32[8]:grad",
           "-9223372036854775808,9223372036854775807",
           "1.5,-0.0,2.0,1e+300,5e-324,inf,-inf,nan",
           "true,false",
           "?int,?float,?bool",
           "\"\"",
           R"("say \"hi\" \\ \x0a")",
           "()",
           "[]",
           "(f32[2],[undef,none,(1,true)],\"a\")",
       }) {
    auto call = CallSpec::parse(text);
    ASSERT_TRUE(call) << text << ": " << call.error().str();
    EXPECT_EQ(call->str(), text);
    EXPECT_EQ(*CallSpec::parse(call->str()), *call);
  }
}

TEST(CallSpec, OtherSpellingsOfTheSame) {
  for (auto [given, printed] : {
           std::pair(" f32[ 1 , n ] , ( None , True, False ) ", "f32[1,n],(none,true,false)"),
           std::pair("(1,)", "(1)"),
           std::pair("[1,2,]", "[1,2]"),
           std::pair("f32[2]@cpu", "f32[2]"),
           std::pair("1e3", "1000.0"),
           std::pair("007", "7"),
       }) {
    auto call = CallSpec::parse(given);
    ASSERT_TRUE(call) << given << ": " << call.error().str();
    EXPECT_EQ(call->str(), printed);
  }
}

TEST(CallSpec, FieldsSayWhatTheTextSays) {
  ValueSpec tensor = parseOne("f64[3,?,n]@cuda:0:strides[1,?,-3]:grad");
  EXPECT_EQ(tensor.kind, Kind::Tensor);
  EXPECT_EQ(tensor.dtype, ScalarType::Double);
  EXPECT_EQ(tensor.sizes, (std::vector<int64_t>{3, ValueSpec::openSize, ValueSpec::openSize}));
  EXPECT_EQ(tensor.sizeNames, (std::vector<std::string>{"", "", "n"}));
  EXPECT_EQ(tensor.strides, (std::vector<int64_t>{1, ValueSpec::unknownStride, -3}));
  EXPECT_EQ(tensor.device, "cuda:0");
  EXPECT_TRUE(tensor.requiresGrad);
  EXPECT_TRUE(parseOne("f32[?,2]").sizeNames.empty()) << "no size has a name";
  ValueSpec part = parseOne("f32[2]:strides[3]:part[1,4,8]");
  ASSERT_TRUE(part.part);
  EXPECT_EQ(part.part->memory, 1);
  EXPECT_EQ(part.part->offset, 4);
  EXPECT_EQ(part.part->extent, 8);
  EXPECT_EQ(parseOne(R"("say \"hi\"")").text, "say \"hi\"");
  EXPECT_EQ(parseOne("-7").intValue, -7);
  EXPECT_EQ(parseOne("1e-3").floatValue, 1e-3);
  EXPECT_TRUE(std::isnan(parseOne("nan").floatValue));
  EXPECT_TRUE(parseOne("?bool").isOpen);
}

TEST(CallSpec, DifferentSpecsAreNotEqual) {
  auto call = CallSpec::parse(
      "none,default,undef,f32[],f32[1],f32[n],f32[m],f32[?],f64[1],f32[1]:grad,f32[1]@cuda,"
      "f32[1]:strides[1],f32[1]:strides[1]:part[0,0,2],0,0.0,-0.0,false,?int,?float,?bool,\"\","
      "\"0\",(),[],(0),[0],([0])");
  ASSERT_TRUE(call) << call.error().str();
  const std::vector<ValueSpec> &specs = call->arguments;
  for (size_t i = 0; i < specs.size(); ++i)
    for (size_t j = 0; j < specs.size(); ++j)
      EXPECT_EQ(specs[i] == specs[j], i == j) << specs[i].str() << " and " << specs[j].str();
  EXPECT_EQ(parseOne("nan"), parseOne("nan"));
}

TEST(CallSpec, RefusesOtherText) {
  for (auto [text, message] : {
           std::pair("f32", "expected '[' and the sizes at character 3 of the call's spec"),
           std::pair("f32[2", "expected ',' or ']' at character 5 of the call's spec"),
           std::pair("f32[-1]", "expected a size, a name or '?' at character 4 of the call's spec, "
                                "got '-1]'"),
           std::pair("f32[2]:strides[9223372036854775807]",
                     "expected strides that an address can span at character 35 of "
                     "the call's spec"),
           std::pair("f32[3]:strides[-4611686018427387904]",
                     "expected strides that an address can span at character 36 of "
                     "the call's spec"),
           std::pair("f32[2]:strides[1,2]", "expected a stride for each size at character 19 of "
                                            "the call's spec"),
           std::pair("f32[2]:strides[1]:part[0,1,2]",
                     "expected a memory's number, an offset and an "
                     "extent that hold the tensor at character 29 "
                     "of the call's spec"),
           std::pair("1 2", "expected ',' or the end at character 2 of the call's spec, got '2'"),
           std::pair("1,", "expected a spec such as f32[1,512], 16000, none or (f32[2], true) at "
                           "character 2 of the call's spec"),
           std::pair("nonesuch",
                     "expected a spec such as f32[1,512], 16000, none or (f32[2], true) "
                     "at character 0 of the call's spec, got 'nonesuch'"),
           std::pair("\"\\n\"",
                     "expected a closing '\"', and \\\", \\\\ or \\xHH for what a string "
                     "cannot hold as it is at character 1 of the call's spec, got '\\n\"'"),
           std::pair("9223372036854775808", "expected an int of 64 bits at character 0 of the "
                                            "call's spec, got '922337203685'"),
           std::pair("1e999", "expected a float of 64 bits at character 0 of the call's spec, got "
                              "'1e999'"),
           std::pair("@x.npy", "expected a spec such as f32[1,512], 16000, none or (f32[2], true) "
                               "at character 0 of the call's spec, got '@x.npy'"),
       }) {
    Error error = errorOf(text);
    EXPECT_EQ(error.code, ErrorCode::InvalidArgument) << text;
    EXPECT_EQ(error.message, message);
  }
}

TEST(CallSpec, PartsLieInTheirMemory) {
  for (const char *outside :
       {"f32[2]:strides[1]:part[0,-1,9]", "f32[2]:part[0,0,9]", "f32[2]:strides[?]:part[0,0,9]",
        "f32[0]:strides[1]:part[0,0,9]", "f32[?]:strides[1]:part[0,0,9]",
        "f32[3]:strides[9223372036854775807]:part[0,0,9]", "f32[2]:strides[1]:part[?,0,9]",
        "f32[2]:strides[1]:part[0,0]", "f32[2]:strides[-1]:part[0,4,9]"})
    EXPECT_EQ(errorOf(outside).code, ErrorCode::InvalidArgument) << outside;
}

TEST(CallSpec, RefusesWhatIsTooDeepOrHasTooManySizes) {
  std::string open(maxArgumentDepth, '('), close(maxArgumentDepth, ')');
  EXPECT_TRUE(CallSpec::parse(open + close));
  EXPECT_EQ(errorOf(open + "()" + close).code, ErrorCode::LimitExceeded);
  std::string sizes = "1";
  for (uint32_t i = 1; i < maxTensorRank; ++i)
    sizes += ",1";
  EXPECT_TRUE(CallSpec::parse("f32[" + sizes + "]"));
  EXPECT_EQ(errorOf("f32[" + sizes + ",1]").code, ErrorCode::LimitExceeded);
}

TEST(CallSpec, InputsMayBeFiles) {
  auto file = parseInput(" @out/x.npy:grad");
  ASSERT_TRUE(file) << file.error().str();
  EXPECT_EQ(file->kind, Kind::File);
  EXPECT_EQ(file->text, "out/x.npy");
  EXPECT_TRUE(file->requiresGrad);
  auto list = parseInput("[@a.npy,(@b.npy)]");
  ASSERT_TRUE(list) << list.error().str();
  EXPECT_EQ(list->str(), "[@a.npy,(@b.npy)]");
  EXPECT_FALSE(parseInput("1,2"));
  EXPECT_FALSE(parseInput(""));
}

//===- NpyTest.cpp - .npy there and back, and bad files -------------------===//
#include "jit/Runtime/Npy.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace jit;
using namespace jit::runtime;

static std::vector<std::byte> bytesOf(std::string_view text) {
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

static std::vector<std::byte> fileWithHeader(std::string dict, size_t elementBytes) {
  std::string text("\x93NUMPY\1\0", 8);
  text += static_cast<char>(dict.size() & 0xff);
  text += static_cast<char>(dict.size() >> 8);
  return bytesOf(text + dict + std::string(elementBytes, '\0'));
}

TEST(Npy, RoundTripsEveryType) {
  using enum ScalarType;
  for (ScalarType type :
       {Byte, Char, Short, Int, Long, Half, Float, Double, ComplexFloat, ComplexDouble, Bool})
    for (const std::vector<int64_t> &sizes :
         {std::vector<int64_t>{}, {5}, {2, 3}, {2, 0}, {1, 2, 3, 4}}) {
      auto tensor = Tensor::allocate(type, sizes);
      ASSERT_TRUE(tensor);
      for (size_t i = 0; i < tensor->byteSize(); ++i)
        tensor->mutableAs<uint8_t>()[i] = static_cast<uint8_t>(i * 7);
      auto bytes = formatNpy(*tensor);
      ASSERT_TRUE(bytes);
      EXPECT_EQ((bytes->size() - tensor->byteSize()) % 64, 0u);
      auto back = parseNpy(*bytes);
      ASSERT_TRUE(back) << back.error().str();
      EXPECT_EQ(back->typeString(), tensor->typeString());
      EXPECT_EQ(std::memcmp(back->data(), tensor->data(), tensor->byteSize()), 0);
    }
}

TEST(Npy, WritesTheHeaderNumPyWrites) {
  auto bytes = formatNpy(*Tensor::allocate(ScalarType::Float, {3}));
  ASSERT_TRUE(bytes);
  std::string text(reinterpret_cast<const char *>(bytes->data()) + 10, 59);
  EXPECT_EQ(text, "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }  ");
}

TEST(Npy, NamesWhatItCannotRead) {
  auto code = [](std::string dict, size_t bytes) {
    auto tensor = parseNpy(fileWithHeader(std::move(dict), bytes));
    return tensor ? ErrorCode::Internal : tensor.error().code;
  };
  const std::string tail = "'fortran_order': False, 'shape': (2,)}";
  EXPECT_EQ(code("{'descr': '<f4', " + tail, 7), ErrorCode::Malformed);
  EXPECT_EQ(code("{'descr': '>f4', " + tail, 8), ErrorCode::Unsupported);
  EXPECT_EQ(code("{'descr': '<f4', 'fortran_order': True, 'shape': (2,)}", 8),
            ErrorCode::Unsupported);
  EXPECT_EQ(code("{'descr': [('a', '<f4')], " + tail, 8), ErrorCode::Unsupported);
  EXPECT_EQ(code("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}", 8),
            ErrorCode::Malformed);
  EXPECT_EQ(code("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 8)}", 8),
            ErrorCode::LimitExceeded);
  EXPECT_EQ(code("{'descr': '<f4', 'fortran_order': False}", 8), ErrorCode::Malformed);
  EXPECT_EQ(code("", 0), ErrorCode::Malformed);
}

TEST(Npy, SurvivesEveryTruncation) {
  auto bytes = formatNpy(*Tensor::allocate(ScalarType::Float, {2, 2}));
  ASSERT_TRUE(bytes);
  for (size_t length = 0; length < bytes->size(); ++length)
    EXPECT_FALSE(parseNpy(std::span(*bytes).first(length)));
}

TEST(Npy, MissingFileIsAnIoError) {
  auto tensor = readNpy("no/such/file.npy");
  ASSERT_FALSE(tensor);
  EXPECT_EQ(tensor.error().code, ErrorCode::Io);
}

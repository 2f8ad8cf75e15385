//===- TensorTest.cpp - tensors against their storage records -------------===//

#include "ArchiveWriter.h"
#include "ExpectError.h"

namespace jit::test {
namespace {

/// A module with the tensor `w`, over storage "0" of \p recordSize bytes.
ModuleFiles withTensor(const std::string &tensor, size_t recordSize) {
  ModuleFiles files;
  files.data = pickle(pickleObject("__torch__", "M", {{"w", tensor}}));
  std::string record(recordSize, '\0');
  for (size_t i = 0; i < recordSize; ++i)
    record[i] = static_cast<char>(i);
  files.more = {{"m/data/0", record}};
  return files;
}

ModuleFiles floatTensor(int64_t offset, const std::vector<int64_t> &sizes,
                        const std::vector<int64_t> &strides, size_t recordSize = 48) {
  return withTensor(
      pickleTensor(pickleStorage("FloatStorage", "0", recordSize / 4), offset, sizes, strides),
      recordSize);
}

void expectTensorError(const ModuleFiles &files, ErrorCode code, const std::string &message) {
  Result<TorchScriptArchive> archive = openArchive(files);
  ASSERT_FALSE(archive) << "expected " << message;
  EXPECT_EQ(static_cast<int>(archive.error().code), static_cast<int>(code))
      << archive.error().str();
  EXPECT_EQ(archive.error().where.substr(0, 17), "data.pkl: offset ") << archive.error().str();
  EXPECT_NE(archive.error().message.find(message), std::string::npos) << archive.error().str();
}

TEST(Tensor, View) {
  ArchiveTensor tensor;
  {
    Result<TorchScriptArchive> archive = openArchive(floatTensor(4, {2, 3}, {4, 1}));
    ASSERT_TRUE(archive) << archive.error().str();
    const ArchiveValue *value = archive->root().find("w");
    ASSERT_TRUE(value && value->asTensor());
    tensor = *value->asTensor();
  }
  // The bytes live on without the archive.
  EXPECT_EQ(tensor.dtype, ScalarType::Float);
  EXPECT_EQ(tensor.elementCount(), 6);
  EXPECT_FALSE(tensor.isContiguous());
  EXPECT_FALSE(tensor.requiresGrad);
  EXPECT_EQ(tensor.storageKey, "data/0");
  EXPECT_EQ(tensor.device, "cpu");
  EXPECT_EQ(tensor.storage.size(), 48u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.storage.data()) % 64, 0u);
  EXPECT_EQ(static_cast<int>(*tensor.constantData()), 16);
}

TEST(Tensor, EveryElementType) {
  struct Case {
    const char *storage;
    ScalarType type;
  };
  const Case cases[] = {{"ByteStorage", ScalarType::Byte},
                        {"CharStorage", ScalarType::Char},
                        {"ShortStorage", ScalarType::Short},
                        {"IntStorage", ScalarType::Int},
                        {"LongStorage", ScalarType::Long},
                        {"HalfStorage", ScalarType::Half},
                        {"FloatStorage", ScalarType::Float},
                        {"DoubleStorage", ScalarType::Double},
                        {"ComplexHalfStorage", ScalarType::ComplexHalf},
                        {"ComplexFloatStorage", ScalarType::ComplexFloat},
                        {"ComplexDoubleStorage", ScalarType::ComplexDouble},
                        {"BoolStorage", ScalarType::Bool},
                        {"BFloat16Storage", ScalarType::BFloat16}};
  for (const Case &test : cases) {
    size_t size = 3 * elementSize(test.type);
    ModuleFiles fits =
        withTensor(pickleTensor(pickleStorage(test.storage, "0", 3), 0, {3}, {1}), size);
    Result<TorchScriptArchive> archive = openArchive(fits);
    ASSERT_TRUE(archive) << archive.error().str();
    EXPECT_EQ(archive->root().find("w")->asTensor()->dtype, test.type);
    expectTensorError(
        withTensor(pickleTensor(pickleStorage(test.storage, "0", 3), 0, {3}, {1}), size - 1),
        ErrorCode::Malformed, "storage claims 3 elements, and 'data/0' holds 2");
  }
}

TEST(Tensor, SharedStorageAndIdentity) {
  std::string storage = pickleStorage("FloatStorage", "0", 12);
  std::string first = pickleTensor(storage, 0, {12}, {1}) + "q\x07";
  ModuleFiles files = withTensor("N", 48);
  files.data = pickle(pickleObject(
      "__torch__", "M", {{"a", first}, {"b", "h\x07"}, {"c", pickleTensor(storage, 6, {6}, {1})}}));
  Result<TorchScriptArchive> archive = openArchive(files);
  ASSERT_TRUE(archive) << archive.error().str();
  const ArchiveTensor *a = archive->root().find("a")->asTensor(),
                      *b = archive->root().find("b")->asTensor();
  const ArchiveTensor *c = archive->root().find("c")->asTensor();
  EXPECT_EQ(a, b);
  EXPECT_NE(a, c);
  EXPECT_EQ(a->storage.data(), c->storage.data());
}

TEST(Tensor, Parameter) {
  std::string call =
      pickleCall("torch._utils", "_rebuild_parameter",
                 pickleTuple({pickleTensor(pickleStorage("FloatStorage", "0", 1), 0, {}, {}),
                              "\x88", pickleCall("collections", "OrderedDict", ")")}));
  Result<TorchScriptArchive> archive = openArchive(withTensor(call, 4));
  ASSERT_TRUE(archive) << archive.error().str();
  const ArchiveTensor *tensor = archive->root().find("w")->asTensor();
  EXPECT_TRUE(tensor->isParameter);
  EXPECT_TRUE(tensor->requiresGrad);
  EXPECT_EQ(tensor->elementCount(), 1);
}

TEST(Tensor, EmptyAndExpanded) {
  EXPECT_TRUE(openArchive(floatTensor(0, {0}, {1}, 0)));
  EXPECT_TRUE(openArchive(floatTensor(12, {0, 5}, {5, 1})));
  // torch.tensor([]).reshape(4, 0)[1:] begins at element 1 of none.
  EXPECT_TRUE(openArchive(floatTensor(1, {3, 0}, {1, 1}, 0)));
  EXPECT_TRUE(openArchive(floatTensor(INT64_MAX, {0}, {1})));
  EXPECT_TRUE(openArchive(floatTensor(11, {7}, {0})));
}

TEST(Tensor, BeyondItsStorage) {
  expectTensorError(floatTensor(0, {13}, {1}), ErrorCode::Malformed,
                    "reaches beyond storage 'data/0'");
  expectTensorError(floatTensor(1, {12}, {1}), ErrorCode::Malformed, "reaches beyond");
  expectTensorError(floatTensor(0, {2, 2}, {11, 1}), ErrorCode::Malformed, "reaches beyond");
  expectTensorError(floatTensor(12, {}, {}), ErrorCode::Malformed, "reaches beyond");
  expectTensorError(floatTensor(13, {1}, {1}), ErrorCode::Malformed, "begins at element 13");
}

TEST(Tensor, OverflowingExtents) {
  expectTensorError(floatTensor(0, {INT64_MAX}, {INT64_MAX}), ErrorCode::Malformed,
                    "reaches beyond");
  expectTensorError(floatTensor(1, {2, 2}, {INT64_MAX, 1}), ErrorCode::Malformed, "reaches beyond");
  expectTensorError(floatTensor(0, {int64_t(1) << 32, int64_t(1) << 32}, {0, 0}),
                    ErrorCode::Malformed, "reaches beyond");
  expectTensorError(floatTensor(INT64_MAX, {2}, {1}), ErrorCode::Malformed, "begins at element");
  expectTensorError(floatTensor(0, {int64_t(1) << 40}, {0}), ErrorCode::LimitExceeded, "repeats");
}

TEST(Tensor, NegativeExtents) {
  expectTensorError(floatTensor(-1, {2}, {1}), ErrorCode::Malformed, "non-negative offset, got -1");
  expectTensorError(floatTensor(0, {-2}, {1}), ErrorCode::Malformed,
                    "size as non-negative integers");
  expectTensorError(floatTensor(5, {2}, {-1}), ErrorCode::Malformed,
                    "stride as non-negative integers");
  expectTensorError(floatTensor(0, {2, 2}, {1}), ErrorCode::Malformed, "expected 2 strides, got 1");
  expectTensorError(floatTensor(0, std::vector<int64_t>(65, 1), std::vector<int64_t>(65, 1)),
                    ErrorCode::LimitExceeded, "rank of at most 64, got 65");
}

TEST(Tensor, LyingStorage) {
  expectTensorError(
      withTensor(pickleTensor(pickleStorage("FloatStorage", "0", int64_t(1) << 60), 0, {1}, {1}),
                 48),
      ErrorCode::Malformed, "claims 1152921504606846976 elements");
  expectTensorError(
      withTensor(pickleTensor(pickleStorage("FloatStorage", "0", -1), 0, {1}, {1}), 48),
      ErrorCode::Malformed, "claims -1 elements");
  expectTensorError(
      withTensor(pickleTensor(pickleStorage("FloatStorage", "9", 12), 0, {1}, {1}), 48),
      ErrorCode::NotFound, "no storage 'data/9'");
  expectTensorError(
      withTensor(pickleTensor(pickleStorage("QInt8Storage", "0", 12), 0, {1}, {1}), 48),
      ErrorCode::Unsupported, "torch.QInt8Storage");
  expectTensorError(withTensor(pickleTensor(pickleTuple({}) + "Q", 0, {1}, {1}), 48),
                    ErrorCode::Malformed, "expected a storage");
  expectTensorError(withTensor(pickleTensor("N", 0, {1}, {1}), 48), ErrorCode::Malformed,
                    "expected a storage");
}

/// Six integers, two rows of three, with this quantizer.
ModuleFiles quantizedTensor(const std::vector<std::string> &quantizer,
                            const std::string &storageClass = "QInt8Storage") {
  std::string args = pickleTuple(
      {pickleStorage(storageClass, "0", 6), pickleInt(0), pickleTuple({pickleInt(2), pickleInt(3)}),
       pickleTuple({pickleInt(3), pickleInt(1)}), pickleTuple(quantizer), "\x89", "N"});
  return withTensor(pickleCall("torch._utils", "_rebuild_qtensor", args), 48);
}

std::string half() { return std::string("G\x3f\xe0\0\0\0\0\0\0", 9); }

std::string channelNumbers(const std::string &storageClass, int64_t count) {
  return pickleTensor(pickleStorage(storageClass, "0", count), 0, {count}, {1});
}

const std::string perTensor = pickleGlobal("torch", "per_tensor_affine");
const std::string perChannel = pickleGlobal("torch", "per_channel_affine");

TEST(Tensor, QuantizedAsAWhole) {
  Result<TorchScriptArchive> archive =
      openArchive(quantizedTensor({perTensor, half(), pickleInt(3)}, "QUInt8Storage"));
  ASSERT_TRUE(archive) << archive.error().str();
  const ArchiveValue *value = archive->root().find("w");
  ASSERT_TRUE(value && value->asQuantizedTensor());
  // Nobody takes its integers for its values.
  EXPECT_FALSE(value->asTensor());
  EXPECT_EQ(value->kindName(), "quantized tensor");
  const ArchiveQuantizedTensor &tensor = *value->asQuantizedTensor();
  EXPECT_EQ(tensor.numbers.dtype, ScalarType::Byte);
  EXPECT_EQ(tensor.numbers.elementCount(), 6);
  EXPECT_EQ(tensor.scale, 0.5);
  EXPECT_EQ(tensor.zeroPoint, 3);
  EXPECT_FALSE(tensor.channels);
}

TEST(Tensor, QuantizedByChannels) {
  Result<TorchScriptArchive> archive =
      openArchive(quantizedTensor({perChannel, channelNumbers("DoubleStorage", 2),
                                   channelNumbers("LongStorage", 2), pickleInt(0)}));
  ASSERT_TRUE(archive) << archive.error().str();
  const ArchiveQuantizedTensor *tensor = archive->root().find("w")->asQuantizedTensor();
  ASSERT_TRUE(tensor && tensor->channels);
  EXPECT_EQ(tensor->numbers.dtype, ScalarType::Char);
  EXPECT_EQ(tensor->channels->axis, 0);
  EXPECT_EQ(tensor->channels->scales.elementCount(), 2);
  EXPECT_EQ(tensor->channels->zeroPoints.dtype, ScalarType::Long);
}

TEST(Tensor, BadQuantizers) {
  std::string scales = channelNumbers("DoubleStorage", 2), zeros = channelNumbers("LongStorage", 2);
  auto expectMalformed = [](const ModuleFiles &files, const std::string &message) {
    expectTensorError(files, ErrorCode::Malformed, message);
  };
  expectMalformed(quantizedTensor({}), "stride and quantizer");
  expectMalformed(quantizedTensor({perTensor, half()}), "a scale and a zero point");
  expectMalformed(quantizedTensor({perChannel, scales, zeros}), "the axis of channels");
  expectMalformed(quantizedTensor({perChannel, scales, zeros, pickleInt(2)}),
                  "an axis below 2, got 2");
  expectMalformed(quantizedTensor({perChannel, scales, zeros, pickleInt(1)}),
                  "expected 3 numbers of type f64");
  expectMalformed(quantizedTensor({perChannel, scales, scales, pickleInt(0)}),
                  "expected 2 numbers of type i64");
  expectTensorError(quantizedTensor({pickleGlobal("torch", "other"), half(), pickleInt(0)}),
                    ErrorCode::Unsupported, "scheme 'torch.other'");
  expectTensorError(quantizedTensor({perTensor, half(), pickleInt(0)}, "CharStorage"),
                    ErrorCode::Unsupported, "torch.CharStorage");
}

TEST(Tensor, OtherRebuilds) {
  expectTensorError(withTensor(pickleCall("torch._utils", "_rebuild_sparse_tensor", ")"), 48),
                    ErrorCode::Unsupported, "_rebuild_sparse_tensor");
  expectTensorError(withTensor(pickleCall("torch._utils", "_rebuild_tensor_v2", ")"), 48),
                    ErrorCode::Malformed, "storage, offset, size, stride");
  expectTensorError(withTensor(pickleCall("torch._utils", "_rebuild_parameter", "(N\x88t"), 48),
                    ErrorCode::Malformed, "expected a parameter's tensor");
}

} // namespace
} // namespace jit::test

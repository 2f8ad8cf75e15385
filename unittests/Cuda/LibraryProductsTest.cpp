//===- LibraryProductsTest.cpp - products by cublasLt ---------------------===//
//
// The library is the one of driver/FakeCublasLt.cpp. Results are compared with those of the
// emulated device, which has no library.
//
//===----------------------------------------------------------------------===//
#include "WholeNumbers.h"
#include "jit/Runtime/CudaChip.h"
#include "jit/Runtime/Executor.h"

#include <gtest/gtest.h>

#include <dlfcn.h>

using namespace jit;
using namespace jit::runtime;

/// result = left * right for buffers of these numbers of elements.
static std::shared_ptr<const Artifact> makeArtifact(const MatrixProduct &product, int64_t left,
                                                    int64_t right, int64_t result,
                                                    bool isEmulated) {
  auto code = std::make_shared<DeviceCode>();
  code->ptx = "kernels";
  code->isEmulated = isEmulated;
  auto vector = [&](ScalarType type, int64_t size) { return ValueType{true, type, {size}}; };
  Entry entry{.name = "forward"};
  entry.arguments = {{ArgumentKind::Input, vector(product.factors, left), ""},
                     {ArgumentKind::Input, vector(product.factors, right), ""},
                     {ArgumentKind::Input, vector(product.sums, result), ""}};
  entry.results = {{vector(product.sums, result), ""}};
  entry.arenaBytes = 64;
  entry.plan.words = 5;
  entry.plan.steps = {{CopyStep{{3, 0}, {2, 0}, result * 4}},
                      {ProductStep{product, {0, 0}, {1, 0}, {3, 0}}}};
  auto artifact = std::make_shared<Artifact>();
  artifact->entries.push_back(entry);
  artifact->device = code;
  return artifact;
}

/// Numbers that both kinds of elements have exactly.
static Tensor numbers(ScalarType type, int64_t count, int seed) {
  return wholeNumbers(type, count, seed, /*most=*/5);
}

static Result<std::vector<float>> multiply(const MatrixProduct &product, int64_t left,
                                           int64_t right, int64_t result, bool isEmulated) {
  auto source = [](const std::string &name) -> Result<Tensor> {
    return Error{ErrorCode::NotFound, name};
  };
  auto executor = Executor::create(makeArtifact(product, left, right, result, isEmulated),
                                   "forward", source, nullptr);
  if (!executor)
    return executor.takeError();
  std::vector<Value> inputs = {numbers(product.factors, left, 1),
                               numbers(product.factors, right, 4),
                               numbers(product.sums, result, 2)};
  auto first = (*executor)->run(inputs);
  // The second call finds what the first one has prepared.
  auto results = first ? (*executor)->run(inputs) : std::move(first);
  if (!results)
    return results.takeError();
  auto *tensor = (*results)[0].getIf<Tensor>();
  return std::vector<float>(tensor->as<float>(), tensor->as<float>() + result);
}

static void expectSame(const MatrixProduct &product, int64_t left, int64_t right, int64_t result) {
  auto expected = multiply(product, left, right, result, /*isEmulated=*/true);
  auto got = multiply(product, left, right, result, /*isEmulated=*/false);
  ASSERT_TRUE(expected) << expected.error().message;
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(*got, *expected);
}

static int counted(const char *name) {
  auto *library = dlopen("libcublasLt.so.13", RTLD_NOW);
  auto count = library ? reinterpret_cast<int (*)()>(dlsym(library, name)) : nullptr;
  EXPECT_NE(count, nullptr) << name;
  return count ? count() : -1;
}

/// Three rows, four columns, five summands, in memory with room between the rows.
static MatrixProduct makeProduct() {
  MatrixProduct product{.batches = 2, .rows = 3, .columns = 4, .depth = 5};
  product.left = {.isTransposed = false, .stride = 6, .batchStride = 20};
  product.right = {.isTransposed = false, .stride = 4, .batchStride = 20};
  product.result = {.isTransposed = false, .stride = 4, .batchStride = 12};
  return product;
}

TEST(LibraryProducts, AreFound) { EXPECT_TRUE(findProductLibrary()); }

TEST(LibraryProducts, MultiplyEveryLayout) {
  for (bool left : {false, true})
    for (bool right : {false, true}) {
      MatrixProduct product = makeProduct();
      product.left.isTransposed = left;
      product.left.stride = left ? 3 : 6;
      product.right.isTransposed = right;
      product.right.stride = right ? 5 : 4;
      expectSame(product, 40, 40, 24);
    }
}

TEST(LibraryProducts, ShareAFactorAndAddToWhatIsThere) {
  MatrixProduct product = makeProduct();
  product.right.batchStride = 0;
  product.adds = true;
  expectSame(product, 40, 20, 24);
}

TEST(LibraryProducts, OfHalves) {
  MatrixProduct product = makeProduct();
  product.factors = ScalarType::BFloat16;
  expectSame(product, 40, 40, 24);
}

TEST(LibraryProducts, ArePreparedOnceAndGivenBack) {
  int before = counted("fakeCublasLtChoices");
  expectSame(makeProduct(), 40, 40, 24);
  EXPECT_EQ(counted("fakeCublasLtChoices"), before + 1);
  EXPECT_EQ(counted("fakeCublasLtObjects"), 0);
}

TEST(LibraryProducts, SayThatThereIsNoWay) {
  MatrixProduct product = makeProduct();
  product.batches = 1;
  product.depth = 13;
  product.left.stride = 13;
  auto got = multiply(product, 39, 52, 12, /*isEmulated=*/false);
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().message, "expected cublasLt to have a way to multiply, got its status 15");
}

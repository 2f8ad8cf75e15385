//===- WeightsTest.cpp - the file of the weights, and who may change it ---===//
#include "Program.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include <sys/stat.h>
#include <unistd.h>

namespace {
/// A package's file of weights, and an instance that reads it.
struct Weights {
  explicit Weights(mode_t mode) {
    package.name = "program";
    package.weights_path = path.c_str();
    package.weights_bytes = 8192;
    package.weights_id = 7;
    package.blobs = &blob;
    package.blob_count = 1;
    module.package = &package;
    std::string bytes = std::string("JITWGHT\0\7\0\0\0\0\0\0\0", 16);
    bytes.resize(8192, 'w');
    std::ofstream(path) << bytes;
    EXPECT_EQ(chmod(path.c_str(), mode), 0);
  }
  ~Weights() {
    jit_unmap_weights(&module);
    std::remove(path.c_str());
  }
  Weights(const Weights &) = delete;
  Weights &operator=(const Weights &) = delete;

  jit_status open() { return jit_map_weights(&module, nullptr, &error); }
  char last() { return static_cast<const char *>(jit_blob_data(&module, 0))[4095]; }

  std::string path = testing::TempDir() + "/weights-" + std::to_string(getpid());
  jit_blob blob = {nullptr, 4096, 4096};
  jit_package package = {};
  jit_module module = {};
  jit_error error = {};
};
} // namespace

TEST(PackageWeights, AreMappedWhereOnlyTheUserMayChangeThem) {
  Weights weights(0644);
  ASSERT_EQ(weights.open(), JIT_OK) << weights.error.message;
  EXPECT_TRUE(weights.module.maps_weights);
  EXPECT_EQ(weights.last(), 'w');
}

TEST(PackageWeights, AreReadWhereAnybodyMayCutThem) {
  Weights weights(0666);
  ASSERT_EQ(weights.open(), JIT_OK) << weights.error.message;
  EXPECT_EQ(truncate(weights.path.c_str(), 0), 0);
  EXPECT_EQ(weights.last(), 'w');
}

TEST(PackageWeights, AreRefusedWhereTheyAreShort) {
  for (mode_t mode : {0644, 0666}) {
    Weights weights(mode);
    EXPECT_EQ(truncate(weights.path.c_str(), 4000), 0);
    EXPECT_EQ(weights.open(), JIT_MALFORMED);
  }
}

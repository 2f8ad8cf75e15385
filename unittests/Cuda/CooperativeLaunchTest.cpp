//===- CooperativeLaunchTest.cpp - the stand-in driver's cooperative launches --===//
#include <gtest/gtest.h>

#include <dlfcn.h>

namespace {
template <typename F> F *driver(const char *name) {
  return reinterpret_cast<F *>(dlsym(dlopen("libcuda.so.1", RTLD_NOW), name));
}

/// Of blocks of 1024 threads, of which two have room in a multiprocessor.
struct Kernel {
  Kernel() {
    driver<int(void **, int)>("cuDevicePrimaryCtxRetain")(&context, 0);
    driver<int(void *)>("cuCtxPushCurrent_v2")(context);
    const char *text = ".version 8.0\n.target sm_90a\n.address_size 64\n"
                       ".visible .entry nothing()\n{\nret;\n}\n";
    driver<int(void **, const void *, unsigned, int *, void **)>("cuModuleLoadDataEx")(
        &module, text, 0, nullptr, nullptr);
    driver<int(void **, void *, const char *)>("cuModuleGetFunction")(&function, module, "nothing");
  }
  ~Kernel() {
    driver<int(void *)>("cuModuleUnload")(module);
    void *popped = nullptr;
    driver<int(void **)>("cuCtxPopCurrent_v2")(&popped);
  }
  int launch(unsigned blocks, unsigned threads) const {
    auto *start = driver<int(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                             unsigned, void *, void **)>("cuLaunchCooperativeKernel");
    return start(function, blocks, 1, 1, threads, 1, 1, 0, nullptr, nullptr);
  }

  void *context = nullptr, *module = nullptr, *function = nullptr;
};

int attribute(int number) {
  int value = 0;
  driver<int(int *, int, int)>("cuDeviceGetAttribute")(&value, number, 0);
  return value;
}
} // namespace

TEST(CooperativeLaunch, TakesAsManyBlocksAsRunSideBySide) {
  Kernel kernel;
  ASSERT_NE(kernel.function, nullptr);
  // CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH and _MULTIPROCESSOR_COUNT.
  EXPECT_EQ(attribute(95), 1);
  int each = 0;
  EXPECT_EQ(driver<int(int *, void *, int, size_t)>("cuOccupancyMaxActiveBlocksPerMultiprocessor")(
                &each, kernel.function, 1024, 0),
            0);
  EXPECT_EQ(each, 2);
  auto most = static_cast<unsigned>(each * attribute(16));
  EXPECT_EQ(kernel.launch(most, 1024), 0);
  // CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE.
  EXPECT_EQ(kernel.launch(most + 1, 1024), 720);
  EXPECT_EQ(driver<int(void *)>("cuStreamSynchronize")(nullptr), 0);
}

//===- CudaDevice.cpp - NVIDIA's GPUs through the CUDA driver -------------===//
#include "CublasLt.h"
#include "CudaDriver.h"
#include "Cudnn.h"
#include "Device.h"
#include "OpenMemory.h"
#include "jit/Runtime/CallerStream.h"
#include "jit/Runtime/CudaChip.h"

#include <array>
#include <vector>

using namespace jit;
using namespace jit::runtime;

namespace {
/// The driver's calls are for the context of the calling thread. It is this one for a while; then
/// the caller finds his own again.
class InContext {
public:
  InContext(const CudaDriver &driver, CudaContext context) : driver(driver) {
    isPushed = driver.cuCtxPushCurrent(context) == 0;
  }
  ~InContext() {
    CudaContext popped = nullptr;
    if (isPushed)
      driver.cuCtxPopCurrent(&popped);
  }
  InContext(const InContext &) = delete;
  InContext &operator=(const InContext &) = delete;

private:
  const CudaDriver &driver;
  bool isPushed;
};

class CudaKernels : public LoadedKernels {
public:
  CudaKernels(const CudaDriver &driver, CudaContext context, CudaModule module,
              std::shared_ptr<const DeviceCode> code)
      : driver(driver), context(context), module(module), code(std::move(code)) {}
  ~CudaKernels() override {
    InContext inside(driver, context);
    if (module)
      driver.cuModuleUnload(module);
  }

  const CudaDriver &driver;
  CudaContext context;
  CudaModule module;
  std::shared_ptr<const DeviceCode> code;
  std::vector<CudaFunction> functions;
};

class RecordedGraph : public DeviceGraph {
public:
  RecordedGraph(const CudaDriver &driver, CudaContext context, CudaGraphExec exec)
      : driver(driver), context(context), exec(exec) {}
  ~RecordedGraph() override {
    InContext inside(driver, context);
    driver.cuGraphExecDestroy(exec);
  }

  const CudaDriver &driver;
  CudaContext context;
  CudaGraphExec exec;
};

class CudaQueue : public DeviceQueue {
public:
  CudaQueue(const CudaDriver &driver, Device &device, CudaContext context, CudaStream stream,
            bool isOwn)
      : driver(driver), device(device), context(context), stream(stream), isOwn(isOwn) {}
  ~CudaQueue() override {
    InContext inside(driver, context);
    products.reset();
    convolutions.reset();
    if (isOwn)
      driver.cuStreamDestroy(stream);
  }

  Result<void> copyIn(DeviceAddress to, const void *from, size_t bytes) override {
    InContext inside(driver, context);
    return after(driver.cuMemcpyHtoDAsync(to, from, bytes, stream), "to copy to the device");
  }
  Result<void> copyOut(void *to, DeviceAddress from, size_t bytes) override {
    InContext inside(driver, context);
    return after(driver.cuMemcpyDtoHAsync(to, from, bytes, stream), "to copy from the device");
  }
  Result<void> copy(DeviceAddress to, DeviceAddress from, size_t bytes) override {
    InContext inside(driver, context);
    return after(driver.cuMemcpyDtoDAsync(to, from, bytes, stream), "to copy on the device");
  }
  Result<void> launch(const LoadedKernels &kernels, uint32_t number,
                      std::span<const uint64_t> arguments,
                      std::span<const TensorMap> maps) override;
  Result<void> multiply(const MatrixProduct &product, DeviceAddress left, DeviceAddress right,
                        DeviceAddress result) override;
  Result<void> convolve(const PlanConvolution &convolution, DeviceAddress images,
                        DeviceAddress filters, DeviceAddress result) override;
  Result<void> finish() override {
    InContext inside(driver, context);
    return after(driver.cuStreamSynchronize(stream), "kernels that end well");
  }
  Result<void> beginRecording() override {
    // CU_STREAM_CAPTURE_MODE_THREAD_LOCAL: other threads may allocate meanwhile.
    InContext inside(driver, context);
    return after(driver.cuStreamBeginCapture(stream, 1), "to record a stream");
  }
  Result<std::unique_ptr<DeviceGraph>> endRecording() override;
  Result<void> replay(const DeviceGraph &graph) override {
    InContext inside(driver, context);
    return after(driver.cuGraphLaunch(static_cast<const RecordedGraph &>(graph).exec, stream),
                 "a graph that starts");
  }

private:
  Result<CudaTensorMap> encode(const TensorMap &map, uint64_t address);
  Result<void> after(CudaResult result, const char *what) {
    if (result)
      return driver.error(result, what, ErrorCode::Internal);
    return {};
  }

  const CudaDriver &driver;
  Device &device;
  CudaContext context;
  CudaStream stream;
  bool isOwn;
  /// Once a plan has a library multiply or convolve, and the memory that they do it in.
  std::unique_ptr<LibraryProducts> products;
  std::unique_ptr<LibraryConvolutions> convolutions;
  std::shared_ptr<DeviceBuffer> workspace;
};

class CudaDevice : public Device {
public:
  CudaDevice(const CudaDriver &driver, CudaDeviceNumber number, CudaContext context)
      : driver(driver), number(number), context(context) {}
  ~CudaDevice() override {
    releaseCache();
    driver.cuDevicePrimaryCtxRelease(number);
  }

  Result<std::unique_ptr<LoadedKernels>> load(std::shared_ptr<const DeviceCode> code) override;
  Result<std::unique_ptr<DeviceQueue>> createQueue() override;
  Result<std::unique_ptr<DeviceQueue>> joinQueue(void *stream) override {
    return std::unique_ptr<DeviceQueue>(std::make_unique<CudaQueue>(
        driver, *this, context, static_cast<CudaStream>(stream), /*isOwn=*/false));
  }
  Result<bool> holds(const void *address) override;
  void finishAll() override {
    InContext inside(driver, context);
    driver.cuCtxSynchronize();
  }

protected:
  Result<DeviceAddress> allocate(size_t bytes, MemoryKind kind) override;
  void release(DeviceAddress address, MemoryKind kind) override;

private:
  Result<CudaModule> loadImage(const std::string &image);

  const CudaDriver &driver;
  CudaDeviceNumber number;
  CudaContext context;
};
} // namespace

Result<std::unique_ptr<DeviceGraph>> CudaQueue::endRecording() {
  InContext inside(driver, context);
  CudaGraph graph = nullptr;
  if (auto done = after(driver.cuStreamEndCapture(stream, &graph), "what a stream recorded"); !done)
    return done.takeError();
  CudaGraphExec exec = nullptr;
  CudaResult result = driver.cuGraphInstantiateWithFlags(&exec, graph, 0);
  driver.cuGraphDestroy(graph);
  if (result)
    return driver.error(result, "a graph of what a stream recorded", ErrorCode::Internal);
  return std::unique_ptr<DeviceGraph>(std::make_unique<RecordedGraph>(driver, context, exec));
}

Result<CudaTensorMap> CudaQueue::encode(const TensorMap &map, uint64_t address) {
  if (!driver.cuTensorMapEncodeTiled)
    return Error{ErrorCode::Unsupported,
                 "expected a CUDA driver with cuTensorMapEncodeTiled, got an older one"};
  // CU_TENSOR_MAP_DATA_TYPE_FLOAT16 and _BFLOAT16, CU_TENSOR_MAP_INTERLEAVE_NONE,
  // CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B and
  // CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE, by the driver's numbers.
  int type = map.type == ScalarType::Half ? 6 : 9;
  uint32_t steps[] = {1, 1, 1};
  CudaTensorMap encoded;
  CudaResult result = driver.cuTensorMapEncodeTiled(
      &encoded, type, /*rank=*/3, reinterpret_cast<void *>(address), map.sizes.data(),
      map.strides.data(), map.box.data(), steps, /*interleave=*/0, /*swizzle=*/3, /*promotion=*/3,
      /*fill=*/0);
  if (result)
    return driver.error(result, "a map of a kernel's argument", ErrorCode::Internal);
  return encoded;
}

Result<void> CudaQueue::launch(const LoadedKernels &kernels, uint32_t number,
                               std::span<const uint64_t> arguments,
                               std::span<const TensorMap> maps) {
  auto &loaded = static_cast<const CudaKernels &>(kernels);
  const DeviceKernel &kernel = loaded.code->kernels[number];
  // The driver reads as many bytes of each word as the parameter has: the lowest ones.
  std::vector<void *> pointers;
  for (const uint64_t &word : arguments)
    pointers.push_back(const_cast<uint64_t *>(&word));
  InContext inside(driver, context);
  std::vector<CudaTensorMap> encoded(maps.size());
  for (size_t i = 0; i < maps.size(); ++i) {
    Result<CudaTensorMap> map = encode(maps[i], arguments[maps[i].argument]);
    if (!map)
      return map.takeError();
    encoded[i] = *map;
    pointers[maps[i].argument] = &encoded[i];
  }
  CudaResult result =
      driver.cuLaunchKernel(loaded.functions[number], kernel.grid[0], kernel.grid[1],
                            kernel.grid[2], kernel.block[0], kernel.block[1], kernel.block[2],
                            kernel.dynamicSharedBytes, stream, pointers.data(), nullptr);
  return after(result, "a kernel that starts");
}

Result<void> CudaQueue::multiply(const MatrixProduct &product, DeviceAddress left,
                                 DeviceAddress right, DeviceAddress result) {
  InContext inside(driver, context);
  if (!products) {
    auto made = LibraryProducts::create();
    if (!made)
      return made.takeError();
    products = std::move(*made);
  }
  size_t bytes = LibraryProducts::workspaceBytes;
  if (auto done = OpenMemory::enlarge(workspace, bytes, device, *this); !done)
    return done;
  return products->multiply(product, left, right, result, workspace->address(), stream);
}

Result<void> CudaQueue::convolve(const PlanConvolution &convolution, DeviceAddress images,
                                 DeviceAddress filters, DeviceAddress result) {
  InContext inside(driver, context);
  if (!convolutions) {
    auto made = LibraryConvolutions::create(stream);
    if (!made)
      return made.takeError();
    convolutions = std::move(*made);
  }
  Result<size_t> bytes = convolutions->workspaceBytes(convolution);
  if (!bytes)
    return bytes.takeError();
  if (auto done = OpenMemory::enlarge(workspace, *bytes, device, *this); !done)
    return done;
  return convolutions->convolve(convolution, images, filters, result, workspace->address());
}

/// What the driver says about an image that it does not take, its own log included.
Result<CudaModule> CudaDevice::loadImage(const std::string &image) {
  // CU_JIT_ERROR_LOG_BUFFER and its size, by the driver's numbers.
  std::array<char, 4096> log = {};
  int options[] = {5, 6};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size() - 1)};
  CudaModule module = nullptr;
  CudaResult result = driver.cuModuleLoadDataEx(&module, image.c_str(), 2, options, values);
  if (!result)
    return module;
  Error error = driver.error(result, "kernels that the driver takes");
  if (log[0])
    error.message += std::string("\n") + log.data();
  return error;
}

Result<std::unique_ptr<LoadedKernels>> CudaDevice::load(std::shared_ptr<const DeviceCode> code) {
  InContext inside(driver, context);
  Result<CudaModule> module = CudaModule();
  // A cubin is for one kind of GPU, which may be another one than this.
  if (!code->cubin.empty())
    module = loadImage(code->cubin);
  if (!code->ptx.empty() && (code->cubin.empty() || !module))
    module = loadImage(code->ptx);
  if (!module)
    return module.takeError();
  auto loaded = std::make_unique<CudaKernels>(driver, context, *module, code);
  for (const DeviceKernel &kernel : code->kernels) {
    CudaFunction function = nullptr;
    if (CudaResult found = driver.cuModuleGetFunction(&function, *module, kernel.name.c_str()))
      return driver.error(found, "a kernel called " + kernel.name, ErrorCode::Internal);
    // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, by the driver's number.
    int bytes = int(kernel.dynamicSharedBytes);
    if (CudaResult result = bytes > 0 ? driver.cuFuncSetAttribute(function, 8, bytes) : 0)
      return driver.error(result, std::to_string(bytes) + " bytes that a block's threads share");
    loaded->functions.push_back(function);
  }
  return std::unique_ptr<LoadedKernels>(std::move(loaded));
}

Result<std::unique_ptr<DeviceQueue>> CudaDevice::createQueue() {
  InContext inside(driver, context);
  CudaStream stream = nullptr;
  // CU_STREAM_NON_BLOCKING: no waiting for what others do.
  if (CudaResult result = driver.cuStreamCreate(&stream, 1))
    return driver.error(result, "to make a stream");
  return std::unique_ptr<DeviceQueue>(
      std::make_unique<CudaQueue>(driver, *this, context, stream, /*isOwn=*/true));
}

Result<bool> CudaDevice::holds(const void *address) {
  InContext inside(driver, context);
  auto word = reinterpret_cast<uint64_t>(address);
  // CU_POINTER_ATTRIBUTE_MEMORY_TYPE and _DEVICE_ORDINAL, and CU_MEMORYTYPE_DEVICE, by the driver's
  // numbers. Memory that it does not know is the host's.
  unsigned kind = 0;
  if (driver.cuPointerGetAttribute(&kind, 2, word) != 0 || kind != 2)
    return false;
  CudaDeviceNumber owner = number;
  if (driver.cuPointerGetAttribute(&owner, 9, word) == 0 && owner != number)
    return Error{ErrorCode::InvalidArgument, "expected memory of the host or of CUDA device " +
                                                 std::to_string(number) +
                                                 ", got memory of device " + std::to_string(owner)};
  return true;
}

Result<DeviceAddress> CudaDevice::allocate(size_t bytes, MemoryKind kind) {
  InContext inside(driver, context);
  if (kind == MemoryKind::Host) {
    void *memory = nullptr;
    // CU_MEMHOSTALLOC_PORTABLE: for all contexts.
    if (CudaResult result = driver.cuMemHostAlloc(&memory, bytes, 1))
      return driver.error(result, "memory of " + std::to_string(bytes) + " bytes of the host");
    return reinterpret_cast<DeviceAddress>(memory);
  }
  DeviceAddress address = 0;
  if (CudaResult result = driver.cuMemAlloc(&address, bytes))
    return driver.error(result, "memory of " + std::to_string(bytes) + " bytes on the device");
  return address;
}

void CudaDevice::release(DeviceAddress address, MemoryKind kind) {
  InContext inside(driver, context);
  if (kind == MemoryKind::Host)
    driver.cuMemFreeHost(reinterpret_cast<void *>(address));
  else
    driver.cuMemFree(address);
}

static Result<std::shared_ptr<Device>> openFirst() {
  Result<const CudaDriver *> driver = CudaDriver::get();
  if (!driver)
    return driver.takeError();
  CudaDeviceNumber number = 0;
  if (CudaResult result = (*driver)->cuDeviceGet(&number, 0))
    return (*driver)->error(result, "a CUDA device");
  // The context that everybody in this process shares.
  CudaContext context = nullptr;
  if (CudaResult result = (*driver)->cuDevicePrimaryCtxRetain(&context, number))
    return (*driver)->error(result, "a context of the CUDA device");
  return std::shared_ptr<Device>(std::make_shared<CudaDevice>(**driver, number, context));
}

Result<std::shared_ptr<Device>> jit::runtime::openCudaDevice() {
  static std::mutex mutex;
  static std::weak_ptr<Device> known;
  std::lock_guard<std::mutex> lock(mutex);
  if (std::shared_ptr<Device> device = known.lock())
    return device;
  Result<std::shared_ptr<Device>> device = openFirst();
  if (device)
    known = *device;
  return device;
}

std::string jit::runtime::cudaChip() {
  Result<const CudaDriver *> driver = CudaDriver::get();
  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR, by the driver's numbers.
  int major = 0, minor = 0;
  if (!driver || (*driver)->cuDeviceGetAttribute(&major, 75, 0) != 0 ||
      (*driver)->cuDeviceGetAttribute(&minor, 76, 0) != 0 || major < 8)
    return {};
  // The newest that is compiled for and not newer than the device; what only this one has is not in
  // later ones.
  if (major == 9 && minor == 0)
    return "sm_90a";
  if (major >= 9)
    return "sm_90";
  return minor >= 9 ? "sm_89" : minor >= 6 ? "sm_86" : "sm_80";
}

bool jit::runtime::isOnCudaDevice(const void *address) {
  Result<std::shared_ptr<Device>> device = openCudaDevice();
  if (!device)
    return false;
  Result<bool> held = (*device)->holds(address);
  return held && *held;
}

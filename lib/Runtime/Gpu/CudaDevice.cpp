//===- CudaDevice.cpp - NVIDIA's GPUs through the CUDA driver -------------===//
#include "CublasLt.h"
#include "CudaContext.h"
#include "CudaDriver.h"
#include "Cudnn.h"
#include "Device.h"
#include "Marshalling.h"
#include "OpenMemory.h"
#include "jit/Runtime/CallerStream.h"
#include "jit/Runtime/CudaChip.h"

#include <vector>

using namespace jit;
using namespace jit::runtime;

namespace {
/// In a device's context for a while; then the caller finds his own again.
class InContext {
public:
  explicit InContext(const jit_cuda_device &device)
      : device(device), status(jit_cuda_enter(&device, &error)) {}
  ~InContext() {
    if (*this)
      jit_cuda_leave(&device);
  }
  InContext(const InContext &) = delete;
  InContext &operator=(const InContext &) = delete;

  explicit operator bool() const { return status == JIT_OK; }
  /// What went wrong on the way in.
  Result<void> result() const { return *this ? Result<void>() : errorOf(error); }
  /// What went wrong on the way in, or in `work`, which gives a status and fills in an error.
  template <typename Work> Result<void> then(const Work &work) {
    jit_status done = *this ? work(&error) : status;
    return done == JIT_OK ? Result<void>() : errorOf(error);
  }
  /// The same for a number of the driver's.
  template <typename Work>
  Result<void> then(const char *expected, ErrorCode otherwise, const Work &work) {
    return then([&](jit_error *into) {
      return jit_check_cuda(device.cuda, work(*device.cuda), expected,
                            jit_status(int(otherwise) + 1), into);
    });
  }

private:
  const jit_cuda_device &device;
  jit_error error; // written where something fails alone, for it is large
  jit_status status;
};

class CudaKernels : public LoadedKernels {
public:
  CudaKernels(const jit_cuda_device &device, std::shared_ptr<const DeviceCode> code)
      : device(device), code(std::move(code)) {}
  ~CudaKernels() override {
    if (InContext inside(device); inside && module)
      device.cuda->cuModuleUnload(module);
  }

  const jit_cuda_device &device;
  jit_cuda_module module = nullptr;
  std::shared_ptr<const DeviceCode> code;
  std::vector<jit_kernel> kernels;
  std::vector<jit_cuda_kernel> found;
};

class RecordedGraph : public DeviceGraph {
public:
  RecordedGraph(const jit_cuda_device &device, jit_cuda_graph_exec exec)
      : device(device), exec(exec) {}
  ~RecordedGraph() override {
    if (InContext inside(device); inside)
      device.cuda->cuGraphExecDestroy(exec);
  }

  const jit_cuda_device &device;
  jit_cuda_graph_exec exec;
};

class CudaQueue : public DeviceQueue {
public:
  CudaQueue(const jit_cuda_device &device, Device &owner, jit_cuda_stream stream, bool isOwn)
      : device(device), owner(owner), stream(stream), isOwn(isOwn) {}
  ~CudaQueue() override {
    InContext inside(device);
    products.reset();
    convolutions.reset();
    if (inside && isOwn)
      device.cuda->cuStreamDestroy(stream);
  }

  Result<void> copyIn(DeviceAddress to, const void *from, size_t bytes) override {
    return InContext(device).then([&](jit_error *error) {
      return jit_cuda_copy_in(&device, to, from, int64_t(bytes), stream, error);
    });
  }
  Result<void> copyOut(void *to, DeviceAddress from, size_t bytes) override {
    return InContext(device).then([&](jit_error *error) {
      return jit_cuda_copy_out(&device, to, from, int64_t(bytes), stream, error);
    });
  }
  Result<void> copy(DeviceAddress to, DeviceAddress from, size_t bytes) override {
    return InContext(device).then([&](jit_error *error) {
      return jit_cuda_copy(&device, to, from, int64_t(bytes), stream, error);
    });
  }
  Result<void> launch(const LoadedKernels &kernels, uint32_t number,
                      std::span<const uint64_t> arguments,
                      std::span<const jit_tensor_map> maps) override {
    auto &loaded = static_cast<const CudaKernels &>(kernels);
    return InContext(device).then([&](jit_error *error) {
      return jit_cuda_launch(&device, &loaded.found[number], &loaded.kernels[number],
                             arguments.data(), int64_t(arguments.size()), maps.data(),
                             int64_t(maps.size()), stream, error);
    });
  }
  Result<void> multiply(const MatrixProduct &product, DeviceAddress left, DeviceAddress right,
                        DeviceAddress result) override;
  Result<void> convolve(const PlanConvolution &convolution, DeviceAddress images,
                        DeviceAddress filters, DeviceAddress result) override;
  Result<void> finish() override {
    return InContext(device).then(
        [&](jit_error *error) { return jit_cuda_finish(&device, stream, error); });
  }
  Result<void> beginRecording() override {
    // CU_STREAM_CAPTURE_MODE_THREAD_LOCAL: other threads may allocate meanwhile.
    return InContext(device).then(
        "to record a stream", ErrorCode::Internal,
        [&](const jit_cuda &cuda) { return cuda.cuStreamBeginCapture(stream, 1); });
  }
  Result<std::unique_ptr<DeviceGraph>> endRecording() override;
  Result<void> replay(const DeviceGraph &graph) override {
    return InContext(device).then(
        "a graph that starts", ErrorCode::Internal, [&](const jit_cuda &cuda) {
          return cuda.cuGraphLaunch(static_cast<const RecordedGraph &>(graph).exec, stream);
        });
  }

private:
  const jit_cuda_device &device;
  Device &owner;
  jit_cuda_stream stream;
  bool isOwn;
  /// Once a plan has a library multiply or convolve, and the memory that they do it in.
  std::unique_ptr<LibraryProducts> products;
  std::unique_ptr<LibraryConvolutions> convolutions;
  std::shared_ptr<DeviceBuffer> workspace;
};

class CudaDevice : public Device {
public:
  explicit CudaDevice(const jit_cuda_device &device) : device(device) {}
  ~CudaDevice() override {
    releaseCache();
    jit_cuda_close(&device);
  }

  Result<std::unique_ptr<LoadedKernels>> load(std::shared_ptr<const DeviceCode> code) override;
  Result<std::unique_ptr<DeviceQueue>> createQueue() override;
  Result<std::unique_ptr<DeviceQueue>> joinQueue(void *stream) override;
  Result<bool> holds(const void *address) override;
  void finishAll() override {
    if (InContext inside(device); inside)
      device.cuda->cuCtxSynchronize();
  }

protected:
  Result<DeviceAddress> allocate(size_t bytes, MemoryKind kind) override;
  void release(DeviceAddress address, MemoryKind kind) override;

private:
  const jit_cuda_device device;
};
} // namespace

Result<std::unique_ptr<DeviceGraph>> CudaQueue::endRecording() {
  InContext inside(device);
  jit_cuda_graph graph = nullptr;
  if (auto done = inside.then(
          "what a stream recorded", ErrorCode::Internal,
          [&](const jit_cuda &cuda) { return cuda.cuStreamEndCapture(stream, &graph); });
      !done)
    return done.takeError();
  jit_cuda_graph_exec exec = nullptr;
  auto made = inside.then(
      "a graph of what a stream recorded", ErrorCode::Internal,
      [&](const jit_cuda &cuda) { return cuda.cuGraphInstantiateWithFlags(&exec, graph, 0); });
  device.cuda->cuGraphDestroy(graph);
  if (!made)
    return made.takeError();
  return std::unique_ptr<DeviceGraph>(std::make_unique<RecordedGraph>(device, exec));
}

Result<void> CudaQueue::multiply(const MatrixProduct &product, DeviceAddress left,
                                 DeviceAddress right, DeviceAddress result) {
  InContext inside(device);
  if (auto entered = inside.result(); !entered)
    return entered;
  if (!products) {
    auto made = LibraryProducts::create();
    if (!made)
      return made.takeError();
    products = std::move(*made);
  }
  size_t bytes = LibraryProducts::workspaceBytes;
  if (auto done = OpenMemory::enlarge(workspace, bytes, owner, *this); !done)
    return done;
  return products->multiply(product, left, right, result, workspace->address(), stream);
}

Result<void> CudaQueue::convolve(const PlanConvolution &convolution, DeviceAddress images,
                                 DeviceAddress filters, DeviceAddress result) {
  InContext inside(device);
  if (auto entered = inside.result(); !entered)
    return entered;
  if (!convolutions) {
    auto made = LibraryConvolutions::create(stream);
    if (!made)
      return made.takeError();
    convolutions = std::move(*made);
  }
  Result<size_t> bytes = convolutions->workspaceBytes(convolution);
  if (!bytes)
    return bytes.takeError();
  if (auto done = OpenMemory::enlarge(workspace, *bytes, owner, *this); !done)
    return done;
  return convolutions->convolve(convolution, images, filters, result, workspace->address());
}

Result<std::unique_ptr<LoadedKernels>> CudaDevice::load(std::shared_ptr<const DeviceCode> code) {
  auto loaded = std::make_unique<CudaKernels>(device, code);
  InContext inside(device);
  if (auto done = inside.then([&](jit_error *error) {
        return jit_cuda_load(&device, code->cubin.c_str(), code->ptx.c_str(), &loaded->module,
                             error);
      });
      !done)
    return done.takeError();
  for (const DeviceKernel &kernel : code->kernels) {
    const auto &[x, y, z] = kernel.grid;
    const auto &[bx, by, bz] = kernel.block;
    loaded->kernels.push_back({kernel.name.c_str(),
                               {x, y, z},
                               {bx, by, bz},
                               kernel.dynamicSharedBytes,
                               kernel.isCooperative});
    loaded->found.push_back({});
    if (auto done = inside.then([&](jit_error *error) {
          return jit_cuda_find_kernel(&device, loaded->module, &loaded->kernels.back(),
                                      &loaded->found.back(), error);
        });
        !done)
      return done.takeError();
  }
  return std::unique_ptr<LoadedKernels>(std::move(loaded));
}

Result<std::unique_ptr<DeviceQueue>> CudaDevice::createQueue() {
  jit_cuda_stream stream = nullptr;
  if (auto done = InContext(device).then(
          [&](jit_error *error) { return jit_cuda_create_stream(&device, &stream, error); });
      !done)
    return done.takeError();
  return std::unique_ptr<DeviceQueue>(
      std::make_unique<CudaQueue>(device, *this, stream, /*isOwn=*/true));
}

Result<std::unique_ptr<DeviceQueue>> CudaDevice::joinQueue(void *stream) {
  auto joined = static_cast<jit_cuda_stream>(stream);
  if (auto done = InContext(device).then(
          [&](jit_error *error) { return jit_cuda_check_stream(&device, joined, error); });
      !done)
    return done.takeError();
  return std::unique_ptr<DeviceQueue>(
      std::make_unique<CudaQueue>(device, *this, joined, /*isOwn=*/false));
}

Result<bool> CudaDevice::holds(const void *address) {
  int isHere = 0;
  if (auto done = InContext(device).then(
          [&](jit_error *error) { return jit_cuda_holds(&device, address, &isHere, error); });
      !done)
    return done.takeError();
  return isHere != 0;
}

Result<DeviceAddress> CudaDevice::allocate(size_t bytes, MemoryKind kind) {
  DeviceAddress address = 0;
  Result<void> done;
  if (kind == MemoryKind::Host) {
    // CU_MEMHOSTALLOC_PORTABLE: for all contexts.
    void *memory = nullptr;
    std::string expected = "memory of " + std::to_string(bytes) + " bytes of the host";
    done =
        InContext(device).then(expected.c_str(), ErrorCode::Unsupported, [&](const jit_cuda &cuda) {
          return cuda.cuMemHostAlloc(&memory, bytes, 1);
        });
    address = reinterpret_cast<DeviceAddress>(memory);
  } else {
    done = InContext(device).then([&](jit_error *error) {
      return jit_cuda_allocate(&device, int64_t(bytes), &address, error);
    });
  }
  if (!done)
    return done.takeError();
  return address;
}

void CudaDevice::release(DeviceAddress address, MemoryKind kind) {
  InContext inside(device);
  if (kind == MemoryKind::Host)
    device.cuda->cuMemFreeHost(reinterpret_cast<void *>(address));
  else if (inside)
    device.cuda->cuMemFree(address);
}

static Result<std::shared_ptr<Device>> openNew(int number) {
  Result<const jit_cuda *> driver = cudaDriver();
  if (!driver)
    return driver.takeError();
  jit_cuda_device device = {};
  jit_error error;
  if (jit_cuda_open(&device, *driver, number, &error) != JIT_OK)
    return errorOf(error);
  return std::shared_ptr<Device>(std::make_shared<CudaDevice>(device));
}

namespace {
/// The devices that somebody has.
struct OpenDevices {
  std::mutex mutex;
  std::map<int, std::weak_ptr<Device>> byNumber;

  static OpenDevices &get() {
    static OpenDevices devices;
    return devices;
  }
};
} // namespace

Result<std::shared_ptr<Device>> jit::runtime::openCudaDevice(int number) {
  OpenDevices &open = OpenDevices::get();
  std::lock_guard<std::mutex> lock(open.mutex);
  std::weak_ptr<Device> &known = open.byNumber[number];
  if (std::shared_ptr<Device> device = known.lock())
    return device;
  Result<std::shared_ptr<Device>> device = openNew(number);
  if (device)
    known = *device;
  return device;
}

std::string jit::runtime::cudaChip(int number) {
  Result<const jit_cuda *> driver = cudaDriver();
  int capability = 0;
  jit_error error;
  if (!driver || jit_cuda_capability(*driver, number, &capability, &error) != JIT_OK ||
      capability < 80)
    return {};
  // The newest that is compiled for and not newer than the device; what only this one has is not in
  // later ones.
  if (capability == 90)
    return "sm_90a";
  if (capability > 90)
    return "sm_90";
  return capability >= 89 ? "sm_89" : capability >= 86 ? "sm_86" : "sm_80";
}

std::optional<int> jit::runtime::cudaDeviceOf(const void *address) {
  OpenDevices &open = OpenDevices::get();
  std::lock_guard<std::mutex> lock(open.mutex);
  for (const auto &[number, known] : open.byNumber) {
    std::shared_ptr<Device> device = known.lock();
    Result<bool> held = device ? device->holds(address) : false;
    if (held && *held)
      return number;
  }
  return std::nullopt;
}

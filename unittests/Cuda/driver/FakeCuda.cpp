//===- FakeCuda.cpp - a CUDA driver without a device ----------------------===//
//
// Keeps the driver's rules as far as the runtime meets them: calls need a context, functions belong
// to a module, memory is freed once, a stream that records does nothing, and copies to or from the
// host cannot be recorded. An image is PTX, which the machine of unittests/Ptx runs, and "kernels"
// is that of the tests of calls; a cubin is for another chip. What a stream has to do is done when
// somebody waits for it, and host memory that the driver has not made is copied from at the call.
//
//===----------------------------------------------------------------------===//
#include "LaunchLog.h"
#include "TensorMap.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

using namespace fake;

namespace {
/// The innermost last.
thread_local std::vector<void *> entered;

Device *current() { return entered.empty() ? nullptr : Device::of(entered.back()); }

Device &currentOrFirst() {
  Device *device = current();
  return device ? *device : Device::get(0);
}

/// A call to the device whose context the thread is in, which others wait for.
class Call {
public:
  explicit Call(const char *name)
      : device(currentOrFirst()), lock(driver.mutex), result(device.enter(name)) {
    if (result == Success && !current())
      result = NoContext;
  }

  Driver &driver = Driver::get();
  Device &device;
  std::lock_guard<std::recursive_mutex> lock;
  int result;
};
} // namespace

static const void *end(const void *start, size_t bytes) {
  return static_cast<const char *>(start) + bytes;
}

/// True for memory of the host that the driver has made.
static bool isPinned(const void *host, size_t bytes) {
  auto &pinned = Driver::get().pinned;
  auto found = pinned.upper_bound(const_cast<void *>(host));
  if (found == pinned.begin())
    return false;
  --found;
  return end(host, bytes) <= end(found->first, found->second);
}

/// Counts a copy from or to the host's memory.
static bool countCopy(const void *host, size_t bytes) {
  bool isStaying = isPinned(host, bytes);
  ++Driver::get().hostCopies;
  Driver::get().pinnedCopies += isStaying ? 1 : 0;
  return isStaying;
}

static Stream *findStream(Device &device, void *handle) {
  // The default streams, by the numbers 0, 1 and 2, are the caller's here.
  if (reinterpret_cast<uintptr_t>(handle) <= 2)
    return &device.callersStream;
  auto found = device.streams.find(static_cast<Stream *>(handle));
  return found == device.streams.end() ? nullptr : *found;
}

/// A copy whose device memory has to be there when it is done too.
static Step copyStep(Device &device, void *to, const void *from, size_t bytes, uint64_t onDevice) {
  return [=, &device]() -> std::string {
    if (!device.machine.memory.find(onDevice, bytes))
      return "a copy of memory that is not there any more";
    std::memmove(to, from, bytes);
    return {};
  };
}

// NOLINTBEGIN(readability-identifier-naming): names of the driver
extern "C" {
/// Does the work of a library in a stream.
void fakeCudaEnqueue(void *stream, void (*work)(void *), void *of) {
  std::lock_guard lock(Driver::get().mutex);
  Device *device = current();
  if (Stream *on = device ? findStream(*device, stream) : nullptr)
    device->enqueue(*on, [=]() -> std::string { return work(of), std::string(); });
}

int cuInit(unsigned) { return Device::get(0).enter("cuInit"); }
int cuGetErrorString(int error, const char **text) {
  if (Driver::get().isToFail("cuGetErrorString"))
    return Injected;
  *text = error == OutOfMemory    ? "out of memory"
          : error == NoBinary     ? "no kernel image"
          : error == LaunchFailed ? currentOrFirst().error.c_str()
                                  : "an error";
  return Success;
}
int cuDeviceGet(int *device, int ordinal) {
  if (ordinal < 0 || ordinal >= Device::count)
    return InvalidDevice;
  return *device = ordinal, Device::get(ordinal).enter("cuDeviceGet");
}
int cuDeviceGetCount(int *count) {
  return *count = Device::count, Device::get(0).enter("cuDeviceGetCount");
}
int cuDeviceGetAttribute(int *value, int attribute, int of) {
  if (of < 0 || of >= Device::count)
    return InvalidDevice;
  // The multiprocessors, the major version, and that there are cooperative launches.
  *value = attribute == 16   ? static_cast<int>(Device::get(of).machine.multiprocessors)
           : attribute == 75 ? 9 - of
           : attribute == 95 ? 1
                             : 0;
  return Device::get(of).enter("cuDeviceGetAttribute");
}
int cuDevicePrimaryCtxRetain(void **to, int of) {
  return *to = &Device::get(of), Device::get(of).enter("cuDevicePrimaryCtxRetain");
}
// What ends something has done so when it says that there was an error.
int cuDevicePrimaryCtxRelease_v2(int of) {
  return Device::get(of).enter("cuDevicePrimaryCtxRelease_v2");
}
int cuCtxPushCurrent_v2(void *to) {
  std::lock_guard lock(Driver::get().mutex);
  // A context can be entered after an error too.
  if (Driver::get().isToFail("cuCtxPushCurrent_v2"))
    return Injected;
  return entered.push_back(to), Success;
}
int cuCtxPopCurrent_v2(void **from) {
  if (entered.empty())
    return NoContext;
  *from = entered.back();
  entered.pop_back();
  return Driver::get().isToFail("cuCtxPopCurrent_v2") ? Injected : Success;
}
int cuCtxSetCurrent(void *to) {
  if (!entered.empty())
    entered.pop_back();
  return entered.push_back(to), Success;
}
int cuCtxGetCurrent(void **at) { return *at = entered.empty() ? nullptr : entered.back(), Success; }
int cuCtxSynchronize() {
  Call call("cuCtxSynchronize");
  ++call.driver.waits;
  for (Stream *stream : call.device.streams)
    if (!stream->isRecording && call.result == Success)
      call.result = call.device.finish(*stream);
  return call.result;
}

int cuModuleLoadDataEx(void **to, const void *image, unsigned count, int *options, void **values) {
  Call call("cuModuleLoadDataEx");
  if (call.result)
    return call.result;
  std::string text = static_cast<const char *>(image), error;
  auto loaded = std::make_shared<LoadedModule>(call.device);
  if (text == "kernels")
    text = builtInKernels;
  else if (text.starts_with("//") || text.starts_with(".version"))
    text = call.device.exchange(text, loaded->image);
  loaded->module = call.device.machine.load(text, error);
  if (loaded->module) {
    *to = loaded.get();
    call.device.modules[*to] = std::move(loaded);
    return Success;
  }
  // CU_JIT_ERROR_LOG_BUFFER and its size.
  size_t bytes = 0;
  for (unsigned i = 0; i < count; ++i)
    bytes = options[i] == 6 ? reinterpret_cast<size_t>(values[i]) : bytes;
  for (unsigned i = 0; i < count; ++i)
    if (options[i] == 5 && bytes > 0)
      error.copy(static_cast<char *>(values[i]), bytes - 1);
  return NoBinary;
}
int cuModuleUnload(void *module) {
  Call call("cuModuleUnload");
  if (call.device.modules.erase(module) == 0)
    return InvalidValue;
  return call.result;
}
int cuModuleGetFunction(void **function, void *from, const char *name) {
  Call call("cuModuleGetFunction");
  auto found = call.device.modules.find(from);
  if (call.result || found == call.device.modules.end())
    return call.result ? call.result : InvalidValue;
  auto &known = found->second->module->functions;
  auto entry = known.find(name);
  if (entry == known.end())
    return NotFound;
  call.device.functions.push_back({found->second, entry->second.get()});
  return *function = &call.device.functions.back(), Success;
}
int cuFuncSetAttribute(void *function, int attribute, int bytes) {
  Call call("cuFuncSetAttribute");
  constexpr int most = 227 * 1024;
  if (call.result || attribute != 8 || bytes < 0 || bytes > most)
    return call.result ? call.result : InvalidValue;
  static_cast<Function *>(function)->mostShared = static_cast<size_t>(bytes);
  return Success;
}
/// By the rules of the driver's documentation for what is copied in rows of 128 bytes.
int cuTensorMapEncodeTiled(void *to, int type, uint32_t rank, void *address, const uint64_t *sizes,
                           const uint64_t *strides, const uint32_t *box, const uint32_t *steps,
                           int interleave, int swizzle, int promotion, int fill) {
  if (Driver::get().isToFail("cuTensorMapEncodeTiled"))
    return Injected;
  auto at = reinterpret_cast<uint64_t>(address);
  if (reinterpret_cast<uint64_t>(to) % 64 || rank != 3 || (type != 6 && type != 9) || at % 16 ||
      interleave != 0 || swizzle != 3 || promotion > 3 || fill != 0 || box[0] * 2 > 128)
    return InvalidValue;
  ptx::TensorMap map = {};
  map.magic = ptx::TensorMap::expectedMagic;
  map.address = at;
  map.type = uint64_t(type);
  for (uint32_t i = 0; i < rank; ++i) {
    if (!sizes[i] || !box[i] || box[i] > 256 || steps[i] != 1 || (i < 2 && strides[i] % 16))
      return InvalidValue;
    map.dims[i] = {sizes[i], i < 2 ? strides[i] : 0, box[i]};
  }
  std::memcpy(to, &map, sizeof map);
  return Success;
}

int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  Call call("cuMemAlloc_v2");
  if (call.result || bytes == 0)
    return call.result ? call.result : InvalidValue;
  if (bytes > (size_t(1) << 30))
    return OutOfMemory;
  return *address = call.device.machine.memory.allocate(bytes, LaunchLog::get() != nullptr),
         Success;
}
int cuMemFree_v2(uint64_t address) {
  Call call("cuMemFree_v2");
  if (call.result == NoContext)
    return call.result;
  return call.device.machine.memory.release(address) ? call.result : int(InvalidValue);
}
int cuMemHostAlloc(void **address, size_t bytes, unsigned flags) {
  Call call("cuMemHostAlloc");
  if (call.result || flags != 1 || bytes == 0)
    return call.result ? call.result : InvalidValue;
  *address = std::malloc(bytes);
  call.driver.pinned[*address] = bytes;
  return Success;
}
int cuMemFreeHost(void *address) {
  std::lock_guard lock(Driver::get().mutex);
  if (Driver::get().pinned.erase(address) == 0)
    return InvalidValue;
  std::free(address);
  return Driver::get().isToFail("cuMemFreeHost") ? Injected : Success;
}
/// CU_POINTER_ATTRIBUTE_MEMORY_TYPE and _DEVICE_ORDINAL: what it did not allocate, a driver does
/// not know.
int cuPointerGetAttribute(void *value, int attribute, uint64_t address) {
  Call call("cuPointerGetAttribute");
  for (int number = 0; number < Device::count; ++number)
    if (Device::get(number).machine.memory.find(address, 1))
      return *static_cast<int *>(value) = attribute == 9 ? number : 2,
                              attribute == 2 || attribute == 9 ? call.result : int(InvalidValue);
  return InvalidValue;
}

/// What the host has may change after the call, unless it is the driver's.
int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *on) {
  Call call("cuMemcpyHtoDAsync_v2");
  Stream *stream = findStream(call.device, on);
  if (call.result || !stream || !call.device.machine.memory.find(to, bytes))
    return call.result ? call.result : InvalidValue;
  if (stream->isRecording)
    return CaptureUnsupported;
  auto *target = reinterpret_cast<void *>(to);
  if (countCopy(from, bytes)) {
    call.device.enqueue(*stream, copyStep(call.device, target, from, bytes, to));
    return Success;
  }
  auto *start = static_cast<const char *>(from);
  auto kept = std::make_shared<std::vector<char>>(start, start + bytes);
  call.device.enqueue(*stream, [=, &device = call.device] {
    return copyStep(device, target, kept->data(), bytes, to)();
  });
  return Success;
}
/// Done when it returns, where the host's memory is not the driver's.
int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *on) {
  Call call("cuMemcpyDtoHAsync_v2");
  Stream *stream = findStream(call.device, on);
  if (call.result || !stream || !call.device.machine.memory.find(from, bytes))
    return call.result ? call.result : InvalidValue;
  if (stream->isRecording)
    return CaptureUnsupported;
  bool isStaying = countCopy(to, bytes);
  auto copy = copyStep(call.device, to, reinterpret_cast<void *>(from), bytes, from);
  call.device.enqueue(*stream, [=]() -> std::string {
    if (isStaying && !isPinned(to, bytes))
      return "a copy to memory of the host that was freed";
    return copy();
  });
  return isStaying ? int(Success) : call.device.finish(*stream);
}
int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void *on) {
  Call call("cuMemcpyDtoDAsync_v2");
  Stream *stream = findStream(call.device, on);
  auto &memory = call.device.machine.memory;
  if (call.result || !stream || !memory.find(to, bytes) || !memory.find(from, bytes))
    return call.result ? call.result : InvalidValue;
  call.device.enqueue(*stream, [=, &device = call.device]() -> std::string {
    if (!device.machine.memory.find(to, bytes))
      return "a copy to memory that is not there any more";
    return copyStep(device, reinterpret_cast<void *>(to), reinterpret_cast<void *>(from), bytes,
                    from)();
  });
  return Success;
}

int cuStreamCreate(void **to, unsigned) {
  Call call("cuStreamCreate");
  if (call.result)
    return call.result;
  auto *stream = new Stream;
  call.device.streams.insert(stream);
  return *to = stream, Success;
}
/// What it has to do still is done.
int cuStreamDestroy_v2(void *old) {
  Call call("cuStreamDestroy_v2");
  Stream *stream = findStream(call.device, old);
  if (!stream || stream == &call.device.callersStream)
    return InvalidValue;
  call.device.finish(*stream);
  call.device.streams.erase(stream);
  delete stream;
  return call.result;
}
/// The default streams are the current context's.
int cuStreamGetCtx(void *handle, void **context) {
  Call call("cuStreamGetCtx");
  *context = nullptr;
  for (int number = 0; number < Device::count; ++number)
    if (Device &device = Device::get(number);
        device.streams.contains(static_cast<Stream *>(handle)))
      *context = &device;
  if (!*context && findStream(call.device, handle))
    *context = &call.device;
  return call.result || *context ? call.result : int(InvalidValue);
}
int cuStreamSynchronize(void *from) {
  Call call("cuStreamSynchronize");
  ++call.driver.waits;
  Stream *stream = findStream(call.device, from);
  if (call.result || !stream || stream->isRecording)
    return call.result ? call.result : InvalidValue;
  return call.driver.isLeftOut("cuStreamSynchronize") ? Success : call.device.finish(*stream);
}

static int start(const char *name, void *function, const ptx::Launch &launch, void *on,
                 void **arguments) {
  Call call(name);
  Stream *stream = findStream(call.device, on);
  if (call.result || !stream)
    return call.result ? call.result : InvalidValue;
  return call.device.launch(*stream, *static_cast<Function *>(function), launch, arguments);
}
int cuLaunchKernel(void *function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                   unsigned blockY, unsigned blockZ, unsigned shared, void *on, void **arguments,
                   void **) {
  ptx::Launch launch = {{gridX, gridY, gridZ}, {blockX, blockY, blockZ}, shared, {}};
  return start("cuLaunchKernel", function, launch, on, arguments);
}
int cuLaunchCooperativeKernel(void *function, unsigned gridX, unsigned gridY, unsigned gridZ,
                              unsigned blockX, unsigned blockY, unsigned blockZ, unsigned shared,
                              void *on, void **arguments) {
  ptx::Launch launch = {{gridX, gridY, gridZ}, {blockX, blockY, blockZ}, shared, {}, true};
  return start("cuLaunchCooperativeKernel", function, launch, on, arguments);
}
/// As far as threads and shared memory limit it.
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads,
                                                size_t shared) {
  Call call("cuOccupancyMaxActiveBlocksPerMultiprocessor");
  if (call.result || threads <= 0)
    return call.result ? call.result : InvalidValue;
  ptx::Launch launch = {{1, 1, 1}, {static_cast<uint32_t>(threads), 1, 1}, shared, {}};
  auto &module = *static_cast<Function *>(function)->owner->module;
  return *blocks = static_cast<int>(ptx::residentBlocks(module, launch)), Success;
}

int cuStreamBeginCapture_v2(void *on, int) {
  Call call("cuStreamBeginCapture_v2");
  Stream *stream = findStream(call.device, on);
  if (call.result || !stream || stream->isRecording)
    return call.result ? call.result : InvalidValue;
  stream->isRecording = true;
  return Success;
}
int cuStreamEndCapture(void *on, void **graph) {
  Call call("cuStreamEndCapture");
  Stream *stream = findStream(call.device, on);
  if (!stream || !stream->isRecording)
    return InvalidValue;
  stream->isRecording = false;
  Work recorded = std::exchange(stream->recorded, {});
  *graph = nullptr;
  if (call.result)
    return call.result;
  auto *work = new Work(std::move(recorded));
  call.device.graphs.insert(work);
  return *graph = work, Success;
}
int cuGraphInstantiateWithFlags(void **exec, void *graph, uint64_t) {
  Call call("cuGraphInstantiateWithFlags");
  if (call.result || !call.device.graphs.count(static_cast<Work *>(graph)))
    return call.result ? call.result : InvalidValue;
  auto *work = new Work(*static_cast<Work *>(graph));
  call.device.graphs.insert(work);
  return *exec = work, Success;
}
static int destroy(const char *name, void *graph) {
  std::lock_guard lock(Driver::get().mutex);
  auto *work = static_cast<Work *>(graph);
  if (!current() || current()->graphs.erase(work) == 0)
    return InvalidValue;
  delete work;
  return Driver::get().isToFail(name) ? Injected : Success;
}
int cuGraphExecDestroy(void *exec) { return destroy("cuGraphExecDestroy", exec); }
int cuGraphDestroy(void *graph) { return destroy("cuGraphDestroy", graph); }
int cuGraphLaunch(void *exec, void *on) {
  Call call("cuGraphLaunch");
  Stream *stream = findStream(call.device, on);
  auto *work = static_cast<Work *>(exec);
  if (call.result || !stream || stream->isRecording || !call.device.graphs.count(work))
    return call.result ? call.result : InvalidValue;
  ++call.driver.graphLaunches;
  for (const Step &step : *work)
    call.device.enqueue(*stream, step);
  return Success;
}
}
// NOLINTEND(readability-identifier-naming)

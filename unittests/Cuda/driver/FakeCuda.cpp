//===- FakeCuda.cpp - a CUDA driver of a few lines ------------------------===//
//
// Keeps the driver's rules as far as the runtime meets them: calls need a context, functions belong
// to a module, memory is freed once, a stream that records does nothing, and copies to or from the
// host cannot be recorded. An image is text: "kernels" is taken by all, "cubin" by none.
//
//===----------------------------------------------------------------------===//
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace {
enum Code {
  Success = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  NoContext = 201,
  NoBinary = 209,
  NotFound = 500,
  CaptureUnsupported = 900
};

int context, stream, module;
const char *const kernelName = "twice";
thread_local void *current = nullptr;
std::set<void *> memory;

using Work = std::vector<std::function<void()>>;
Work recorded;
bool isRecording = false;
std::set<Work *> graphs;
size_t graphLaunches = 0;
} // namespace

/// Does the work of a stream, or keeps it.
static void enqueue(std::function<void()> work) {
  if (isRecording)
    recorded.push_back(std::move(work));
  else
    work();
}

static int needContext() { return current == &context ? Success : NoContext; }

// NOLINTBEGIN(readability-identifier-naming): names of the driver
extern "C" {
/// What is allocated still, for the test.
size_t fakeCudaAllocations() { return memory.size(); }
/// Graphs that were made and not destroyed, and how often graphs were launched.
size_t fakeCudaGraphs() { return graphs.size(); }
size_t fakeCudaGraphLaunches() { return graphLaunches; }

int cuInit(unsigned) { return Success; }
int cuGetErrorString(int error, const char **text) {
  *text = error == OutOfMemory ? "out of memory"
          : error == NoBinary  ? "no kernel image"
                               : "an error";
  return Success;
}
int cuDeviceGet(int *device, int) { return *device = 0; }
int cuDeviceGetCount(int *count) { return *count = 1, Success; }
int cuDeviceGetAttribute(int *value, int attribute, int) {
  *value = attribute == 75 ? 9 : 0;
  return Success;
}
int cuDevicePrimaryCtxRetain(void **to, int) { return *to = &context, Success; }
int cuDevicePrimaryCtxRelease_v2(int) { return Success; }
int cuCtxSetCurrent(void *to) { return current = to, Success; }
int cuModuleLoadDataEx(void **to, const void *image, unsigned count, int *options, void **values) {
  if (int error = needContext())
    return error;
  if (std::string(static_cast<const char *>(image)) == "kernels")
    return *to = &module, Success;
  for (unsigned i = 0; i < count; ++i)
    if (options[i] == 5)
      std::strcpy(static_cast<char *>(values[i]), "line 1: not PTX");
  return NoBinary;
}
int cuModuleUnload(void *) { return needContext(); }
int cuModuleGetFunction(void **function, void *from, const char *name) {
  *function = const_cast<char *>(kernelName);
  return from == &module && !std::strcmp(name, kernelName) ? Success : NotFound;
}
int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  if (int error = needContext())
    return error;
  if (bytes > (size_t(1) << 30))
    return OutOfMemory;
  void *block = std::malloc(bytes);
  memory.insert(block);
  *address = reinterpret_cast<uint64_t>(block);
  return Success;
}
int cuMemFree_v2(uint64_t address) {
  void *block = reinterpret_cast<void *>(address);
  if (memory.erase(block) == 0)
    return InvalidValue;
  std::free(block);
  return Success;
}
int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *) {
  if (isRecording)
    return CaptureUnsupported;
  return std::memcpy(reinterpret_cast<void *>(to), from, bytes), needContext();
}
int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *) {
  if (isRecording)
    return CaptureUnsupported;
  return std::memcpy(to, reinterpret_cast<void *>(from), bytes), needContext();
}
int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void *) {
  enqueue(
      [=] { std::memmove(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from), bytes); });
  return needContext();
}
int cuStreamCreate(void **to, unsigned) { return *to = &stream, needContext(); }
int cuStreamDestroy_v2(void *) { return needContext(); }
int cuStreamSynchronize(void *from) { return from == &stream ? needContext() : int(InvalidValue); }

/// twice(to, from, n): to[i] = 2 * from[i] for the threads of one block, where n is a 32-bit
/// number.
int cuLaunchKernel(void *function, unsigned gridX, unsigned, unsigned, unsigned blockX, unsigned,
                   unsigned, unsigned, void *on, void **arguments, void **) {
  if (function != kernelName || gridX != 1 || on != &stream)
    return InvalidValue;
  auto *to = *static_cast<float **>(arguments[0]), *from = *static_cast<float **>(arguments[1]);
  auto n = *static_cast<int32_t *>(arguments[2]);
  enqueue([=] {
    for (unsigned i = 0; i < blockX && int32_t(i) < n; ++i)
      to[i] = 2 * from[i];
  });
  return needContext();
}

int cuStreamBeginCapture_v2(void *on, int) {
  if (isRecording || on != &stream)
    return InvalidValue;
  isRecording = true;
  return needContext();
}
int cuStreamEndCapture(void *on, void **graph) {
  if (!isRecording || on != &stream)
    return InvalidValue;
  isRecording = false;
  auto *work = new Work(std::move(recorded));
  recorded.clear();
  graphs.insert(work);
  *graph = work;
  return needContext();
}
int cuGraphInstantiateWithFlags(void **exec, void *graph, uint64_t) {
  auto *work = new Work(*static_cast<Work *>(graph));
  graphs.insert(work);
  *exec = work;
  return needContext();
}
static int destroy(void *graph) {
  auto *work = static_cast<Work *>(graph);
  if (graphs.erase(work) == 0)
    return InvalidValue;
  delete work;
  return needContext();
}
int cuGraphExecDestroy(void *exec) { return destroy(exec); }
int cuGraphDestroy(void *graph) { return destroy(graph); }
int cuGraphLaunch(void *exec, void *on) {
  if (isRecording || on != &stream || !graphs.count(static_cast<Work *>(exec)))
    return InvalidValue;
  ++graphLaunches;
  for (auto &work : *static_cast<Work *>(exec))
    work();
  return needContext();
}
}
// NOLINTEND(readability-identifier-naming)

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
#include <map>
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

int context, stream, callersStream, module;
const char *const kernelName = "twice", *const mapKernelName = "words";
thread_local void *current = nullptr;
unsigned sharedBytes = 0;
std::map<void *, size_t> memory;

using Work = std::vector<std::function<void()>>;
Work recorded;
bool isRecording = false;
std::set<Work *> graphs;
size_t graphLaunches = 0, waits = 0, hostCopies = 0, pinnedCopies = 0;
/// Memory of the host that the driver has made.
std::map<void *, size_t> pinned;
} // namespace

/// Does the work of a stream, or keeps it.
static void enqueue(std::function<void()> work) {
  if (isRecording)
    recorded.push_back(std::move(work));
  else
    work();
}

/// One of the runtime's, or the caller's.
static bool isStream(const void *handle) { return handle == &stream || handle == &callersStream; }

/// Counts a copy from or to the host's memory.
static void countCopy(const void *host) {
  ++hostCopies;
  auto found = pinned.upper_bound(const_cast<void *>(host));
  if (found == pinned.begin())
    return;
  --found;
  auto *start = static_cast<const char *>(found->first);
  pinnedCopies += static_cast<const char *>(host) < start + found->second ? 1 : 0;
}

static int needContext() { return current == &context ? Success : NoContext; }

// NOLINTBEGIN(readability-identifier-naming): names of the driver
extern "C" {
/// What is allocated still, for the test.
size_t fakeCudaAllocations() { return memory.size(); }
/// Graphs that were made and not destroyed, and how often graphs were launched.
size_t fakeCudaGraphs() { return graphs.size(); }
size_t fakeCudaGraphLaunches() { return graphLaunches; }
/// How often a stream was waited for, and the host's memory read or written.
size_t fakeCudaWaits() { return waits; }
size_t fakeCudaHostCopies() { return hostCopies; }
/// How many of these were of memory of the driver's making, and what of that is allocated still.
size_t fakeCudaPinnedCopies() { return pinnedCopies; }
size_t fakeCudaPinned() { return pinned.size(); }
/// Does the work of a library in a stream.
void fakeCudaEnqueue(void (*work)(void *), void *of) {
  enqueue([=] { work(of); });
}
/// A stream that the runtime has not made.
void *fakeCudaCallersStream() { return &callersStream; }

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
int cuFuncSetAttribute(void *function, int attribute, int bytes) {
  if (function != mapKernelName || attribute != 8)
    return InvalidValue;
  return sharedBytes = unsigned(bytes), needContext();
}
/// By the rules of the driver's documentation for what is copied in rows of 128 bytes. The map's
/// words are what it was made of.
int cuTensorMapEncodeTiled(void *map, int type, uint32_t rank, void *address, const uint64_t *sizes,
                           const uint64_t *strides, const uint32_t *box, const uint32_t *steps,
                           int interleave, int swizzle, int promotion, int fill) {
  auto at = reinterpret_cast<uint64_t>(address);
  if (reinterpret_cast<uint64_t>(map) % 64 || rank != 3 || (type != 6 && type != 9) || at % 16 ||
      interleave != 0 || swizzle != 3 || promotion > 3 || fill != 0 || box[0] * 2 > 128)
    return InvalidValue;
  auto *word = static_cast<uint64_t *>(map);
  *word++ = at;
  *word++ = uint64_t(type);
  for (uint32_t i = 0; i < rank; ++i) {
    if (!sizes[i] || !box[i] || box[i] > 256 || steps[i] != 1 || (i < 2 && strides[i] % 16))
      return InvalidValue;
    *word++ = sizes[i];
    *word++ = i < 2 ? strides[i] : 0;
    *word++ = box[i];
  }
  return Success;
}
int cuModuleUnload(void *) { return needContext(); }
int cuModuleGetFunction(void **function, void *from, const char *name) {
  for (const char *known : {kernelName, mapKernelName})
    if (from == &module && !std::strcmp(name, known))
      return *function = const_cast<char *>(known), Success;
  return NotFound;
}
int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  if (int error = needContext())
    return error;
  if (bytes > (size_t(1) << 30))
    return OutOfMemory;
  void *block = std::malloc(bytes);
  memory[block] = bytes;
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
int cuMemHostAlloc(void **address, size_t bytes, unsigned flags) {
  if (flags != 1)
    return InvalidValue;
  *address = std::malloc(bytes);
  pinned[*address] = bytes;
  return needContext();
}
int cuMemFreeHost(void *address) {
  if (pinned.erase(address) == 0)
    return InvalidValue;
  std::free(address);
  return Success;
}
/// CU_POINTER_ATTRIBUTE_MEMORY_TYPE: what it did not allocate, a driver does not know.
int cuPointerGetAttribute(void *value, int attribute, uint64_t address) {
  if (attribute != 2)
    return InvalidValue;
  auto found = memory.upper_bound(reinterpret_cast<void *>(address));
  if (found == memory.begin())
    return InvalidValue;
  --found;
  if (address >= reinterpret_cast<uint64_t>(found->first) + found->second)
    return InvalidValue;
  return *static_cast<unsigned *>(value) = 2, needContext();
}
int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *) {
  if (isRecording)
    return CaptureUnsupported;
  countCopy(from);
  return std::memcpy(reinterpret_cast<void *>(to), from, bytes), needContext();
}
int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *) {
  if (isRecording)
    return CaptureUnsupported;
  countCopy(to);
  return std::memcpy(to, reinterpret_cast<void *>(from), bytes), needContext();
}
int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void *) {
  enqueue(
      [=] { std::memmove(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from), bytes); });
  return needContext();
}
int cuStreamCreate(void **to, unsigned) { return *to = &stream, needContext(); }
int cuStreamDestroy_v2(void *old) { return old == &stream ? needContext() : int(InvalidValue); }
int cuStreamSynchronize(void *from) {
  ++waits;
  return isStream(from) ? needContext() : int(InvalidValue);
}

/// words(to, map): what is in a map of 128 bytes, for a launch with as much shared memory as was
/// allowed.
static int launchWords(unsigned shared, void **arguments) {
  auto *to = *static_cast<uint64_t **>(arguments[0]), *map = static_cast<uint64_t *>(arguments[1]);
  if (shared == 0 || shared != sharedBytes)
    return InvalidValue;
  std::vector<uint64_t> words(map, map + 16);
  enqueue([=] { std::memcpy(to, words.data(), words.size() * sizeof(uint64_t)); });
  return needContext();
}

/// twice(to, from, n): to[i] = 2 * from[i] for the threads of one block, where n is a 32-bit
/// number.
int cuLaunchKernel(void *function, unsigned gridX, unsigned, unsigned, unsigned blockX, unsigned,
                   unsigned, unsigned shared, void *on, void **arguments, void **) {
  if (function == mapKernelName)
    return launchWords(shared, arguments);
  if (function != kernelName || gridX != 1 || !isStream(on))
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

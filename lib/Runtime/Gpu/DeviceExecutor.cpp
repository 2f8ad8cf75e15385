//===- DeviceExecutor.cpp - calls entries that run on a device ------------===//
#include "DeviceExecutor.h"
#include "Marshalling.h"
#include "PlanRunner.h"
#include "jit/OutOfMemory.h"
#include "jit/Runtime/CallerStream.h"
#include "jit/Runtime/CudaChip.h"

#include <algorithm>
#include <cstring>

using namespace jit;
using namespace jit::runtime;

Result<std::unique_ptr<Executor>> DeviceExecutor::create(std::shared_ptr<const Artifact> artifact,
                                                         const Entry *entry,
                                                         const WeightSource &weights, int number) {
  std::unique_ptr<DeviceExecutor> executor(new DeviceExecutor(std::move(artifact), entry));
  if (Result<void> loaded = executor->loadWeights(weights); !loaded)
    return loaded.takeError();
  if (Result<void> done = executor->prepare(number); !done)
    return done.takeError();
  return std::unique_ptr<Executor>(std::move(executor));
}

static Result<void> findLibraries(const DevicePlan &plan) {
  if (plan.hasLibraryProducts())
    if (Result<void> found = findProductLibrary(); !found)
      return found;
  return plan.hasLibraryConvolutions() ? findConvolutionLibrary() : Result<void>();
}

Result<void> DeviceExecutor::prepare(int number) {
  if (!artifact->device->isEmulated)
    if (Result<void> found = findLibraries(compiled->plan); !found)
      return found;
  Result<std::shared_ptr<Device>> opened = Device::open(*artifact->device, number);
  if (!opened)
    return opened.takeError();
  device = std::move(*opened);
  Result<std::unique_ptr<LoadedKernels>> loaded = device->load(artifact->device);
  if (!loaded)
    return loaded.takeError();
  kernels = std::move(*loaded);
  plan = PlanProgram(compiled->plan);
  isRecorded = !artifact->device->isEmulated && compiled->plan.isWorthRecording();
  Result<std::unique_ptr<DeviceQueue>> queue = device->createQueue();
  if (!queue)
    return queue.takeError();
  for (const Tensor &weight : weights) {
    Result<Buffer> buffer = device->resident(weight, **queue);
    if (!buffer)
      return buffer.takeError();
    residents.push_back(std::move(*buffer));
  }
  for (int64_t bytes : compiled->packedBytes) {
    Result<Buffer> buffer = device->take(size_t(bytes));
    if (!buffer)
      return buffer.takeError();
    packed.push_back(std::move(*buffer));
  }
  return initialize(**queue);
}

/// Fills the packed buffers.
Result<void> DeviceExecutor::initialize(DeviceQueue &queue) {
  if (!compiled->initPlan)
    return {};
  Result<Buffer> arena = device->take(size_t(compiled->initArenaBytes));
  if (!arena)
    return arena.takeError();
  std::vector<uint64_t> words;
  for (const std::vector<Buffer> *buffers : {&residents, &packed})
    for (const Buffer &buffer : *buffers)
      words.push_back(buffer->address());
  words.push_back((*arena)->address());
  if (auto done = PlanProgram(*compiled->initPlan).run(*kernels, queue, std::move(words)); !done)
    return done;
  return queue.finish();
}

DeviceExecutor::Returned::~Returned() {
  // Callers have given these back, whose streams may still read them.
  if (std::ranges::any_of(buffers, [](const auto &back) { return !back.empty(); }))
    device->finishAll();
}

DeviceExecutor::Call::~Call() {
  // A caller's stream may be gone by now.
  if (queue && isJoined)
    device->finishAll();
  else if (queue)
    (void)orOutOfMemory([&] { return queue->finish(); });
}

Result<std::unique_ptr<DeviceExecutor::Call>> DeviceExecutor::takeCall() {
  const CallerStream *joined = CallerStream::current();
  {
    std::lock_guard<std::mutex> lock(callsMutex);
    // Memory that work of another stream may still use is not touched.
    auto found = std::find_if(idleCalls.rbegin(), idleCalls.rend(), [&](const auto &call) {
      return joined ? call->isJoined && call->stream == joined->stream() : !call->isJoined;
    });
    if (found != idleCalls.rend()) {
      std::unique_ptr<Call> call = std::move(*found);
      idleCalls.erase(std::next(found).base());
      return call;
    }
  }
  return createCall();
}

Result<std::unique_ptr<DeviceQueue>> DeviceExecutor::openQueue(Call &call) {
  const CallerStream *joined = CallerStream::current();
  if (!joined)
    return device->createQueue();
  call.isJoined = true;
  call.stream = joined->stream();
  call.returned = std::make_shared<Returned>(device, compiled->results.size());
  return device->joinQueue(call.stream);
}

Result<std::unique_ptr<DeviceExecutor::Call>> DeviceExecutor::createCall() {
  auto call = std::make_unique<Call>(device);
  Result<std::unique_ptr<DeviceQueue>> queue = openQueue(*call);
  if (!queue)
    return queue.takeError();
  call->queue = std::move(*queue);
  Error error;
  auto take = [&](int64_t bytes) -> Buffer {
    Result<Buffer> buffer = device->take(size_t(bytes));
    if (buffer)
      return std::move(*buffer);
    error = buffer.takeError();
    return nullptr;
  };
  bool complete = true;
  call->open.emplace(device, *call->queue, *compiled);
  for (const ArgumentInfo &info : compiled->arguments) {
    bool needsBuffer =
        info.type.isTensor && !info.type.isOpen() && info.kind != ArgumentKind::Weight;
    call->arguments.push_back(needsBuffer ? take(info.type.byteSize()) : nullptr);
    complete &= !needsBuffer || call->arguments.back();
  }
  call->staged.resize(compiled->arguments.size());
  for (const ResultInfo &info : compiled->results) {
    call->results.push_back(info.type.isOpen() ? nullptr : take(info.type.byteSize()));
    complete &= info.type.isOpen() || call->results.back();
  }
  call->arena = take(compiled->arenaBytes);
  if (!complete || !call->arena)
    return error;
  return call;
}

Result<void> DeviceExecutor::replaceResults(Call &call) {
  for (size_t i = 0; i < call.results.size(); ++i) {
    bool isOpen = compiled->results[i].type.isOpen();
    if (call.results[i] || (isOpen && (!call.returned || call.open->buffer(i))))
      continue;
    {
      std::lock_guard<std::mutex> lock(call.returned->mutex);
      if (std::vector<Buffer> &buffers = call.returned->buffers[i]; !buffers.empty()) {
        Buffer back = std::move(buffers.back());
        buffers.pop_back();
        if (isOpen)
          call.open->putBack(i, std::move(back));
        else
          call.results[i] = std::move(back);
        continue;
      }
    }
    if (isOpen)
      continue;
    Result<Buffer> buffer = device->take(size_t(compiled->results[i].type.byteSize()));
    if (!buffer)
      return buffer.takeError();
    call.results[i] = std::move(*buffer);
  }
  return {};
}

/// Larger arguments the driver copies in pieces through memory of its own, while the next piece is
/// on its way.
static constexpr size_t mostStaged = size_t(1) << 20;

Result<void> DeviceExecutor::copyIn(const void *data, size_t bytes, size_t number, Call &call) {
  DeviceAddress to = call.arguments[number]->address();
  Buffer &staged = call.staged[number];
  // A call in a stream is not waited for: the next one would write what is still to be copied.
  if (call.isJoined || bytes > mostStaged || compiled->arguments[number].type.isOpen())
    return call.queue->copyIn(to, data, bytes);
  if (!staged) {
    Result<Buffer> taken = device->take(bytes, MemoryKind::Host);
    if (!taken)
      return call.queue->copyIn(to, data, bytes);
    staged = std::move(*taken);
  }
  std::memcpy(staged->data(), data, bytes);
  return call.queue->copyIn(to, staged->data(), bytes);
}

Result<void> DeviceExecutor::makeRoom(size_t bytes, size_t number, Call &call) {
  if (!compiled->arguments[number].type.isOpen())
    return {};
  return OpenMemory::enlarge(call.arguments[number], bytes, *device, *call.queue);
}

Result<DeviceAddress> DeviceExecutor::place(const void *data, size_t bytes, size_t number,
                                            Call &call) {
  auto address = reinterpret_cast<DeviceAddress>(data);
  Result<bool> isThere = device->holds(data);
  if (!isThere)
    return isThere.takeError();
  // Kernels access 16 bytes at once.
  if (*isThere && address % 16 == 0)
    return address;
  if (auto done = makeRoom(bytes, number, call); !done)
    return done.takeError();
  const Buffer &buffer = call.arguments[number];
  if (bytes == 0)
    return buffer->address();
  auto done = *isThere ? call.queue->copy(buffer->address(), address, bytes)
                       : copyIn(data, bytes, number, call);
  if (!done)
    return done.takeError();
  return buffer->address();
}

Result<std::vector<uint64_t>> DeviceExecutor::bringInputs(std::span<const Value> inputs,
                                                          Call &call) {
  std::vector<uint64_t> words;
  std::vector<int64_t> openSizes;
  size_t nextInput = 0, nextWeight = 0;
  for (size_t i = 0; i < compiled->arguments.size(); ++i) {
    const ArgumentInfo &info = compiled->arguments[i];
    if (info.kind == ArgumentKind::Weight) {
      words.push_back(residents[nextWeight++]->address());
      continue;
    }
    const Value &input = inputs[nextInput++];
    ScalarCell cell = {.word = 0};
    const void *pointer = argumentPointer(info.type, input, cell);
    if (!pointer || !addOpenSizes(info, input, openSizes))
      return mismatch(info, nextInput - 1, input.kindString());
    if (!info.type.isTensor) {
      words.push_back(cell.word);
      continue;
    }
    auto bytes =
        size_t(info.type.isOpen() ? input.getIf<Tensor>()->byteSize() : info.type.byteSize());
    Result<DeviceAddress> address = place(pointer, bytes, i, call);
    if (!address)
      return address.takeError();
    words.push_back(*address);
  }
  if (auto checked = checkNames(compiled->arguments, inputs); !checked)
    return checked.takeError();
  for (const std::vector<Buffer> *buffers : {&call.results, &packed})
    for (const Buffer &buffer : *buffers)
      if (buffer)
        words.push_back(buffer->address());
  words.push_back(call.arena->address());
  words.insert(words.end(), openSizes.begin(), openSizes.end());
  return words;
}

DeviceExecutor::Buffer DeviceExecutor::resultBuffer(const Call &call, size_t number) const {
  return compiled->results[number].type.isOpen() ? call.open->buffer(number) : call.results[number];
}

const std::vector<int64_t> &DeviceExecutor::resultSizes(const Call &call, size_t number) const {
  const ValueType &type = compiled->results[number].type;
  return type.isOpen() ? call.open->sizes(number) : type.sizes;
}

Result<Value> DeviceExecutor::giveResult(Call &call, size_t number) {
  const ValueType &type = compiled->results[number].type;
  Buffer buffer = type.isOpen() ? call.open->takeAway(number) : std::move(call.results[number]);
  auto *address = reinterpret_cast<const void *>(buffer->address());
  {
    std::lock_guard<std::mutex> lock(call.returned->mutex);
    std::vector<Buffer> &back = call.returned->buffers[number];
    back.reserve(back.size() + call.returned->away[number] + 1);
    ++call.returned->away[number];
  }
  std::shared_ptr<const void> owner(
      address, [buffer, number, returned = call.returned](const void *) mutable {
        std::lock_guard<std::mutex> lock(returned->mutex);
        --returned->away[number];
        returned->buffers[number].push_back(std::move(buffer));
      });
  Result<Tensor> tensor =
      Tensor::view(type.scalar, resultSizes(call, number), address, std::move(owner));
  if (!tensor)
    return tensor.takeError();
  return Value(std::move(*tensor));
}

Result<Value> DeviceExecutor::fetchTensor(Call &call, size_t number) {
  ValueType type = compiled->results[number].type;
  type.sizes = resultSizes(call, number);
  auto bytes = size_t(type.byteSize());
  // Where there is no more memory of the kind, the driver copies by way of its own.
  Result<Buffer> taken = device->take(bytes, MemoryKind::Host);
  void *to = taken ? (*taken)->data() : nullptr;
  Result<Tensor> tensor = taken ? Tensor::view(type.scalar, type.sizes, to, std::move(*taken))
                                : Tensor::allocate(type.scalar, type.sizes);
  if (!tensor)
    return tensor.takeError();
  if (!to)
    to = tensor->mutableData();
  if (bytes > 0)
    if (auto done = call.queue->copyOut(to, resultBuffer(call, number)->address(), bytes); !done)
      return done.takeError();
  return Value(std::move(*tensor));
}

Result<std::vector<Value>> DeviceExecutor::fetchResults(Call &call) {
  std::vector<Value> results;
  bool isAwaited = !call.isJoined;
  std::vector<ScalarCell> cells(compiled->results.size(), ScalarCell{.word = 0});
  for (size_t i = 0; i < compiled->results.size(); ++i) {
    const ValueType &type = compiled->results[i].type;
    results.emplace_back();
    if (type.isTensor) {
      Result<Value> given = call.isJoined ? giveResult(call, i) : fetchTensor(call, i);
      if (!given)
        return given.takeError();
      results.back() = std::move(*given);
      continue;
    }
    isAwaited = true;
    auto bytes = size_t(type.byteSize());
    if (auto done = call.queue->copyOut(&cells[i], call.results[i]->address(), bytes); !done)
      return done.takeError();
  }
  if (isAwaited)
    if (auto done = call.queue->finish(); !done)
      return done.takeError();
  for (size_t i = 0; i < results.size(); ++i)
    if (!compiled->results[i].type.isTensor)
      results[i] = scalarResult(compiled->results[i].type.scalar, cells[i]);
  return results;
}

/// A graph of more launches than this would take long to make, and much memory.
static constexpr size_t mostRecorded = 1 << 14;

Result<void> DeviceExecutor::record(Call &call, const std::vector<uint64_t> &words) {
  if (auto begun = call.queue->beginRecording(); !begun)
    return begun;
  auto done = plan.run(*kernels, *call.queue, words, &*call.open);
  Result<std::unique_ptr<DeviceGraph>> graph = call.queue->endRecording();
  if (!done)
    return done;
  if (!graph)
    return graph.takeError();
  call.graph = std::move(*graph);
  return {};
}

Result<void> DeviceExecutor::runSteps(Call &call, std::vector<uint64_t> words) {
  // A caller may be recording himself.
  if (!isRecorded || call.isJoined)
    return plan.run(*kernels, *call.queue, std::move(words), &*call.open);
  if (words != call.lastWords) {
    call.graph.reset();
    call.lastWords = words;
    return plan.run(*kernels, *call.queue, std::move(words), &*call.open, &call.started);
  }
  if (call.started > mostRecorded)
    return plan.run(*kernels, *call.queue, std::move(words), &*call.open);
  if (!call.graph)
    if (auto done = record(call, words); !done)
      return done;
  return call.queue->replay(*call.graph);
}

Result<std::vector<Value>> DeviceExecutor::call(std::span<const Value> inputs) {
  if (Result<void> counted = checkCount(inputs); !counted)
    return counted.takeError();
  Result<std::unique_ptr<Call>> call = takeCall();
  if (!call)
    return call.takeError();
  // After an error kernels may still be at work on the call's buffers, for which its end waits.
  if (auto done = replaceResults(**call); !done)
    return done.takeError();
  Result<std::vector<uint64_t>> words = bringInputs(inputs, **call);
  if (!words)
    return words.takeError();
  if (auto done = runSteps(**call, std::move(*words)); !done)
    return done.takeError();
  Result<std::vector<Value>> results = fetchResults(**call);
  if (!results)
    return results.takeError();
  std::lock_guard<std::mutex> lock(callsMutex);
  idleCalls.push_back(std::move(*call));
  return results;
}

//===- DeviceExecutor.cpp - calls entries that run on a device ------------===//
#include "DeviceExecutor.h"
#include "Marshalling.h"
#include "PlanRunner.h"

using namespace jit;

Result<std::unique_ptr<Executor>> DeviceExecutor::create(std::shared_ptr<const Artifact> artifact,
                                                         const Entry *entry,
                                                         const WeightSource &weights) {
  std::unique_ptr<DeviceExecutor> executor(new DeviceExecutor(std::move(artifact), entry));
  if (Result<void> loaded = executor->loadWeights(weights); !loaded)
    return loaded.takeError();
  if (Result<void> done = executor->prepare(); !done)
    return done.takeError();
  return std::unique_ptr<Executor>(std::move(executor));
}

Result<void> DeviceExecutor::prepare() {
  Result<std::shared_ptr<Device>> opened = Device::open(*artifact->device);
  if (!opened)
    return opened.takeError();
  device = std::move(*opened);
  Result<std::unique_ptr<LoadedKernels>> loaded = device->load(artifact->device);
  if (!loaded)
    return loaded.takeError();
  kernels = std::move(*loaded);
  isRecorded = !artifact->device->isEmulated && isWorthRecording(compiled->plan);
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
  if (auto done = runPlan(*compiled->initPlan, *kernels, queue, std::move(words)); !done)
    return done;
  return queue.finish();
}

Result<std::unique_ptr<DeviceExecutor::Call>> DeviceExecutor::takeCall() {
  {
    std::lock_guard<std::mutex> lock(callsMutex);
    if (!idleCalls.empty()) {
      std::unique_ptr<Call> call = std::move(idleCalls.back());
      idleCalls.pop_back();
      return call;
    }
  }
  return createCall();
}

Result<std::unique_ptr<DeviceExecutor::Call>> DeviceExecutor::createCall() {
  auto call = std::make_unique<Call>();
  Result<std::unique_ptr<DeviceQueue>> queue = device->createQueue();
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
  for (const ArgumentInfo &info : compiled->arguments) {
    bool needsBuffer = info.type.isTensor && info.kind != ArgumentKind::Weight;
    call->arguments.push_back(needsBuffer ? take(info.type.byteSize()) : nullptr);
    complete &= !needsBuffer || call->arguments.back();
  }
  for (const ResultInfo &info : compiled->results) {
    call->results.push_back(take(info.type.byteSize()));
    complete &= bool(call->results.back());
  }
  call->arena = take(compiled->arenaBytes);
  if (!complete || !call->arena)
    return error;
  return call;
}

Result<std::vector<uint64_t>> DeviceExecutor::bringInputs(std::span<const Value> inputs,
                                                          Call &call) {
  std::vector<uint64_t> words;
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
    if (!pointer)
      return mismatch(info, nextInput - 1, input.kindString());
    if (!info.type.isTensor) {
      words.push_back(cell.word);
      continue;
    }
    words.push_back(call.arguments[i]->address());
    if (size_t bytes = size_t(info.type.byteSize()))
      if (auto done = call.queue->copyIn(words.back(), pointer, bytes); !done)
        return done.takeError();
  }
  for (const std::vector<Buffer> *buffers : {&call.results, &packed})
    for (const Buffer &buffer : *buffers)
      words.push_back(buffer->address());
  words.push_back(call.arena->address());
  return words;
}

Result<std::vector<Value>> DeviceExecutor::fetchResults(Call &call) {
  std::vector<Value> results;
  std::vector<ScalarCell> cells(compiled->results.size(), ScalarCell{.word = 0});
  for (size_t i = 0; i < compiled->results.size(); ++i) {
    const ValueType &type = compiled->results[i].type;
    void *to = &cells[i];
    results.emplace_back();
    if (type.isTensor) {
      Result<Tensor> tensor = Tensor::allocate(type.scalar, type.sizes);
      if (!tensor)
        return tensor.takeError();
      to = tensor->mutableData();
      results.back() = std::move(*tensor);
    }
    if (size_t bytes = size_t(type.byteSize()))
      if (auto done = call.queue->copyOut(to, call.results[i]->address(), bytes); !done)
        return done.takeError();
  }
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
  auto done = runPlan(compiled->plan, *kernels, *call.queue, words);
  Result<std::unique_ptr<DeviceGraph>> graph = call.queue->endRecording();
  if (!done)
    return done;
  if (!graph)
    return graph.takeError();
  call.graph = std::move(*graph);
  return {};
}

Result<void> DeviceExecutor::runSteps(Call &call, std::vector<uint64_t> words) {
  if (!isRecorded)
    return runPlan(compiled->plan, *kernels, *call.queue, std::move(words));
  if (words != call.lastWords) {
    call.graph.reset();
    call.lastWords = words;
    return runPlan(compiled->plan, *kernels, *call.queue, std::move(words), &call.started);
  }
  if (call.started > mostRecorded)
    return runPlan(compiled->plan, *kernels, *call.queue, std::move(words));
  if (!call.graph)
    if (auto done = record(call, words); !done)
      return done;
  return call.queue->replay(*call.graph);
}

Result<std::vector<Value>> DeviceExecutor::run(std::span<const Value> inputs) {
  if (Result<void> counted = checkCount(inputs); !counted)
    return counted.takeError();
  Result<std::unique_ptr<Call>> call = takeCall();
  if (!call)
    return call.takeError();
  // After an error kernels may still be at work on the call's buffers.
  auto fail = [&](Error error) -> Result<std::vector<Value>> {
    (void)(*call)->queue->finish();
    return error;
  };
  Result<std::vector<uint64_t>> words = bringInputs(inputs, **call);
  if (!words)
    return fail(words.takeError());
  if (auto done = runSteps(**call, std::move(*words)); !done)
    return fail(done.takeError());
  Result<std::vector<Value>> results = fetchResults(**call);
  if (!results)
    return fail(results.takeError());
  std::lock_guard<std::mutex> lock(callsMutex);
  idleCalls.push_back(std::move(*call));
  return results;
}

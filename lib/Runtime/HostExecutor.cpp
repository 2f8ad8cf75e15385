//===- HostExecutor.cpp - calls entries that are the host's code ----------===//
#include "HostExecutor.h"
#include "Marshalling.h"
#include "jit/Runtime/ThreadPool.h"

using namespace jit;

Result<std::unique_ptr<Executor>> HostExecutor::create(std::shared_ptr<const Artifact> artifact,
                                                       const Entry *entry,
                                                       const WeightSource &weights,
                                                       ThreadPool *pool) {
  std::unique_ptr<HostExecutor> executor(new HostExecutor(std::move(artifact), entry, pool));
  if (Result<void> loaded = executor->loadWeights(weights); !loaded)
    return loaded.takeError();
  if (Result<void> done = executor->initialize(); !done)
    return done.takeError();
  return std::unique_ptr<Executor>(std::move(executor));
}

Result<void> HostExecutor::initialize() {
  std::vector<void *> pointers;
  for (const Tensor &weight : weights)
    pointers.push_back(const_cast<void *>(weight.data()));
  for (int64_t bytes : compiled->packedBytes) {
    packed.push_back(allocateBuffer(static_cast<size_t>(bytes)));
    if (!packed.back())
      return Error{ErrorCode::LimitExceeded,
                   "out of memory for packed weights of " + std::to_string(bytes) + " bytes"};
    pointers.push_back(packed.back().get());
  }
  if (!compiled->init)
    return {};
  std::shared_ptr<std::byte> arena = allocateBuffer(static_cast<size_t>(compiled->initArenaBytes));
  if (!arena)
    return Error{ErrorCode::LimitExceeded, "out of memory for the scratch of initialisation"};
  pointers.push_back(arena.get());
  jit_call call = {};
  call.pool = pool;
  if (compiled->init(&call, pointers.data()) != 0)
    return raisedError(call);
  return {};
}

Result<std::shared_ptr<std::byte>> HostExecutor::takeArena() {
  {
    std::lock_guard<std::mutex> lock(arenasMutex);
    if (!idleArenas.empty()) {
      std::shared_ptr<std::byte> arena = std::move(idleArenas.back());
      idleArenas.pop_back();
      return arena;
    }
  }
  std::shared_ptr<std::byte> arena = allocateBuffer(static_cast<size_t>(compiled->arenaBytes));
  if (!arena)
    return Error{ErrorCode::LimitExceeded,
                 "out of memory for scratch of " + std::to_string(compiled->arenaBytes) + " bytes"};
  return arena;
}

void HostExecutor::returnArena(std::shared_ptr<std::byte> arena) {
  std::lock_guard<std::mutex> lock(arenasMutex);
  idleArenas.push_back(std::move(arena));
}

Result<std::vector<Value>> HostExecutor::run(std::span<const Value> inputs) {
  const std::vector<ArgumentInfo> &arguments = compiled->arguments;
  if (Result<void> counted = checkCount(inputs); !counted)
    return counted.takeError();
  std::vector<ScalarCell> cells(arguments.size() + compiled->results.size());
  std::vector<void *> pointers;
  pointers.reserve(cells.size() + packed.size() + 1);
  size_t nextInput = 0, nextWeight = 0;
  // Inputs that are not aligned (views of foreign memory) are copied; this keeps the copies.
  std::vector<Tensor> aligned;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].kind == ArgumentKind::Weight) {
      pointers.push_back(const_cast<void *>(weights[nextWeight++].data()));
      continue;
    }
    const Value &input = inputs[nextInput++];
    const void *pointer = argumentPointer(arguments[i].type, input, cells[i]);
    if (!pointer)
      return mismatch(arguments[i], nextInput - 1, input.kindString());
    if (arguments[i].type.isTensor && reinterpret_cast<uintptr_t>(pointer) % bufferAlignment != 0) {
      Result<Tensor> copy = input.getIf<Tensor>()->clone();
      if (!copy)
        return copy.takeError();
      pointer = copy->data();
      aligned.push_back(std::move(*copy));
    }
    pointers.push_back(const_cast<void *>(pointer));
  }

  std::vector<Value> results;
  results.reserve(compiled->results.size());
  for (size_t i = 0; i < compiled->results.size(); ++i) {
    const ValueType &type = compiled->results[i].type;
    if (!type.isTensor) {
      results.emplace_back();
      pointers.push_back(&cells[arguments.size() + i]);
      continue;
    }
    Result<Tensor> tensor = Tensor::allocate(type.scalar, type.sizes);
    if (!tensor)
      return tensor.takeError();
    pointers.push_back(tensor->mutableData());
    results.emplace_back(std::move(*tensor));
  }

  for (const std::shared_ptr<std::byte> &buffer : packed)
    pointers.push_back(buffer.get());
  Result<std::shared_ptr<std::byte>> arena = takeArena();
  if (!arena)
    return arena.takeError();
  pointers.push_back(arena->get());
  jit_call call = {};
  call.pool = pool;
  int32_t status = compiled->run(&call, pointers.data());
  returnArena(std::move(*arena));
  if (status != 0)
    return raisedError(call);
  for (size_t i = 0; i < results.size(); ++i)
    if (!compiled->results[i].type.isTensor)
      results[i] = scalarResult(compiled->results[i].type.scalar, cells[arguments.size() + i]);
  return results;
}

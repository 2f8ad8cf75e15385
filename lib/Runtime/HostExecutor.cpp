//===- HostExecutor.cpp - calls entries that are the host's code ----------===//
#include "HostExecutor.h"
#include "Marshalling.h"
#include "Sizes.h"
#include "jit/Runtime/CallerStream.h"
#include "jit/Runtime/ThreadPool.h"

using namespace jit;
using namespace jit::runtime;

HostExecutor::HostExecutor(std::shared_ptr<const Artifact> artifact, const Entry *compiled,
                           ThreadPool *pool)
    : Executor(std::move(artifact), compiled), pool(pool),
      isOverwritten(compiled->arguments.size(), false) {
  for (const ResultInfo &result : compiled->results)
    if (result.inPlaceOf)
      isOverwritten[*result.inPlaceOf] = true;
}

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
    packed.push_back(allocateLasting(static_cast<size_t>(bytes)));
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
  call.pool = pool ? pool->handle() : nullptr;
  if (compiled->init(&call, pointers.data()) != 0)
    return raisedError(call);
  return {};
}

Result<Scratch> HostExecutor::takeScratch() {
  {
    std::lock_guard<std::mutex> lock(idleMutex);
    if (!idle.empty()) {
      Scratch scratch = std::move(idle.back());
      idle.pop_back();
      return scratch;
    }
  }
  Scratch scratch{allocateLasting(static_cast<size_t>(compiled->arenaBytes))};
  if (!scratch.arena)
    return Error{ErrorCode::LimitExceeded,
                 "out of memory for scratch of " + std::to_string(compiled->arenaBytes) + " bytes"};
  return scratch;
}

void HostExecutor::returnScratch(Scratch scratch) {
  std::lock_guard<std::mutex> lock(idleMutex);
  try {
    idle.push_back(std::move(scratch));
  } catch (const std::bad_alloc &) { // then the next call takes memory anew
  }
}

static bool isAligned(const void *pointer, ScalarType type) {
  return reinterpret_cast<uintptr_t>(pointer) % uintptr_t(jit_element_alignment(int32_t(type))) ==
         0;
}

/// The memory of an argument that becomes a result: the input's own where that may be, and a copy
/// elsewhere.
Result<const void *> HostExecutor::overwritten(size_t argument, const Tensor &input,
                                               Pointers &to) const {
  bool isOwn = input.mayBeOverwritten() && isAligned(input.data(), input.type());
  Result<Tensor> tensor = isOwn ? Result<Tensor>(input) : input.clone();
  if (!tensor)
    return tensor.takeError();
  tensor->setMayBeOverwritten(false);
  tensor->setRequiresGrad(false);
  tensor->resetCallerLayout(); // a result lies row by row, as these elements do
  const void *pointer = tensor->data();
  to.overwritten.emplace(argument, std::move(*tensor));
  return pointer;
}

Result<void> HostExecutor::addArguments(std::span<const Value> inputs, Pointers &to) const {
  const std::vector<ArgumentInfo> &arguments = compiled->arguments;
  size_t nextInput = 0, nextWeight = 0;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const ArgumentInfo &info = arguments[i];
    if (info.kind == ArgumentKind::Weight) {
      to.pointers.push_back(const_cast<void *>(weights[nextWeight++].data()));
      continue;
    }
    const Value &input = inputs[nextInput++];
    const void *pointer = argumentPointer(info.type, input, to.cells[i]);
    if (!pointer || !addOpenSizes(info, input, to.openSizes))
      return mismatch(info, nextInput - 1, input.kindString());
    if (isOverwritten[i]) {
      Result<const void *> own = overwritten(i, *input.getIf<Tensor>(), to);
      if (!own)
        return own.takeError();
      pointer = *own;
    } else if (info.type.isTensor && !isAligned(pointer, info.type.scalar)) {
      Result<Tensor> copy = input.getIf<Tensor>()->clone();
      if (!copy)
        return copy.takeError();
      pointer = copy->data();
      to.aligned.push_back(std::move(*copy));
    }
    to.pointers.push_back(const_cast<void *>(pointer));
  }
  return checkNames(arguments, inputs);
}

Result<void> HostExecutor::addResults(std::vector<Value> &results, Pointers &to) const {
  for (size_t i = 0; i < compiled->results.size(); ++i) {
    const ValueType &type = compiled->results[i].type;
    results.emplace_back();
    if (std::optional<size_t> place = compiled->results[i].inPlaceOf) {
      results.back() = Value(to.overwritten.at(*place));
      if (!type.isOpen())
        to.pointers.push_back(nullptr);
    } else if (!type.isTensor) {
      to.pointers.push_back(&to.cells[compiled->arguments.size() + i]);
    } else if (!type.isOpen()) {
      Result<Tensor> tensor = Tensor::allocate(type.scalar, type.sizes);
      if (!tensor)
        return tensor.takeError();
      to.pointers.push_back(tensor->mutableData());
      results.back() = Value(std::move(*tensor));
    }
  }
  return {};
}

Result<std::vector<Value>> HostExecutor::call(std::span<const Value> inputs) {
  if (Result<void> counted = checkCount(inputs); !counted)
    return counted.takeError();
  if (CallerStream::current())
    return Error{ErrorCode::Unsupported, "expected code for a CUDA device, as the call is in a "
                                         "stream, got code for this CPU"};
  size_t values = compiled->arguments.size() + compiled->results.size();
  Pointers to;
  to.cells.resize(values);
  to.pointers.reserve(values + packed.size() + 2);
  if (Result<void> added = addArguments(inputs, to); !added)
    return added.takeError();
  std::vector<Value> results;
  results.reserve(compiled->results.size());
  if (Result<void> added = addResults(results, to); !added)
    return added.takeError();
  for (const std::shared_ptr<std::byte> &buffer : packed)
    to.pointers.push_back(buffer.get());
  Result<Scratch> scratch = takeScratch();
  if (!scratch)
    return scratch.takeError();
  to.pointers.push_back(scratch->arena.get());
  to.pointers.push_back(to.openSizes.data());
  CallBuffers buffers(*compiled, *scratch);
  jit_call call = {};
  jit_error refused; // written before it is read
  call.refusal = &refused;
  call.pool = pool ? pool->handle() : nullptr;
  call.buffers = static_cast<jit_buffers *>(&buffers);
  int32_t status = compiled->run(&call, to.pointers.data());
  jit_free_outgrown(scratch->pieces.get());
  returnScratch(std::move(*scratch));
  if (status != 0) {
    std::optional<Error> refusal = buffers.takeRefusal();
    return refusal ? std::move(*refusal) : raisedError(call);
  }
  for (size_t i = 0; i < results.size(); ++i) {
    const ValueType &type = compiled->results[i].type;
    if (!type.isTensor)
      results[i] = scalarResult(type.scalar, to.cells[compiled->arguments.size() + i]);
    else if (type.isOpen() && !compiled->results[i].inPlaceOf)
      results[i] = Value(std::move(buffers.results[i]));
  }
  return results;
}

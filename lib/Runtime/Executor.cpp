//===- Executor.cpp - marshals values to pointers and back ----------------===//
#include "jit/Runtime/Executor.h"

#include "jit/Runtime/ThreadPool.h"

#include <cstdio>
#include <cstdlib>

using namespace jit;

namespace {
/// Room for a scalar argument or result while its pointer is with the callee.
union ScalarCell {
  int64_t integer;
  double real;
  uint8_t boolean;
};
} // namespace

static std::string formatArgument(const jit_arg &arg) {
  if (arg.kind == JIT_ARG_BOOL)
    return arg.value.i ? "True" : "False";
  if (arg.kind == JIT_ARG_INT)
    return std::to_string(arg.value.i);
  char text[32];
  // The shortest text that reads back as the same number, as Python prints it.
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, arg.value.f);
    if (std::strtod(text, nullptr) == arg.value.f)
      break;
  }
  std::string result = text;
  if (result.find_first_not_of("-0123456789") == std::string::npos)
    result += ".0";
  return result;
}

static Error raisedError(const jit_call &call) {
  std::string message;
  int32_t next = 0;
  for (const char *c = call.message; *c; ++c) {
    if (c[0] == '{' && c[1] == '}' && next < call.count) {
      message += formatArgument(call.args[next++]);
      ++c;
      continue;
    }
    message += *c;
  }
  return Error{ErrorCode::Raised, message, call.location, call.python_class};
}

static Error mismatch(const ArgumentInfo &info, size_t index, const std::string &got) {
  std::string what =
      info.name.empty() ? "argument " + std::to_string(index) : "'" + info.name + "'";
  return Error{ErrorCode::InvalidArgument, what + ": expected " + info.type.str() + ", got " + got};
}

/// The pointer for one argument; scalars are put into `cell`. Null where the value does not fit.
static const void *argumentPointer(const ValueType &type, const Value &value, ScalarCell &cell) {
  if (type.isTensor) {
    auto *tensor = value.getIf<Tensor>();
    if (!tensor || tensor->type() != type.scalar || tensor->sizes() != type.sizes)
      return nullptr;
    // An empty view may have no memory at all.
    return tensor->data() ? tensor->data() : &cell;
  }
  auto *integer = value.getIf<int64_t>();
  auto *real = value.getIf<double>();
  auto *boolean = value.getIf<bool>();
  if (type.scalar == ScalarType::Long && integer)
    cell.integer = *integer;
  else if (type.scalar == ScalarType::Double && real)
    cell.real = *real;
  else if (type.scalar == ScalarType::Double && integer)
    cell.real = static_cast<double>(*integer);
  else if (type.scalar == ScalarType::Bool && boolean)
    cell.boolean = *boolean;
  else
    return nullptr;
  return &cell;
}

static Value scalarResult(ScalarType type, const ScalarCell &cell) {
  if (type == ScalarType::Double)
    return cell.real;
  if (type == ScalarType::Bool)
    return cell.boolean != 0;
  return cell.integer;
}

Result<std::unique_ptr<Executor>> Executor::create(std::shared_ptr<const Artifact> artifact,
                                                   std::string_view entry,
                                                   const WeightSource &weights, ThreadPool *pool) {
  const Entry *compiled = artifact->find(entry);
  if (!compiled)
    return Error{ErrorCode::NotFound, "no entry '" + std::string(entry) + "' in the artifact"};
  std::unique_ptr<Executor> executor(new Executor(std::move(artifact), compiled, pool));
  if (Result<void> loaded = executor->loadWeights(weights); !loaded)
    return loaded.takeError();
  if (Result<void> done = executor->initialize(); !done)
    return done.takeError();
  return executor;
}

Result<void> Executor::loadWeights(const WeightSource &source) {
  ScalarCell unused;
  for (size_t i = 0; i < compiled->arguments.size(); ++i) {
    const ArgumentInfo &info = compiled->arguments[i];
    if (info.kind != ArgumentKind::Weight)
      continue;
    Result<Tensor> weight = source(info.name);
    if (!weight)
      return weight.takeError();
    if (!argumentPointer(info.type, *weight, unused))
      return mismatch(info, i, "tensor " + weight->typeString());
    if (reinterpret_cast<uintptr_t>(weight->data()) % bufferAlignment != 0) {
      weight = weight->clone();
      if (!weight)
        return weight.takeError();
    }
    weights.push_back(std::move(*weight));
  }
  return {};
}

Result<void> Executor::initialize() {
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

Result<std::shared_ptr<std::byte>> Executor::takeArena() {
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

void Executor::returnArena(std::shared_ptr<std::byte> arena) {
  std::lock_guard<std::mutex> lock(arenasMutex);
  idleArenas.push_back(std::move(arena));
}

Result<std::vector<Value>> Executor::run(std::span<const Value> inputs) {
  const std::vector<ArgumentInfo> &arguments = compiled->arguments;
  size_t expected = arguments.size() - weights.size();
  if (inputs.size() != expected)
    return Error{ErrorCode::InvalidArgument, compiled->name + ": expected " +
                                                 std::to_string(expected) + " arguments, got " +
                                                 std::to_string(inputs.size())};
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

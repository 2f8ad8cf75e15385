//===- PlanRunner.cpp - plans on the devices of sessions ------------------===//
#include "PlanRunner.h"
#include "Marshalling.h"
#include "jit/OutOfMemory.h"

#include <algorithm>
#include <optional>

using namespace jit;
using namespace jit::runtime;

PlanProgram::PlanProgram(const DevicePlan &plan)
    : code(encodePlan(plan.steps, tables)), wordCount(size_t(plan.words)) {
  for (const std::string &text : tables.texts)
    texts.push_back(text.c_str());
}

namespace {
/// A queue as the runtime's C calls it, which takes neither errors of ours nor what is thrown.
class PlanQueue {
public:
  PlanQueue(const LoadedKernels &kernels, DeviceQueue &queue, PlanMemory *memory,
            const PlanTables &tables)
      : kernels(kernels), queue(queue), memory(memory), tables(tables) {}

  static const jit_plan_actions actions;

  /// Launches, copies and calls of libraries so far.
  size_t started = 0;
  std::optional<Error> failure;

private:
  /// Has the queue at `device` do what gives a Result.
  template <typename Work> static jit_status attempt(void *device, const Work &work) {
    auto &self = *static_cast<PlanQueue *>(device);
    Result<void> done = orOutOfMemory([&] { return work(self); });
    if (done)
      return JIT_OK;
    self.failure = done.takeError();
    return jit_status(int(self.failure->code) + 1);
  }

  static jit_status launch(void *device, int64_t kernel, const uint64_t *arguments, int64_t count,
                           const jit_tensor_map *maps, int64_t mapCount);
  static jit_status copy(void *device, uint64_t to, uint64_t from, int64_t bytes);
  static jit_status read(void *device, void *to, uint64_t from, int64_t bytes);
  static jit_status raise(void *device, const jit_call *call);
  static jit_status giveResult(void *device, int64_t result, const int64_t *openSizes,
                               uint64_t *address);
  static jit_status giveScratch(void *device, int64_t piece, int64_t bytes, uint64_t *address);
  static jit_status useLibrary(void *device, int64_t number, const uint64_t *operands);

  /// Asks the call for memory.
  template <typename Ask> Result<void> take(uint64_t *address, const Ask &ask) {
    if (!memory)
      return Error{ErrorCode::Internal, "expected a call that gives memory for open sizes"};
    Result<DeviceAddress> taken = ask(*memory);
    if (!taken)
      return taken.takeError();
    *address = *taken;
    return {};
  }

  const LoadedKernels &kernels;
  DeviceQueue &queue;
  PlanMemory *memory;
  const PlanTables &tables;
};
} // namespace

const jit_plan_actions PlanQueue::actions = {launch,     copy,        read,      raise,
                                             giveResult, giveScratch, useLibrary};

jit_status PlanQueue::launch(void *device, int64_t kernel, const uint64_t *arguments, int64_t count,
                             const jit_tensor_map *maps, int64_t mapCount) {
  return attempt(device, [&](PlanQueue &self) {
    ++self.started;
    return self.queue.launch(self.kernels, uint32_t(kernel), {arguments, size_t(count)},
                             {maps, size_t(mapCount)});
  });
}

jit_status PlanQueue::copy(void *device, uint64_t to, uint64_t from, int64_t bytes) {
  return attempt(device, [&](PlanQueue &self) {
    ++self.started;
    return self.queue.copy(to, from, size_t(bytes));
  });
}

jit_status PlanQueue::read(void *device, void *to, uint64_t from, int64_t bytes) {
  return attempt(device, [&](PlanQueue &self) {
    auto done = self.queue.copyOut(to, from, size_t(bytes));
    return done ? self.queue.finish() : done;
  });
}

jit_status PlanQueue::raise(void *device, const jit_call *call) {
  return attempt(device, [&](PlanQueue &) -> Result<void> { return raisedError(*call); });
}

jit_status PlanQueue::giveResult(void *device, int64_t result, const int64_t *openSizes,
                                 uint64_t *address) {
  return attempt(device, [&](PlanQueue &self) {
    return self.take(address,
                     [&](PlanMemory &memory) { return memory.result(size_t(result), openSizes); });
  });
}

jit_status PlanQueue::giveScratch(void *device, int64_t piece, int64_t bytes, uint64_t *address) {
  return attempt(device, [&](PlanQueue &self) {
    return self.take(
        address, [&](PlanMemory &memory) { return memory.scratch(size_t(piece), size_t(bytes)); });
  });
}

jit_status PlanQueue::useLibrary(void *device, int64_t number, const uint64_t *operands) {
  return attempt(device, [&](PlanQueue &self) {
    ++self.started;
    const auto &called = self.tables.libraryCalls[size_t(number)];
    if (auto *product = std::get_if<MatrixProduct>(&called))
      return self.queue.multiply(*product, operands[0], operands[1], operands[2]);
    return self.queue.convolve(std::get<PlanConvolution>(called), operands[0], operands[1],
                               operands[2]);
  });
}

Result<void> PlanProgram::run(const LoadedKernels &kernels, DeviceQueue &queue,
                              std::vector<uint64_t> words, PlanMemory *memory,
                              size_t *started) const {
  size_t count = std::max(words.size(), wordCount);
  words.resize(2 * count);
  PlanQueue device(kernels, queue, memory, tables);
  jit_error error;
  jit_plan plan = {code.data(), int64_t(code.size()), int64_t(count)};
  jit_plan_call call = {&PlanQueue::actions,  &device, texts.data(), words.data(),
                        words.data() + count, &error};
  jit_status status = jit_run_plan(&plan, &call);
  if (started)
    *started = device.started;
  if (status == JIT_OK)
    return {};
  return device.failure ? std::move(*device.failure) : errorOf(error);
}

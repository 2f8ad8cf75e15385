//===- PlanRunner.cpp - does what a plan says -----------------------------===//
#include "PlanRunner.h"
#include "Marshalling.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

using namespace jit;
using namespace jit::runtime;

namespace {
class Runner {
public:
  Runner(const LoadedKernels &kernels, DeviceQueue &queue, std::vector<uint64_t> words,
         PlanMemory *memory)
      : kernels(kernels), queue(queue), words(std::move(words)), memory(memory) {}

  Result<void> run(const PlanSteps &steps);

  /// Launches and copies so far.
  size_t started = 0;

private:
  Result<void> run(const LaunchStep &step);
  Result<void> run(const CopyStep &step);
  Result<void> run(const ProductStep &step);
  Result<void> run(const ConvolutionStep &step);
  Result<void> run(const ReadStep &step);
  Result<void> run(const SetStep &step);
  Result<void> run(const ComputeStep &step);
  Result<void> run(const ChooseStep &step);
  Result<void> run(const ResultStep &step);
  Result<void> run(const ScratchStep &step);
  Result<void> run(const LoopStep &step);
  Result<void> run(const BranchStep &step);
  Result<void> run(const WhileStep &step);
  Result<void> run(const GuardStep &step);

  uint64_t value(const PlanOperand &operand) const {
    uint64_t base = operand.word == PlanOperand::none ? 0 : words[operand.word];
    return base + uint64_t(operand.offset);
  }

  const LoadedKernels &kernels;
  DeviceQueue &queue;
  std::vector<uint64_t> words;
  PlanMemory *memory;
  std::vector<uint64_t> arguments; // of the launch at hand
};
} // namespace

Result<void> Runner::run(const LaunchStep &step) {
  arguments.clear();
  for (const PlanOperand &operand : step.arguments)
    arguments.push_back(value(operand));
  ++started;
  return queue.launch(kernels, step.kernel, arguments, step.maps);
}

Result<void> Runner::run(const CopyStep &step) {
  ++started;
  return queue.copy(value(step.to), value(step.from), size_t(step.bytes));
}

Result<void> Runner::run(const ProductStep &step) {
  ++started;
  return queue.multiply(step.product, value(step.left), value(step.right), value(step.result));
}

Result<void> Runner::run(const ConvolutionStep &step) {
  ++started;
  return queue.convolve(step.convolution, value(step.images), value(step.filters),
                        value(step.result));
}

template <typename T> static uint64_t widen(const std::byte *bytes) {
  T number;
  std::memcpy(&number, bytes, sizeof number);
  if constexpr (std::is_floating_point_v<T>) {
    double wide = number;
    uint64_t word;
    std::memcpy(&word, &wide, sizeof word);
    return word;
  }
  return uint64_t(int64_t(number));
}

Result<void> Runner::run(const ReadStep &step) {
  std::byte bytes[8] = {};
  if (auto done = queue.copyOut(bytes, value(step.from), size_t(elementSize(step.type))); !done)
    return done;
  if (auto done = queue.finish(); !done)
    return done;
  uint64_t &word = words[step.word];
  switch (step.type) {
  case ScalarType::Bool:
  case ScalarType::Byte:
    word = widen<uint8_t>(bytes);
    return {};
  case ScalarType::Char:
    word = widen<int8_t>(bytes);
    return {};
  case ScalarType::Short:
    word = widen<int16_t>(bytes);
    return {};
  case ScalarType::Int:
    word = widen<int32_t>(bytes);
    return {};
  case ScalarType::Long:
    word = widen<int64_t>(bytes);
    return {};
  case ScalarType::Float:
    word = widen<float>(bytes);
    return {};
  case ScalarType::Double:
    word = widen<double>(bytes);
    return {};
  default:
    return Error{ErrorCode::Internal,
                 "expected a number that the host knows, got " + std::string(shortName(step.type))};
  }
}

Result<void> Runner::run(const SetStep &step) {
  std::vector<uint64_t> values;
  for (auto &[word, operand] : step.words)
    values.push_back(value(operand));
  for (size_t i = 0; i < values.size(); ++i)
    words[step.words[i].first] = values[i];
  return {};
}

/// Null for a division without a result. Sums and products wrap around.
static std::optional<int64_t> computed(SizeOperation operation, int64_t left, int64_t right) {
  auto wrapped = [](uint64_t value) { return static_cast<int64_t>(value); };
  bool divides = right != 0 && !(left == std::numeric_limits<int64_t>::min() && right == -1);
  bool isBetween = divides && left % right != 0, isNegative = (left < 0) != (right < 0);
  switch (operation) {
  case SizeOperation::Add:
    return wrapped(uint64_t(left) + uint64_t(right));
  case SizeOperation::Subtract:
    return wrapped(uint64_t(left) - uint64_t(right));
  case SizeOperation::Multiply:
    return wrapped(uint64_t(left) * uint64_t(right));
  case SizeOperation::Divide:
    return divides ? std::optional(left / right) : std::nullopt;
  case SizeOperation::FloorDivide:
    return divides ? std::optional(left / right - int64_t(isBetween && isNegative)) : std::nullopt;
  case SizeOperation::CeilDivide:
    return divides ? std::optional(left / right + int64_t(isBetween && !isNegative)) : std::nullopt;
  case SizeOperation::Remainder:
    return divides ? std::optional(left % right) : std::nullopt;
  case SizeOperation::Minimum:
    return std::min(left, right);
  case SizeOperation::Maximum:
    return std::max(left, right);
  case SizeOperation::And:
    return left & right;
  case SizeOperation::Or:
    return left | right;
  case SizeOperation::Xor:
    return left ^ right;
  case SizeOperation::Equal:
    return left == right;
  case SizeOperation::NotEqual:
    return left != right;
  case SizeOperation::Less:
    return left < right;
  case SizeOperation::LessEqual:
    return left <= right;
  case SizeOperation::Greater:
    return left > right;
  case SizeOperation::GreaterEqual:
    return left >= right;
  }
  return std::nullopt;
}

Result<void> Runner::run(const ComputeStep &step) {
  std::optional<int64_t> result =
      computed(step.operation, int64_t(value(step.left)), int64_t(value(step.right)));
  if (!result)
    return Error{ErrorCode::InvalidArgument, "expected sizes that can be divided, got " +
                                                 std::to_string(int64_t(value(step.left))) +
                                                 " by " +
                                                 std::to_string(int64_t(value(step.right)))};
  words[step.word] = uint64_t(*result);
  return {};
}

Result<void> Runner::run(const ChooseStep &step) {
  words[step.word] = value(value(step.condition) != 0 ? step.then : step.otherwise);
  return {};
}

static Error noMemory() {
  return {ErrorCode::Internal, "expected a call that gives memory for open sizes"};
}

Result<void> Runner::run(const ResultStep &step) {
  if (!memory)
    return noMemory();
  std::vector<int64_t> sizes;
  for (const PlanOperand &size : step.sizes)
    sizes.push_back(int64_t(value(size)));
  Result<DeviceAddress> address = memory->result(step.result, sizes);
  if (!address)
    return address.takeError();
  words[step.word] = *address;
  return {};
}

Result<void> Runner::run(const ScratchStep &step) {
  if (!memory)
    return noMemory();
  size_t bytes = size_t(step.bytes);
  for (const PlanOperand &operand : step.sizes) {
    auto size = int64_t(value(operand));
    if (size < 0 || __builtin_mul_overflow(bytes, size_t(size), &bytes))
      return Error{ErrorCode::LimitExceeded, "expected scratch memory that a device has, got one "
                                             "with a size of " +
                                                 std::to_string(size)};
  }
  Result<DeviceAddress> address = memory->scratch(step.piece, bytes);
  if (!address)
    return address.takeError();
  words[step.word] = *address;
  return {};
}

Result<void> Runner::run(const LoopStep &step) {
  int64_t upper = int64_t(value(step.upper)), by = int64_t(value(step.step));
  for (int64_t i = int64_t(value(step.lower)); i < upper;) {
    words[step.word] = uint64_t(i);
    if (auto done = run(step.body); !done)
      return done;
    if (by <= 0 || __builtin_add_overflow(i, by, &i))
      break;
  }
  return {};
}

Result<void> Runner::run(const BranchStep &step) {
  return run(value(step.condition) != 0 ? step.then : step.otherwise);
}

Result<void> Runner::run(const WhileStep &step) {
  for (;;) {
    if (auto done = run(step.before); !done)
      return done;
    if (value(step.condition) == 0)
      return {};
    if (auto done = run(step.body); !done)
      return done;
  }
}

Result<void> Runner::run(const GuardStep &step) {
  if (value(step.condition) != 0)
    return {};
  jit_call call = {};
  std::vector<jit_arg> arguments;
  for (auto &[kind, operand] : step.arguments) {
    jit_arg argument = {kind, {.i = int64_t(value(operand))}};
    if (kind == JIT_ARG_FLOAT)
      std::memcpy(&argument.value.f, &argument.value.i, sizeof(double));
    arguments.push_back(argument);
  }
  jit_rt_fail(&call, step.pythonClass.c_str(), step.message.c_str(), step.location.c_str(),
              int64_t(arguments.size()), arguments.data());
  return raisedError(call);
}

Result<void> Runner::run(const PlanSteps &steps) {
  for (const PlanStep &step : steps)
    if (auto done = std::visit([&](auto &action) { return run(action); }, step.action); !done)
      return done;
  return {};
}

Result<void> jit::runtime::runPlan(const DevicePlan &plan, const LoadedKernels &kernels,
                                   DeviceQueue &queue, std::vector<uint64_t> words,
                                   PlanMemory *memory, size_t *started) {
  words.resize(std::max(words.size(), size_t(plan.words)));
  Runner runner(kernels, queue, std::move(words), memory);
  Result<void> done = runner.run(plan.steps);
  if (started)
    *started = runner.started;
  return done;
}

namespace {
/// What a plan consists of.
struct Census {
  explicit Census(const PlanSteps &steps) { count(steps); }

  size_t launches = 0;
  bool reads = false, loops = false, asksForMemory = false, multiplies = false, convolves = false;

  void count(const PlanSteps &steps) {
    for (const PlanStep &step : steps)
      std::visit([&](auto &action) { count(action); }, step.action);
  }
  void count(const LaunchStep &) { ++launches; }
  void count(const CopyStep &) { ++launches; }
  void count(const ProductStep &) {
    ++launches;
    multiplies = true;
  }
  void count(const ConvolutionStep &) {
    ++launches;
    convolves = true;
  }
  void count(const ReadStep &) { reads = true; }
  void count(const SetStep &) {}
  void count(const ComputeStep &) {}
  void count(const ChooseStep &) {}
  void count(const ResultStep &) { asksForMemory = true; }
  void count(const ScratchStep &) { asksForMemory = true; }
  void count(const GuardStep &) {}
  void count(const LoopStep &step) {
    loops = true;
    count(step.body);
  }
  void count(const BranchStep &step) {
    count(step.then);
    count(step.otherwise);
  }
  void count(const WhileStep &step) {
    loops = true;
    count(step.before);
    count(step.body);
  }
};
} // namespace

bool DevicePlan::hasOpenBuffers() const { return Census(steps).asksForMemory; }
bool DevicePlan::hasLibraryProducts() const { return Census(steps).multiplies; }
bool DevicePlan::hasLibraryConvolutions() const { return Census(steps).convolves; }

bool jit::runtime::isWorthRecording(const DevicePlan &plan) {
  constexpr size_t few = 3;
  Census census(plan.steps);
  // Memory that a call asks for may be elsewhere the next time.
  return !census.reads && !census.asksForMemory &&
         (census.launches > few || (census.loops && census.launches > 0));
}

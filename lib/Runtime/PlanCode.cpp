//===- PlanCode.cpp - plans as words --------------------------------------===//
#include "jit/Runtime/PlanCode.h"
#include "jit/Runtime/Package.h"

#include <algorithm>
#include <utility>

using namespace jit;
using namespace jit::runtime;

static_assert(int(SizeOperation::Add) == JIT_SIZE_ADD &&
                  int(SizeOperation::Remainder) == JIT_SIZE_REMAINDER &&
                  int(SizeOperation::Xor) == JIT_SIZE_XOR &&
                  int(SizeOperation::GreaterEqual) == JIT_SIZE_GREATER_EQUAL,
              "the runtime's C numbers operations as we do");

namespace {
class Encoder {
public:
  explicit Encoder(PlanTables &tables) : tables(tables) {}

  std::vector<int64_t> encode(const PlanSteps &steps);

private:
  void add(const LaunchStep &step);
  void add(const CopyStep &step);
  void add(const ReadStep &step);
  void add(const SetStep &step);
  void add(const LoopStep &step);
  void add(const BranchStep &step);
  void add(const WhileStep &step);
  void add(const GuardStep &step);
  void add(const ComputeStep &step);
  void add(const ChooseStep &step);
  void add(const ResultStep &step);
  void add(const ScratchStep &step);
  void add(const ProductStep &step);
  void add(const ConvolutionStep &step);

  void word(int64_t value) { code.push_back(value); }
  void operand(const PlanOperand &value) {
    word(value.word);
    word(value.offset);
  }
  void operands(const std::vector<PlanOperand> &values) {
    word(int64_t(values.size()));
    for (const PlanOperand &value : values)
      operand(value);
  }
  template <typename Numbers> void words(const Numbers &numbers) {
    for (auto value : numbers)
      word(int64_t(value));
  }
  void text(const std::string &value);
  /// The words of other steps, with their count before them or not.
  std::vector<int64_t> inner(const PlanSteps &steps) { return Encoder(tables).encode(steps); }
  void append(const std::vector<int64_t> &words) {
    code.insert(code.end(), words.begin(), words.end());
  }

  PlanTables &tables;
  std::vector<int64_t> code;
};
} // namespace

void Encoder::text(const std::string &value) {
  auto known = std::ranges::find(tables.texts, value);
  word(known - tables.texts.begin());
  if (known == tables.texts.end())
    tables.texts.push_back(value);
}

void Encoder::add(const LaunchStep &step) {
  word(JIT_PLAN_LAUNCH);
  word(step.kernel);
  operands(step.arguments);
  word(int64_t(step.maps.size()));
  for (const TensorMap &map : step.maps) {
    word(int64_t(map.argument));
    word(int64_t(map.type));
    words(map.sizes);
    words(map.strides);
    words(map.box);
  }
}

void Encoder::add(const CopyStep &step) {
  word(JIT_PLAN_COPY);
  operand(step.to);
  operand(step.from);
  word(step.bytes);
}

void Encoder::add(const ReadStep &step) {
  word(JIT_PLAN_READ);
  word(step.word);
  operand(step.from);
  word(int64_t(step.type));
}

void Encoder::add(const SetStep &step) {
  word(JIT_PLAN_SET);
  word(int64_t(step.words.size()));
  for (const auto &[to, value] : step.words) {
    word(to);
    operand(value);
  }
}

void Encoder::add(const LoopStep &step) {
  std::vector<int64_t> body = inner(step.body);
  word(JIT_PLAN_LOOP);
  word(step.word);
  operand(step.lower);
  operand(step.upper);
  operand(step.step);
  word(int64_t(body.size()));
  append(body);
}

void Encoder::add(const BranchStep &step) {
  std::vector<int64_t> then = inner(step.then), otherwise = inner(step.otherwise);
  word(JIT_PLAN_BRANCH);
  operand(step.condition);
  word(int64_t(then.size()));
  word(int64_t(otherwise.size()));
  append(then);
  append(otherwise);
}

void Encoder::add(const WhileStep &step) {
  std::vector<int64_t> before = inner(step.before), body = inner(step.body);
  word(JIT_PLAN_WHILE);
  operand(step.condition);
  word(int64_t(before.size()));
  word(int64_t(body.size()));
  append(before);
  append(body);
}

void Encoder::add(const GuardStep &step) {
  word(JIT_PLAN_GUARD);
  operand(step.condition);
  text(step.pythonClass);
  text(step.message);
  text(step.location);
  word(int64_t(step.arguments.size()));
  for (const auto &[kind, value] : step.arguments) {
    word(kind);
    operand(value);
  }
}

void Encoder::add(const ComputeStep &step) {
  word(JIT_PLAN_COMPUTE);
  word(step.word);
  word(int64_t(step.operation));
  operand(step.left);
  operand(step.right);
}

void Encoder::add(const ChooseStep &step) {
  word(JIT_PLAN_CHOOSE);
  word(step.word);
  operand(step.condition);
  operand(step.then);
  operand(step.otherwise);
}

void Encoder::add(const ResultStep &step) {
  word(JIT_PLAN_RESULT);
  word(step.word);
  word(int64_t(step.result));
  operands(step.sizes);
}

void Encoder::add(const ScratchStep &step) {
  word(JIT_PLAN_SCRATCH);
  word(step.word);
  word(int64_t(step.piece));
  word(step.bytes);
  operands(step.sizes);
}

void Encoder::add(const ProductStep &step) {
  word(JIT_PLAN_LIBRARY);
  word(int64_t(tables.libraryCalls.size()));
  operand(step.left);
  operand(step.right);
  operand(step.result);
  tables.libraryCalls.emplace_back(step.product);
}

void Encoder::add(const ConvolutionStep &step) {
  word(JIT_PLAN_LIBRARY);
  word(int64_t(tables.libraryCalls.size()));
  operand(step.images);
  operand(step.filters);
  operand(step.result);
  tables.libraryCalls.emplace_back(step.convolution);
}

std::vector<int64_t> Encoder::encode(const PlanSteps &steps) {
  for (const PlanStep &step : steps)
    std::visit([&](const auto &action) { add(action); }, step.action);
  return std::move(code);
}

std::vector<int64_t> jit::runtime::encodePlan(const PlanSteps &steps, PlanTables &tables) {
  return Encoder(tables).encode(steps);
}

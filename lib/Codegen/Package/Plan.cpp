//===- Plan.cpp - plans as words ------------------------------------------===//
#include "Package/Plan.h"
#include "jit/Runtime/Package.h"

#include <algorithm>
#include <cassert>
#include <utility>

using namespace jit;
using namespace jit::package;
using namespace jit::runtime;

namespace {
class Encoder {
public:
  explicit Encoder(std::vector<std::string> &texts) : texts(texts) {}

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
  /// Steps that packages for a GPU do not have.
  template <typename Step> void add(const Step &) {
    assert(false && "a plan with open sizes or a library's work was refused before");
  }

  void word(int64_t value) { code.push_back(value); }
  void operand(const PlanOperand &value) {
    word(value.word);
    word(value.offset);
  }
  template <typename Numbers> void words(const Numbers &numbers) {
    for (auto value : numbers)
      word(int64_t(value));
  }
  void text(const std::string &value);
  /// The words of other steps, with their count before them or not.
  std::vector<int64_t> inner(const PlanSteps &steps) { return Encoder(texts).encode(steps); }
  void append(const std::vector<int64_t> &words) {
    code.insert(code.end(), words.begin(), words.end());
  }

  std::vector<std::string> &texts;
  std::vector<int64_t> code;
};
} // namespace

void Encoder::text(const std::string &value) {
  auto known = std::ranges::find(texts, value);
  word(known - texts.begin());
  if (known == texts.end())
    texts.push_back(value);
}

void Encoder::add(const LaunchStep &step) {
  word(JIT_PLAN_LAUNCH);
  word(step.kernel);
  word(int64_t(step.arguments.size()));
  for (const PlanOperand &argument : step.arguments)
    operand(argument);
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

std::vector<int64_t> Encoder::encode(const PlanSteps &steps) {
  for (const PlanStep &step : steps)
    std::visit([&](const auto &action) { add(action); }, step.action);
  return std::move(code);
}

std::vector<int64_t> package::encodePlan(const PlanSteps &steps, std::vector<std::string> &texts) {
  return Encoder(texts).encode(steps);
}

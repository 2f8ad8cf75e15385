//===- DevicePlan.cpp - what is in a plan ---------------------------------===//
#include "jit/Runtime/DevicePlan.h"

using namespace jit;
using namespace jit::runtime;

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

bool DevicePlan::isWorthRecording() const {
  constexpr size_t few = 3;
  Census census(steps);
  // Memory that a call asks for may be elsewhere the next time.
  return !census.reads && !census.asksForMemory &&
         (census.launches > few || (census.loops && census.launches > 0));
}

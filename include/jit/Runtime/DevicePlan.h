//===- DevicePlan.h - what a call does on a device ---------------*- C++ -*-===//
//
// The host's part of an entry that runs on a GPU, as data: no code of the host is generated for it,
// so that it can be stored, read, and replayed. All arithmetic is in kernels.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_RUNTIME_DEVICEPLAN_H
#define JIT_RUNTIME_DEVICEPLAN_H

#include "jit/Runtime/Call.h"
#include "jit/Runtime/Emulation.h"
#include "jit/ScalarType.h"

#include <array>
#include <compare>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace jit::runtime {

/// A pointer or number of a call: one of its words plus an offset in bytes, or the offset alone.
/// The first words are the entry's arguments (a tensor's address on the device; a number itself, an
/// integer or the bits of a double), the addresses of its results of known size, its packed
/// buffers' and its arena's, and the open sizes of its arguments.
struct PlanOperand {
  static constexpr int32_t none = -1;
  int32_t word = none;
  int64_t offset = 0;
};

struct PlanStep;
using PlanSteps = std::vector<PlanStep>;

/// An argument that describes matrices in memory, so that the device copies boxes of them by
/// itself: rows of 128 bytes, one after another, whose pieces of 16 bytes are exchanged by the last
/// bits of the row's number; zeros where a box is outside. Innermost dimension first.
struct TensorMap {
  /// The number of the argument, which is the address of the first element, a multiple of 16.
  size_t argument = 0;
  ScalarType type = ScalarType::Half;
  std::array<uint64_t, 3> sizes = {};
  /// Bytes from one element to the next in the second and third dimension, multiples of 16.
  std::array<uint64_t, 2> strides = {};
  /// How many elements a box has.
  std::array<uint32_t, 3> box = {};
};

/// Starts kernel number `kernel`.
struct LaunchStep {
  uint32_t kernel = 0;
  std::vector<PlanOperand> arguments;
  std::vector<TensorMap> maps = {};
};

struct CopyStep {
  PlanOperand to, from;
  int64_t bytes = 0;
};

/// Matrices in memory, one for each batch; strides are in elements, that between batches may be 0.
struct PlanMatrix {
  /// Whether columns lie side by side instead of rows.
  bool isTransposed = false;
  /// From one row to the next, or from one column to the next.
  int64_t stride = 0;
  int64_t batchStride = 0;

  auto operator<=>(const PlanMatrix &) const = default;
};

/// result = left * right, for each batch, f32 or half numbers that add up in f32. The rows of the
/// result lie side by side.
struct MatrixProduct {
  ScalarType factors = ScalarType::Float, sums = ScalarType::Float;
  int64_t batches = 1, rows = 0, columns = 0, depth = 0;
  PlanMatrix left, right, result;
  /// Whether the result is added to what is there.
  bool adds = false;
  /// Whether factors of f32 may be rounded to tf32.
  bool allowsTf32 = false;

  auto operator<=>(const MatrixProduct &) const = default;
};

/// Has a library multiply.
struct ProductStep {
  MatrixProduct product;
  PlanOperand left, right, result;
};

/// One dimension of images along which windows of a convolution move. Strides are in elements.
struct PlanWindow {
  /// How many elements images have, how many of them a window has, and how many places it stands
  /// at.
  int64_t image = 1, taps = 1, places = 1;
  /// From one place to the next, and from one tap to the next.
  int64_t step = 1, dilation = 1;
  /// Zeros in front of the image and behind it.
  int64_t padding = 0;
  /// In memory, from one element of an image to the next, and of the result.
  int64_t imageStride = 1, resultStride = 1;

  auto operator<=>(const PlanWindow &) const = default;
};

/// Images in memory: from one to the next, and from channel to channel.
struct PlanImages {
  int64_t batchStride = 0, channelStride = 0;

  auto operator<=>(const PlanImages &) const = default;
};

/// The result's images are what filters make of images: sums in f32 of f32 or half numbers, which
/// come out as numbers of the same type. A filter has a tap for each channel of its group at each
/// place of the window; filters lie one after another, channels in them, and taps in these.
struct PlanConvolution {
  ScalarType type = ScalarType::Float;
  /// Channels and filters are those of all groups.
  int64_t batches = 1, channels = 1, filters = 1, groups = 1;
  PlanImages images, result;
  /// Outermost first, no more than three.
  std::vector<PlanWindow> windows;
  /// Whether the result is added to what is there.
  bool adds = false;
  /// Whether factors of f32 may be rounded to tf32.
  bool allowsTf32 = false;

  auto operator<=>(const PlanConvolution &) const = default;
};

/// Has a library convolve.
struct ConvolutionStep {
  PlanConvolution convolution;
  PlanOperand images, filters, result;
};

/// Waits for the device and reads a number: `word` becomes an integer, or the bits of a double.
struct ReadStep {
  int32_t word = 0;
  PlanOperand from;
  ScalarType type = ScalarType::Long;
};

/// Sets words; all operands are read before the first word is set.
struct SetStep {
  std::vector<std::pair<int32_t, PlanOperand>> words;
};

/// What plans do with sizes. Comparisons give 0 or 1.
enum class SizeOperation : uint8_t {
  Add,
  Subtract,
  Multiply,
  Divide, ///< towards 0
  FloorDivide,
  CeilDivide,
  Remainder, ///< of Divide
  Minimum,
  Maximum,
  And,
  Or,
  Xor,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual
};

/// Sets a word to what follows from sizes that the call tells.
struct ComputeStep {
  int32_t word = 0;
  SizeOperation operation = SizeOperation::Add;
  PlanOperand left, right;
};

/// Sets a word to one of two numbers.
struct ChooseStep {
  int32_t word = 0;
  PlanOperand condition, then, otherwise;
};

/// Sets a word to the address of memory for a result with these open sizes.
struct ResultStep {
  int32_t word = 0;
  size_t result = 0;
  std::vector<PlanOperand> sizes;
};

/// Sets a word to the address of scratch memory, which is the call's until the same piece is asked
/// for again: the product of the sizes times `bytes`.
struct ScratchStep {
  int32_t word = 0;
  size_t piece = 0;
  int64_t bytes = 0;
  std::vector<PlanOperand> sizes;
};

/// for word in range(lower, upper, step), with a step above 0.
struct LoopStep {
  int32_t word = 0;
  PlanOperand lower, upper, step;
  PlanSteps body;
};

struct BranchStep {
  PlanOperand condition;
  PlanSteps then, otherwise;
};

/// Does `before`, and while the condition is not 0 then `body` and `before` again.
struct WhileStep {
  PlanSteps before;
  PlanOperand condition;
  PlanSteps body;
};

/// Ends the call with an exception where the condition is 0.
struct GuardStep {
  PlanOperand condition;
  std::string pythonClass, message, location;
  std::vector<std::pair<jit_arg_kind, PlanOperand>> arguments;
};

struct PlanStep {
  std::variant<LaunchStep, CopyStep, ProductStep, ConvolutionStep, ReadStep, SetStep, ComputeStep,
               ChooseStep, ResultStep, ScratchStep, LoopStep, BranchStep, WhileStep, GuardStep>
      action;
};

struct DevicePlan {
  PlanSteps steps;
  /// How many words a call has.
  int32_t words = 0;

  /// Whether the plan asks for memory while it runs.
  bool hasOpenBuffers() const;
  /// Whether it has a library multiply, and convolve.
  bool hasLibraryProducts() const;
  bool hasLibraryConvolutions() const;
  /// True if a plan is the same work whenever it starts with the same words, and enough of it that
  /// starting it at once is quicker: the device starts a kernel every few microseconds.
  bool isWorthRecording() const;
};

/// A kernel and the size that it is always started with.
struct DeviceKernel {
  std::string name;
  std::array<uint32_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  /// Bytes that a block's threads share beside what the kernel's code declares.
  uint32_t dynamicSharedBytes = 0;
  /// All blocks run side by side and wait for each other; there are no more than the device has
  /// room for.
  bool isCooperative = false;
  /// For the emulated device: the work of one thread, the all bytes that a block's threads share,
  /// and whether they wait for each other.
  jit_thread_fn emulated = nullptr;
  int64_t sharedBytes = 0;
  bool waits = false;
};

/// All kernels of an artifact.
struct DeviceCode {
  /// NVIDIA's name of the GPU that it is for, "sm_90"; empty for an emulation.
  std::string chip;
  std::vector<DeviceKernel> kernels;
  /// For any GPU from the one on that it was compiled for, and for that one alone; the latter is
  /// preferred and may be missing. Both are empty where there are no kernels.
  std::string ptx, cubin;
  /// The kernels are functions of this process instead, which this keeps alive.
  std::shared_ptr<void> functions;
  bool isEmulated = false;
};

} // namespace jit::runtime

#endif // JIT_RUNTIME_DEVICEPLAN_H

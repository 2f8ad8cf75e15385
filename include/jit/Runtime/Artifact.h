//===- Artifact.h - compiled code and what it expects ------------*- C++ -*-===//
//
// What Codegen hands to the Executor. Knows nothing of how the code was made: the same description
// serves code compiled in the process and code loaded from a file.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_RUNTIME_ARTIFACT_H
#define JIT_RUNTIME_ARTIFACT_H

#include "jit/Runtime/Call.h"
#include "jit/Runtime/DevicePlan.h"
#include "jit/ScalarType.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jit::runtime {

/// The type of an argument or result. A scalar is Long, Double or Bool and has no sizes.
struct ValueType {
  bool isTensor = true;
  ScalarType scalar = ScalarType::Float;
  std::vector<int64_t> sizes = {};

  /// A size that each call may have another value of.
  static constexpr int64_t openSize = -1;

  /// Whether a size is open.
  bool isOpen() const;
  /// "tensor 1x2xf32", "tensor ?x2xf32", or "int", "float", "bool".
  std::string str() const;
  /// Bytes that a value of this type takes in memory. No size is open.
  int64_t byteSize() const;
};

enum class ArgumentKind {
  Input,  ///< given by the caller at each call
  Weight, ///< the same bytes at each call: given once, by `name`
  Slot,   ///< mutable module state called `name`: its value before the call
};

struct ArgumentInfo {
  ArgumentKind kind = ArgumentKind::Input;
  ValueType type;
  /// The state_dict path of a weight or slot; empty for an input.
  std::string name = {};
  /// Where sizes are open: one name for each size, empty for those that are known. A size with a
  /// name is at least 2 and equal to all others of that name.
  std::vector<std::string> sizeNames = {};
};

struct ResultInfo {
  ValueType type;
  /// The path of the slot whose new value this is; empty for a result proper.
  std::string slot = {};
  /// The number of the argument in whose memory it is computed, without a pointer of its own: the
  /// entry writes there what is new.
  std::optional<size_t> inPlaceOf = {};
};

/// One compiled function. `run` takes pointers to: the arguments, the results without open sizes
/// (of those in place it is not read), the packed buffers, the arena, the open sizes of the
/// arguments as int64_t in order. `init`, where it is not null, takes: the weight arguments, the
/// packed buffers, its own arena; it fills the packed buffers once per module instance.
struct Entry {
  std::string name;
  jit_entry_fn run = nullptr;
  jit_entry_fn init = nullptr;
  std::vector<ArgumentInfo> arguments = {};
  std::vector<ResultInfo> results = {};
  std::vector<int64_t> packedBytes = {};
  int64_t arenaBytes = 0;
  int64_t initArenaBytes = 0;
  /// What `run` and `init` are for entries of an artifact with device code: all of their pointers
  /// are on the device.
  DevicePlan plan = {};
  std::optional<DevicePlan> initPlan = {};
};

struct Artifact {
  std::vector<Entry> entries;
  /// Keeps the machine code alive.
  std::shared_ptr<void> code;
  /// The kernels, where the entries run on a device; null where they are the host's code.
  std::shared_ptr<const DeviceCode> device = {};

  /// The entry called `name`, or null.
  const Entry *find(std::string_view name) const;
};

} // namespace jit::runtime

#endif // JIT_RUNTIME_ARTIFACT_H

//===- Variant.h - one method compiled for one kind of call -----*- C++ -*-===//
#ifndef JIT_LIB_SESSION_VARIANT_H
#define JIT_LIB_SESSION_VARIANT_H

#include "ModuleState.h"
#include "jit/Pipeline/Pipeline.h"
#include "jit/Runtime/Executor.h"
#include "jit/Session/Session.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <map>
#include <mutex>

namespace jit {

/// Where a flat argument comes from: an element inside a call's argument or inside a slot's value.
struct ArgumentSource {
  std::optional<unsigned> slot = {}; // none: the call
  ArgumentPath path;
  bool isMemory = false; // all of the memory that the tensor there is a part of
};

/// How flat results make up a value: a leaf, None, text, or a container of such.
struct OutputTree {
  enum class Kind { None, Leaf, Text, Tuple, List, Concat, Unbind, Parts, Dict, Either };
  Kind kind = Kind::None;
  int64_t leaf = 0;
  std::string text = {};
  std::vector<OutputTree> parts = {};
  runtime::Value::Meaning meaning = {};
};

struct Output {
  OutputTree value;
  std::optional<unsigned> slot = {}; // the slot whose new value this is
  std::optional<std::vector<int64_t>> strides =
      {};                                   // of the slot's tensor, if not row-major; with offset
  std::optional<ValueSpec::Part> part = {}; // of a slot's memory: that slot is its number
  ArgumentPath mutates = {};                // of the argument that this replaces, if any
  bool isMemory = false;                    // it replaces all of the memory that this is a part of
  std::optional<int64_t> offset = {}; // the argument takes its sizes, and `strides`, from there on
  bool isOutgrown = false;            // its memory has no room for that
  std::optional<std::string> grad = {}; // what this is the gradient of
  std::optional<int64_t> residual = {}; // its number among what the backward pass needs
};

/// The backward function of a variant that was split.
struct Backward {
  /// Of each flat argument: the flat result whose gradient it is, or the number of a residual.
  struct Source {
    bool isSeed;
    int64_t number;
  };
  std::unique_ptr<runtime::Executor> executor;
  std::vector<Source> sources;
  std::vector<Output> outputs;
};

/// What a call keeps for its backward pass.
struct Kept {
  std::vector<runtime::Value> residuals;
  /// The flat results that the call returned, in order.
  std::vector<int64_t> returned;
  /// The sizes of all flat results, which types may leave open; empty for what is no tensor.
  std::vector<std::vector<int64_t>> sizes;
};

struct Variant;

/// Backward functions for the gradients of some results alone.
struct PartialBackwards {
  std::mutex mutex;
  /// By the flat results that have none; null where it cannot be compiled.
  std::map<std::vector<int64_t>, std::shared_ptr<Variant>> made;
};

struct Variant {
  PipelineOptions what; // it was compiled from
  std::unique_ptr<runtime::Executor> executor;
  std::vector<ArgumentSource> sources;
  std::vector<Output> outputs;
  std::optional<Backward> backward = {};
  std::shared_ptr<PartialBackwards> partial = std::make_shared<PartialBackwards>(); // where split
};

/// What the results of a specialised entry make up. `state` may be null where none are slots.
Result<void> readOutputs(mlir::func::FuncOp entry, const ModuleState *state,
                         std::vector<Output> &into);

/// Reads the attributes of a specialised entry.
Result<void> readSignature(mlir::func::FuncOp entry, const ModuleState &state, Variant &variant);

/// What the entry is given in a call, in order. The caller holds the state's lock.
Result<std::vector<runtime::Value>>
gatherInputs(const Variant &variant, std::span<const runtime::Value> args, ModuleState &state);

/// Runs a variant on a call's arguments: gives its result and gradients, and updates state and
/// mutated arguments. The caller holds the state's lock.
/// Of a variant that was split, `kept` gets what its backward pass needs.
Result<GradientResult> runVariant(Variant &variant, std::span<runtime::Value> args,
                                  ModuleState &state, Kept *kept = nullptr);

/// The same for the backward function of a split one.
Result<void> readBackward(mlir::func::FuncOp backward, Variant &variant);

/// The flat results that a call gave back as its value, in the order in which that holds them.
Result<std::vector<int64_t>> returnedLeaves(const Variant &variant,
                                            const std::vector<runtime::Value> &flat);

/// The flat results that `seeds` has no gradient of, and those that the call did not return.
std::vector<int64_t> absentSeeds(const Variant &variant, const Kept &kept,
                                 std::span<const runtime::Value> seeds);

/// Gives the gradients, for those of the results that the call returned.
Result<std::vector<NamedGradient>> runBackward(Variant &variant, const Kept &kept,
                                               std::span<const runtime::Value> seeds);

/// Which of the two values of an output of the kind Either a call gave.
const OutputTree &chosen(const OutputTree &either, const std::vector<runtime::Value> &flat);

} // namespace jit

#endif // JIT_LIB_SESSION_VARIANT_H

//===- Method.h - a function of the program, as calls see it ----*- C++ -*-===//
#ifndef JIT_LIB_SESSION_METHOD_H
#define JIT_LIB_SESSION_METHOD_H

#include "StateKinds.h"
#include "jit/Session/Session.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace jit {

/// Which gradients a variant gives: none; those of the sum of its outputs, at once; or those that
/// its backward function makes of the outputs' gradients.
enum class GradientMode : uint32_t { None, OfSum, Split };

/// What is compiled of a method for a call.
struct CallKind {
  GradientMode mode = GradientMode::None;
  /// Symbolic: one variant for all sizes but 0 and 1.
  runtime::SizePolicy sizes = runtime::SizePolicy::Static;
  /// Of these the sizes that may be any, and ints; null: all sizes, and no ints.
  const runtime::OpenParts *open = nullptr;
  /// Not to be served by a variant for other sizes.
  bool exact = false;
};

/// What calls need to know of a program: its slots, and its public functions without their bodies,
/// with attributes that say what these ask for. Notes on the program too whether strides matter.
mlir::OwningOpRef<mlir::ModuleOp> declareProgram(mlir::ModuleOp program);

/// What calls need to know of a public function. Read once, so that finding a call's variant
/// touches no MLIR: another variant may be compiled at the same time.
class Method {
public:
  /// `entry` is declared, by declareProgram; `number` tells the program's methods apart in keys.
  static Result<std::unique_ptr<Method>> create(mlir::func::FuncOp entry, uint32_t number,
                                                const ModuleState &state);

  const MethodInfo &info() const { return description; }
  /// Whether a call may have these arguments, as far as their kinds tell.
  bool takes(std::span<const runtime::Value> args) const;
  StateAccess stateAccess() const { return access; }
  /// Whether what a call does may depend on how its arguments lie in memory.
  bool dependsOnStrides() const { return asksStrides; }
  /// Whether it asks for strides by name, as `is_contiguous` does.
  bool asksForStrides() const { return asksItself; }
  /// Whether it may show what lies between the elements of its arguments.
  bool readsGaps() const { return asksPlaces; }
  /// The state that it takes, in order, behind its arguments.
  const std::vector<unsigned> &stateSlots() const { return slots; }

  /// The key of a call, of the state that it finds included. The caller holds the state's lock,
  /// here and below.
  Result<void> encode(std::span<const runtime::Value> args, CallKind kind, ModuleState &state,
                      runtime::CallKey &key);
  /// What the key that encode() has made says, which a variant is compiled from: all arguments,
  /// then the state.
  Result<CallSpec> specOf(const runtime::CallKey &key, ModuleState &state) const;

private:
  Method(MethodInfo description, uint32_t number, runtime::CallKeyEncoder encoder,
         runtime::CallKeyEncoder symbolic, std::vector<unsigned> slots)
      : description(std::move(description)), number(number), encoder(std::move(encoder)),
        symbolic(std::move(symbolic)), slots(slots), kinds(std::move(slots)) {}

  MethodInfo description;
  std::vector<runtime::ArgumentType> types;
  uint32_t number;
  runtime::CallKeyEncoder encoder, symbolic;
  std::vector<unsigned> slots;
  StateKinds kinds;
  StateAccess access = StateAccess::None;
  bool asksStrides = false, asksItself = false, asksPlaces = false;
};

} // namespace jit

#endif // JIT_LIB_SESSION_METHOD_H

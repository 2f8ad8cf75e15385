//===- ModuleState.h - the values of a program's slots ----------*- C++ -*-===//
#ifndef JIT_LIB_SESSION_MODULESTATE_H
#define JIT_LIB_SESSION_MODULESTATE_H

#include "jit/Archive/TorchScriptArchive.h"
#include "jit/Runtime/Value.h"
#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <optional>
#include <string>

namespace jit {

/// Slots by path: their initial values, read from the archive when first asked for, and what the
/// program's methods have made of them.
class ModuleState {
public:
  /// Lists the slots of `module` and opens the archive that it names, if any.
  static Result<ModuleState> create(mlir::ModuleOp module);

  /// The present value.
  Result<Value> get(const std::string &path);
  void set(const std::string &path, Value value) { present[path] = std::move(value); }
  void reset() { present.clear(); }

  /// The initial value of a slot that holds a tensor, contiguous. Shares the archive's memory where
  /// it can.
  Result<Tensor> weight(const std::string &path);

private:
  struct Initial {
    mlir::Type type;
    mlir::Attribute value;
  };

  Result<Value> read(const std::string &path, mlir::Attribute value, mlir::Type type);
  Result<Tensor> readTensor(const std::string &path, const Initial &initial);

  std::map<std::string, Initial> initials;
  std::map<std::string, Value> present;
  std::map<std::string, Tensor> tensors;
  std::optional<TorchScriptArchive> archive;
};

} // namespace jit

#endif // JIT_LIB_SESSION_MODULESTATE_H

//===- Recorded.h - values that PyTorch has recorded ------------*- C++ -*-===//
#ifndef JIT_DIFF_RECORDED_H
#define JIT_DIFF_RECORDED_H

#include "jit/Runtime/Tensor.h"

#include <map>
#include <string>

namespace jit {

/// What jit_mlir.recording wrote: arrays by "model.py:12 aten.mul#0", the line, the operator
/// without overload and which of its kind on the line it is, and by "result#0".
class RecordedValues {
public:
  /// A .npz file; or a .npy file, which is the first result.
  static Result<RecordedValues> open(const std::string &path);

  /// Null where it is not there.
  const runtime::Tensor *find(const std::string &name) const;
  /// How many are named `name`#0, #1 and so on.
  size_t count(const std::string &name) const;
  size_t size() const { return values.size(); }

private:
  std::map<std::string, runtime::Tensor> values;
};

} // namespace jit

#endif // JIT_DIFF_RECORDED_H

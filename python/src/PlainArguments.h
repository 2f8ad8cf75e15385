//===- PlainArguments.h - arguments without Python --------------*- C++ -*-===//
#ifndef JIT_PYTHON_PLAINARGUMENTS_H
#define JIT_PYTHON_PLAINARGUMENTS_H

#include "Exchange.h"

namespace jit_python {

/// A call's arguments where all are plain and one is a tensor, without memory asked for. Plain is
/// what programs take as it is: one of PyTorch's tensors (TorchExchange::read), a number or None.
class PlainArguments {
public:
  /// Whether they are; each tensor gets `flags`.
  bool read(nb::tuple given, const TorchExchange &torch, int32_t flags = 0);

  const jit_value *data() const { return values; }
  size_t size() const { return count; }

private:
  static constexpr size_t most = 32;
  size_t count = 0;
  jit_value values[most];
};

} // namespace jit_python

#endif // JIT_PYTHON_PLAINARGUMENTS_H

//===- Exchange.h - PyTorch's tensors without Python ------------*- C++ -*-===//
//
// DLPack's table of C functions (`__dlpack_c_exchange_api__`, version 1.3), which PyTorch has since
// 2.10: a tensor is looked at without an object made of it, and made without a capsule.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_PYTHON_EXCHANGE_H
#define JIT_PYTHON_EXCHANGE_H

#include "Values.h"

namespace jit_python {

struct ExchangeTable;

/// What is asked of PyTorch for each call of small programs.
class TorchExchange {
public:
  /// Null where PyTorch is not imported, or has no such table. Found once it is there.
  static const TorchExchange *find();

  /// Whether `value` is of PyTorch's own class, in the memory of the CPU, with elements as they lie
  /// and no gradient to ask for; `made` then points into it. False without a Python error.
  bool read(nb::handle value, jit_value &made) const;

  /// A tensor over the memory of one of a result's; `owner` is freed with it.
  nb::object give(const jit_tensor &tensor, void *owner, void (*free)(void *owner)) const;

private:
  TorchExchange(const ExchangeTable *table, PyObject *tensorType, PyObject *isNegative);
  static const TorchExchange *make();
  bool isPlain(nb::handle value) const;

  const ExchangeTable *table;
  PyObject *tensorType, *isNegative, *requiresGrad;
};

} // namespace jit_python

#endif // JIT_PYTHON_EXCHANGE_H

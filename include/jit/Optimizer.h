//===- Optimizer.h - how parameters are trained -----------------*- C++ -*-===//
//
// Shared by the session and the compiler, so it depends on nothing.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_OPTIMIZER_H
#define JIT_OPTIMIZER_H

#include <string>

namespace jit {

/// An optimizer and its numbers, with PyTorch's names, meanings and defaults.
struct OptimizerOptions {
  /// "sgd", "adam" or "adamw".
  std::string name = "sgd";
  /// The method that returns the loss.
  std::string method = "forward";
  double lr = 1e-3;
  double weightDecay = 0;                        ///< adamw: PyTorch's default is 0.01, set it
  double momentum = 0, dampening = 0;            ///< sgd
  bool nesterov = false;                         ///< sgd
  double beta1 = 0.9, beta2 = 0.999, eps = 1e-8; ///< adam, adamw
};

} // namespace jit

#endif // JIT_OPTIMIZER_H

// A few functions that call each other twice stand for more operations than any memory holds.
// RUN: not jit-opt %s --jit-inline-methods="max-growth=40" 2>&1 | FileCheck %s
// RUN: jit-opt %s --jit-inline-methods | FileCheck %s --check-prefix=GROWN

// CHECK: error: 'func.call' op expected at most 504 operations after inlining, got more
// GROWN-COUNT-512: aten.neg
func.func private @f0(%x: !jit.tensor) -> !jit.tensor {
  %0 = aten.neg %x : (!jit.tensor) -> !jit.tensor
  %1 = aten.neg %0 : (!jit.tensor) -> !jit.tensor
  %2 = aten.neg %1 : (!jit.tensor) -> !jit.tensor
  %3 = aten.neg %2 : (!jit.tensor) -> !jit.tensor
  return %3 : !jit.tensor
}
func.func private @f1(%x: !jit.tensor) -> !jit.tensor {
  %0 = call @f0(%x) : (!jit.tensor) -> !jit.tensor
  %1 = call @f0(%0) : (!jit.tensor) -> !jit.tensor
  %2 = call @f0(%1) : (!jit.tensor) -> !jit.tensor
  %3 = call @f0(%2) : (!jit.tensor) -> !jit.tensor
  return %3 : !jit.tensor
}
func.func private @f2(%x: !jit.tensor) -> !jit.tensor {
  %0 = call @f1(%x) : (!jit.tensor) -> !jit.tensor
  %1 = call @f1(%0) : (!jit.tensor) -> !jit.tensor
  %2 = call @f1(%1) : (!jit.tensor) -> !jit.tensor
  %3 = call @f1(%2) : (!jit.tensor) -> !jit.tensor
  return %3 : !jit.tensor
}
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %0 = call @f2(%x) : (!jit.tensor) -> !jit.tensor
  %1 = call @f2(%0) : (!jit.tensor) -> !jit.tensor
  %2 = call @f2(%1) : (!jit.tensor) -> !jit.tensor
  %3 = call @f2(%2) : (!jit.tensor) -> !jit.tensor
  %4 = call @f2(%3) : (!jit.tensor) -> !jit.tensor
  %5 = call @f2(%4) : (!jit.tensor) -> !jit.tensor
  %6 = call @f2(%5) : (!jit.tensor) -> !jit.tensor
  %7 = call @f2(%6) : (!jit.tensor) -> !jit.tensor
  return %7 : !jit.tensor
}

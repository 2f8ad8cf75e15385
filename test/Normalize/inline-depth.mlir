// Calls within calls have a limit.
// RUN: not jit-opt %s --jit-inline-methods="max-depth=2" 2>&1 | FileCheck %s

// CHECK: error: 'func.func' op expected calls nested at most 2 deep
func.func private @inner(%x: !jit.tensor) -> !jit.tensor {
  return %x : !jit.tensor
}
func.func private @outer(%x: !jit.tensor) -> !jit.tensor {
  %0 = call @inner(%x) : (!jit.tensor) -> !jit.tensor
  return %0 : !jit.tensor
}
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %0 = call @outer(%x) : (!jit.tensor) -> !jit.tensor
  return %0 : !jit.tensor
}

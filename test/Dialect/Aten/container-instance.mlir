// RUN: jit-opt %s --jit-specialize="args=3,f32[2]" | FileCheck %s --check-prefix=INT
// RUN: jit-opt %s --jit-specialize="args=f32[2],f32[2]" | FileCheck %s --check-prefix=TENSOR

// Settled once the type is known.
// INT: aten.relu
// TENSOR: aten.tanh
func.func @forward(%y: !jit.any, %x: !jit.tensor) -> !jit.tensor {
  %is = aten.isinstance %y {types = [i64, f64]} : (!jit.any) -> i1
  %r = scf.if %is -> !jit.tensor {
    %a = aten.relu %x : (!jit.tensor) -> !jit.tensor
    scf.yield %a : !jit.tensor
  } else {
    %b = aten.tanh %x : (!jit.tensor) -> !jit.tensor
    scf.yield %b : !jit.tensor
  }
  return %r : !jit.tensor
}

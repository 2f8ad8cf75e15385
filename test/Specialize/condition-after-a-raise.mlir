// RUN: jit-opt %s --jit-specialize="args=f32[2]" --canonicalize | FileCheck %s

// After a way that raises the condition is that of the other way: nothing is left of what the calls that ended would have come to.
// CHECK-LABEL: func.func @forward(
// CHECK: scf.if
// CHECK: jit.guard %false, "builtins.RuntimeError", "expected sizes of 2 elements, got sizes of 4"
// CHECK-NOT: scf.if
// CHECK: return %arg0
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %one = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %none = jit.constant !jit.none = unit
  %poison = jit.poison : !jit.tensor
  %s = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %c = aten.Bool.Tensor %s : (!jit.tensor) -> i1
  %0:2 = scf.if %c -> (!jit.tensor, !jit.tensor) {
    scf.yield %x, %poison : !jit.tensor, !jit.tensor
  } else {
    %sizes = jit.list %four, %one : (i64, i64) -> !jit.list<i64>
    %y = aten.reshape %x, %sizes : (!jit.tensor, !jit.list<i64>) -> !jit.tensor
    scf.yield %poison, %y : !jit.tensor, !jit.tensor
  }
  %1 = scf.if %c -> !jit.tensor {
    scf.yield %0#0 : !jit.tensor
  } else {
    %t = aten.t %0#1 : (!jit.tensor) -> !jit.tensor
    scf.yield %t : !jit.tensor
  }
  return %1 : !jit.tensor
}

// RUN: jit-opt %s --jit-specialize="args=f32[2,3],f32[4]" --canonicalize | FileCheck %s

// Operands that do not go together, where data tell whether they meet: an exception of the calls in which they do.
// CHECK-LABEL: func.func @forward
// CHECK-SAME: %[[X:[^:]*]]: 
// CHECK: scf.if
// CHECK-NOT: aten.add
// CHECK: jit.guard %false, "builtins.RuntimeError", "expected operands that broadcast, got sizes 3 and 4 at dimension -1"
// CHECK: return %[[X]]
func.func @forward(%x: !jit.tensor, %y: !jit.tensor) -> !jit.tensor {
  %one = arith.constant 1 : i64
  %none = jit.constant !jit.none = unit
  %sum = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %c = aten.Bool.Tensor %sum : (!jit.tensor) -> i1
  %z = scf.if %c -> !jit.tensor {
    %both = aten.add.Tensor %x, %y, %one : (!jit.tensor, !jit.tensor, i64) -> !jit.tensor
    scf.yield %both : !jit.tensor
  } else {
    scf.yield %x : !jit.tensor
  }
  return %z : !jit.tensor
}

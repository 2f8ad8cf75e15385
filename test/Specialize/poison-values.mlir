// RUN: jit-opt %s --jit-specialize="args=f32[4],?bool,?int" --canonicalize | FileCheck %s

// A value that one branch leaves undefined has the type that the other gives it; one that is undefined
// before a loop has the type that a trip gives it.
// CHECK-LABEL: func.func @forward
// CHECK: jit.poison : !jit.tensor<[4],f32>
// CHECK-NOT: !jit.tensor,
// CHECK: scf.for {{.*}} -> (!jit.tensor<[4],f32>)
// CHECK-NOT: !jit.tensor,
// CHECK: scf.while {{.*}} : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>)
// CHECK: return {{.*}} : !jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],f32>
func.func @forward(%x: !jit.tensor, %flag: i1, %n: i64) -> (!jit.tensor, !jit.tensor, !jit.tensor) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %none = jit.constant !jit.none = unit
  %nothing = jit.poison : !jit.tensor
  %y = aten.relu %x : (!jit.tensor) -> !jit.tensor
  %a = scf.if %flag -> !jit.tensor {
    scf.yield %y : !jit.tensor
  } else {
    scf.yield %nothing : !jit.tensor
  }
  %b = scf.for %i = %zero to %n step %one iter_args(%kept = %nothing) -> (!jit.tensor) : i64 {
    %next = scf.if %flag -> !jit.tensor {
      scf.yield %y : !jit.tensor
    } else {
      scf.yield %kept : !jit.tensor
    }
    scf.yield %next : !jit.tensor
  }
  %c:2 = scf.while (%kept = %nothing, %v = %x) : (!jit.tensor, !jit.tensor) -> (!jit.tensor, !jit.tensor) {
    %s = aten.sum %v, %none : (!jit.tensor, !jit.none) -> !jit.tensor
    %big = aten.Bool.Tensor %s : (!jit.tensor) -> i1
    scf.condition(%big) %kept, %v : !jit.tensor, !jit.tensor
  } do {
  ^bb0(%kept: !jit.tensor, %v: !jit.tensor):
    %w = aten.tanh %v : (!jit.tensor) -> !jit.tensor
    %next = scf.if %flag -> !jit.tensor {
      scf.yield %w : !jit.tensor
    } else {
      scf.yield %kept : !jit.tensor
    }
    scf.yield %next, %w : !jit.tensor, !jit.tensor
  }
  return %a, %b, %c#0 : !jit.tensor, !jit.tensor, !jit.tensor
}

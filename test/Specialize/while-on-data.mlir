// RUN: jit-opt %s --jit-specialize="args=f32[4],3" --canonicalize | FileCheck %s

// A loop whose condition is known is run out; one that depends on data stays a loop, with the types
// that it starts with.
// CHECK-LABEL: func.func @forward
// CHECK-COUNT-3: aten.relu
// CHECK-NOT: aten.relu
// CHECK: scf.while (%{{.*}} = %{{.*}}) : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
// CHECK:   scf.condition
// CHECK:   aten.tanh {{.*}} -> !jit.tensor<[4],f32>
func.func @forward(%x: !jit.tensor, %n: i64) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %none = jit.constant !jit.none = unit
  %a:2 = scf.while (%i = %zero, %v = %x) : (i64, !jit.tensor) -> (i64, !jit.tensor) {
    %more = arith.cmpi slt, %i, %n : i64
    scf.condition(%more) %i, %v : i64, !jit.tensor
  } do {
  ^bb0(%i: i64, %v: !jit.tensor):
    %next = aten.relu %v : (!jit.tensor) -> !jit.tensor
    %j = arith.addi %i, %one : i64
    scf.yield %j, %next : i64, !jit.tensor
  }
  %b = scf.while (%v = %a#1) : (!jit.tensor) -> !jit.tensor {
    %s = aten.sum %v, %none : (!jit.tensor, !jit.none) -> !jit.tensor
    %big = aten.Bool.Tensor %s : (!jit.tensor) -> i1
    scf.condition(%big) %v : !jit.tensor
  } do {
  ^bb0(%v: !jit.tensor):
    %next = aten.tanh %v : (!jit.tensor) -> !jit.tensor
    scf.yield %next : !jit.tensor
  }
  return %b : !jit.tensor
}

// RUN: jit-opt %s --jit-specialize="args=f32[2,3],?int" --split-input-file | FileCheck %s

// Trips that change sizes in place are taken out of a loop that data end, until none is left.
// CHECK-LABEL: func.func @forward(
// CHECK: %[[C:.*]] = arith.cmpf une
// CHECK: scf.if %[[C]]
// CHECK: %[[U:.*]] = aten.unsqueeze %{{.*}} -> !jit.tensor<[1,2,3],f32>
// CHECK: %[[D:.*]] = arith.cmpf une
// CHECK: scf.if %[[D]]
// CHECK: aten.unsqueeze %[[U]], {{.*}} -> !jit.tensor<[1,1,2,3],f32>
// CHECK-NOT: scf.while
// CHECK: return
func.func @forward(%x: !jit.tensor, %n: i64) -> !jit.tensor {
  %none = jit.constant !jit.none = unit
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %t = aten.relu %x : (!jit.tensor) -> !jit.tensor
  %r = scf.while (%k = %zero) : (i64) -> i64 {
    %less = arith.cmpi slt, %k, %two : i64
    %c = scf.if %less -> i1 {
      %s = aten.sum %t, %none : (!jit.tensor, !jit.none) -> !jit.tensor
      %b = aten.Bool.Tensor %s : (!jit.tensor) -> i1
      scf.yield %b : i1
    } else {
      scf.yield %false : i1
    }
    scf.condition(%c) %k : i64
  } do {
  ^bb0(%k: i64):
    %u = aten.unsqueeze %t, %zero : (!jit.tensor, i64) -> !jit.tensor
    %b = jit.become %t, %u : (!jit.tensor, !jit.tensor) -> !jit.tensor
    %next = arith.addi %k, %one : i64
    scf.yield %next : i64
  }
  return %t : !jit.tensor
}

// -----

// So are some of a loop that has no end yet; calls that get to more end there.
// CHECK-LABEL: func.func @forward(
// CHECK: scf.if
// CHECK: aten.t
// CHECK: scf.if
// CHECK: aten.t
// CHECK: jit.guard %false{{.*}} "jit.Unsupported", "expected a tensor that is known where its sizes change in place"
// CHECK: return
func.func @forward(%x: !jit.tensor, %n: i64) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %t = aten.relu %x : (!jit.tensor) -> !jit.tensor
  scf.for %i = %zero to %n step %one : i64 {
    %u = aten.t %t : (!jit.tensor) -> !jit.tensor
    %b = jit.become %t, %u : (!jit.tensor, !jit.tensor) -> !jit.tensor
  }
  return %t : !jit.tensor
}

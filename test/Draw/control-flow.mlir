// RUN: jit-translate --emit=svg %s | FileCheck %s

// A branch's sides have names; a loop says how many trips it takes and what it carries.
// CHECK-LABEL: >branch</text>
//       CHECK: >then</text>
//       CHECK: >else</text>
//       CHECK: >if</text>
//       CHECK: >tanh</text>
//       CHECK: >exp</text>
func.func @branch(%x: !jit.tensor<[4],f32>, %p: i1) -> !jit.tensor<[4],f32> {
  %0 = scf.if %p -> (!jit.tensor<[4],f32>) {
    %1 = aten.tanh %x : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    scf.yield %1 : !jit.tensor<[4],f32>
  } else {
    %1 = aten.exp %x : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    scf.yield %1 : !jit.tensor<[4],f32>
  }
  return %0 : !jit.tensor<[4],f32>
}

// CHECK-LABEL: >loop</text>
//       CHECK: >carried</text>
//       CHECK: >for, 5 trips</text>
//       CHECK: >exp</text>
func.func @loop(%x: !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c5 = arith.constant 5 : i64
  %0 = scf.for %i = %c0 to %c5 step %c1 iter_args(%y = %x) -> (!jit.tensor<[4],f32>) : i64 {
    %1 = aten.exp %y : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    scf.yield %1 : !jit.tensor<[4],f32>
  }
  return %0 : !jit.tensor<[4],f32>
}

// CHECK-LABEL: >while</text>
//       CHECK: >condition</text>
//       CHECK: >body</text>
func.func @while(%n: i64, %more: i1) -> i64 {
  %0 = scf.while (%i = %n) : (i64) -> i64 {
    scf.condition(%more) %i : i64
  } do {
  ^bb0(%i: i64):
    %1 = arith.addi %i, %i : i64
    scf.yield %1 : i64
  }
  return %0 : i64
}

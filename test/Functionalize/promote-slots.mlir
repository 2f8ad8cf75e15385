// RUN: jit-opt %s --jit-promote-slots --canonicalize | FileCheck %s

// CHECK: jit.slot @state
jit.slot @state : !jit.tensor<[0],f32> = #jit.storage<"data/1", 0, [1]> {jit.mutable}
jit.slot @count : i64 = 0 : i64 {jit.mutable}
jit.slot @w : !jit.tensor<[2],f32> = #jit.storage<"data/0", 0, [1]>

// What is assigned on one way only is a result of the branch.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %[[C:[a-z0-9]+]]: i1, %[[X:[a-z0-9]+]]: !jit.tensor, %[[S:[a-z0-9]+]]: !jit.tensor {jit.slot = "state"}, %[[N:[a-z0-9]+]]: i64 {jit.slot = "count"})
// CHECK-SAME: -> (!jit.tensor, !jit.tensor {jit.slot = "state"})
func.func @forward(%c: i1, %x: !jit.tensor) -> !jit.tensor {
  // CHECK: %[[W:.*]] = jit.slot_get @w
  %w = jit.slot_get @w : !jit.tensor<[2],f32>
  // CHECK: %[[IF:.*]] = scf.if %[[C]] -> (!jit.tensor)
  scf.if %c {
    // CHECK: %[[OLD:.*]] = aten.mul.Tensor %[[S]], %[[W]]
    %old = jit.slot_get @state : !jit.tensor
    %new = aten.mul.Tensor %old, %w : (!jit.tensor, !jit.tensor<[2],f32>) -> !jit.tensor
    jit.slot_set @state = %new : !jit.tensor
    // CHECK: scf.yield %[[OLD]]
    // CHECK: scf.yield %[[S]]
  }
  // CHECK: %[[Y:.*]] = aten.add.Tensor %[[X]], %[[IF]], %[[N]]
  %n = jit.slot_get @count : i64
  %s = jit.slot_get @state : !jit.tensor
  %y = aten.add.Tensor %x, %s, %n : (!jit.tensor, !jit.tensor, i64) -> !jit.tensor
  // CHECK: return %[[Y]], %[[IF]]
  return %y : !jit.tensor
}

// CHECK-LABEL: func.func @loop(
// CHECK-SAME: %[[M:[a-z0-9]+]]: i64, %[[N:[a-z0-9]+]]: i64 {jit.slot = "count"}) -> (i64 {jit.slot = "count"})
func.func @loop(%m: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  // CHECK: %[[FOR:.*]] = scf.for {{.*}} iter_args(%[[K:.*]] = %[[N]]) -> (i64)
  scf.for %i = %zero to %m step %one : i64 {
    // CHECK: %[[W:.*]] = scf.while (%[[A:.*]] = %[[K]]) : (i64) -> i64
    scf.while : () -> () {
      // CHECK: arith.cmpi slt, %[[A]]
      // CHECK: scf.condition(%{{.*}}) %[[A]]
      %n = jit.slot_get @count : i64
      %less = arith.cmpi slt, %n, %m : i64
      scf.condition(%less)
    } do {
      // CHECK: ^bb0(%[[B:.*]]: i64):
      // CHECK: %[[SUM:.*]] = arith.addi %[[B]]
      // CHECK: scf.yield %[[SUM]]
      %n = jit.slot_get @count : i64
      %k = arith.addi %n, %one : i64
      jit.slot_set @count = %k : i64
      scf.yield
    }
    // CHECK: scf.yield %[[W]]
  }
  // CHECK: return %[[FOR]]
  return
}

// RUN: jit-opt %s --jit-promote --jit-functionalize --verify-each | FileCheck %s

jit.slot @buffer : !jit.tensor<[2,2],f32> = #jit.storage<"data/0", 0, [2, 1]> {jit.mutable}

// State that is written in place, through a view, is handed back; the list that grows is carried.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !jit.tensor<[2,2],f32>, %[[N:[a-z0-9]+]]: i64, %[[B:[a-z0-9]+]]: !jit.tensor {jit.slot = "buffer"})
// CHECK-SAME: -> (!jit.list<!jit.tensor>, !jit.tensor {jit.slot = "buffer"})
func.func @forward(%x: !jit.tensor<[2,2],f32>, %n: i64) -> !jit.list<!jit.tensor> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  // CHECK: %[[L:.*]] = jit.list :
  %l = jit.list : () -> !jit.list<!jit.tensor>
  // CHECK: %[[FOR:.*]]:2 = scf.for {{.*}} iter_args(%[[LI:.*]] = %[[L]], %[[BI:.*]] = %[[B]])
  scf.for %i = %zero to %n step %one : i64 {
    // CHECK: %[[T:.*]] = aten.transpose.int %[[BI]]
    // CHECK: %[[S:.*]] = aten.add.Tensor %[[T]], %[[X]]
    // CHECK: %[[C:.*]] = aten.copy %[[T]], %[[S]]
    // CHECK: %[[NEW:.*]] = aten.transpose.int %[[C]]
    %b = jit.slot_get @buffer : !jit.tensor
    %t = aten.transpose.int %b, %zero, %one : (!jit.tensor, i64, i64) -> !jit.tensor
    %s = aten.add.Tensor %t, %x, %one : (!jit.tensor, !jit.tensor<[2,2],f32>, i64) -> !jit.tensor
    %w = jit.overwrite %t, %s : (!jit.tensor, !jit.tensor) -> !jit.tensor
    // CHECK: %[[Y:.*]] = aten.relu %[[NEW]]
    // CHECK: %[[M:.*]] = jit.list_append %[[LI]], %[[Y]]
    %y = aten.relu %b : (!jit.tensor) -> !jit.tensor
    jit.append %l, %y : !jit.list<!jit.tensor>, !jit.tensor
    // CHECK: scf.yield %[[M]], %[[NEW]]
  }
  // CHECK: return %[[FOR]]#0, %[[FOR]]#1
  return %l : !jit.list<!jit.tensor>
}

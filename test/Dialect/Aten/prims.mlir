// A prim is the operator that we have for it.
// RUN: jit-opt %s --jit-decompose | FileCheck %s

// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %[[X:.*]]: !jit.tensor<[2,3],f32>, %[[Y:.*]]: !jit.tensor<[2,3],f32>
// CHECK: %[[SUM:.*]] = aten.add.Tensor %[[X]], %[[Y]]
// CHECK: %[[ROWS:.*]] = aten.view %[[SUM]], {{.*}} -> !jit.tensor<[2,1,3],f32>
// CHECK: aten.expand %[[ROWS]], {{.*}} -> !jit.tensor<[2,4,3],f32>
func.func @forward(%x: !jit.tensor<[2,3],f32>, %y: !jit.tensor<[2,3],f32>) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %four = arith.constant 4 : i64
  %shape = jit.list %two, %four, %three : (i64, i64, i64) -> !jit.list<i64>
  %dims = jit.list %zero, %two : (i64, i64) -> !jit.list<i64>
  %0 = aten.prims_add %x, %y : (!jit.tensor<[2,3],f32>, !jit.tensor<[2,3],f32>) -> !jit.tensor<[2,3],f32>
  %1 = aten.prims_broadcast_in_dim %0, %shape, %dims : (!jit.tensor<[2,3],f32>, !jit.list<i64>, !jit.list<i64>) -> !jit.tensor
  return %1 : !jit.tensor
}

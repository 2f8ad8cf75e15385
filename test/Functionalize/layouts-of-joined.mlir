// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize | FileCheck %s

!l = !jit.list<i64>

// Images whose channels come last are joined to such; other strides give rows.
// CHECK-LABEL: func.func @joined
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK-DAG: %[[ROWS:.*]] = arith.constant 20 : i64
// CHECK-DAG: %[[SPLIT:.*]] = arith.constant 30 : i64
// CHECK: return %[[ONE]], %[[ROWS]], %[[SPLIT]]
func.func @joined(%x: !jit.tensor<[2,4,5,3],f32>, %y: !jit.tensor<[2,3,5,4],f32>) -> (i64, i64, i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %order = jit.list %zero, %three, %one, %two : (i64, i64, i64, i64) -> !l
  %images = aten.permute %x, %order : (!jit.tensor<[2,4,5,3],f32>, !l) -> !jit.tensor<[2,3,4,5],f32>
  %a = jit.list %images, %images : (!jit.tensor<[2,3,4,5],f32>, !jit.tensor<[2,3,4,5],f32>) -> !jit.list<!jit.tensor<[2,3,4,5],f32>>
  %last = aten.cat %a, %zero : (!jit.list<!jit.tensor<[2,3,4,5],f32>>, i64) -> !jit.tensor<[4,3,4,5],f32>
  %s = aten.stride.int %last, %one : (!jit.tensor<[4,3,4,5],f32>, i64) -> i64
  %turned = aten.transpose.int %y, %two, %three : (!jit.tensor<[2,3,5,4],f32>, i64, i64) -> !jit.tensor<[2,3,4,5],f32>
  %b = jit.list %images, %turned : (!jit.tensor<[2,3,4,5],f32>, !jit.tensor<[2,3,4,5],f32>) -> !jit.list<!jit.tensor<[2,3,4,5],f32>>
  %rows = aten.cat %b, %zero : (!jit.list<!jit.tensor<[2,3,4,5],f32>>, i64) -> !jit.tensor<[4,3,4,5],f32>
  %r = aten.stride.int %rows, %one : (!jit.tensor<[4,3,4,5],f32>, i64) -> i64
  %stacked = aten.stack %a, %three : (!jit.list<!jit.tensor<[2,3,4,5],f32>>, i64) -> !jit.tensor<[2,3,4,2,5],f32>
  %t = aten.stride.int %stacked, %two : (!jit.tensor<[2,3,4,2,5],f32>, i64) -> i64
  return %s, %r, %t : i64, i64, i64
}

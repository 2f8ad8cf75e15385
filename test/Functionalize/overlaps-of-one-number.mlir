// RUN: jit-opt %s --jit-functionalize-tensors | FileCheck %s

// Where one element is copied to places that are named twice the order of the writes does not matter.
// CHECK-LABEL: func.func @copied
// CHECK: aten.scatter.src
func.func @copied(%x: !jit.tensor<[8],f32>, %v: !jit.tensor<[1],f32>) -> !jit.tensor<[8],f32> {
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %y = aten.relu %x : (!jit.tensor<[8],f32>) -> !jit.tensor<[8],f32>
  %size = jit.list %two, %three : (i64, i64) -> !jit.list<i64>
  %steps = jit.list %two, %one : (i64, i64) -> !jit.list<i64>
  %a = aten.as_strided %y, %size, %steps, %zero : (!jit.tensor<[8],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[2,3],f32>
  %c = aten.copy %a, %v, %false : (!jit.tensor<[2,3],f32>, !jit.tensor<[1],f32>, i1) -> !jit.tensor<[2,3],f32>
  %w = jit.overwrite %a, %c : (!jit.tensor<[2,3],f32>, !jit.tensor<[2,3],f32>) -> !jit.tensor<[2,3],f32>
  return %y : !jit.tensor<[8],f32>
}

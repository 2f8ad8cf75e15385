// RUN: jit-opt %s --jit-functionalize-tensors --cse | FileCheck %s

// A view of open sizes that no name stands for is there whatever data say: it is not taken again behind what comes between, as
// one would be that may not exist.
// CHECK-LABEL: func.func @row
// CHECK: %[[ROW:.*]] = aten.select.int %[[Y:.*]], %c0_i64, %c0_i64
// CHECK: aten.t
// CHECK: aten.copy %[[ROW]], %[[ROW]]
func.func @row(%x: !jit.tensor<[?,?],f32>) -> (!jit.tensor<[?],f32>, !jit.tensor<[?,?],f32>) {
  %zero = arith.constant 0 : i64
  %y = aten.relu %x : (!jit.tensor<[?,?],f32>) -> !jit.tensor<[?,?],f32>
  %row = aten.select.int %y, %zero, %zero : (!jit.tensor<[?,?],f32>, i64, i64) -> !jit.tensor<[?],f32>
  %t = aten.t %x : (!jit.tensor<[?,?],f32>) -> !jit.tensor<[?,?],f32>
  %w = jit.overwrite %row, %row : (!jit.tensor<[?],f32>, !jit.tensor<[?],f32>) -> !jit.tensor<[?],f32>
  return %row, %t : !jit.tensor<[?],f32>, !jit.tensor<[?,?],f32>
}

// A part without elements is a new tensor, and a write of it is none: in a dimension of size 0 there is no place where it begins.
// RUN: jit-opt %s --jit-lower | FileCheck %s

// CHECK-LABEL: func.func @taken
// CHECK-NOT: tensor.extract_slice
// CHECK: tensor.empty
// CHECK-NOT: tensor.extract_slice
func.func @taken(%x: !jit.tensor<[?,?,0],f32>) -> (!jit.tensor<[?,0],f32>, !jit.tensor<[1,?,0],f32>) attributes {jit.symbolic} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %row = aten.select.int %x, %zero, %zero : (!jit.tensor<[?,?,0],f32>, i64, i64) -> !jit.tensor<[?,0],f32>
  %first = aten.slice.Tensor %x, %zero, %zero, %one, %one : (!jit.tensor<[?,?,0],f32>, i64, i64, i64, i64) -> !jit.tensor<[1,?,0],f32>
  return %row, %first : !jit.tensor<[?,0],f32>, !jit.tensor<[1,?,0],f32>
}

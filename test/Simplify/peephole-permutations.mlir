// RUN: jit-opt %s --jit-peephole | FileCheck %s

// A view is a permutation by what it does to strides, whatever it is called.
// CHECK-LABEL: func.func @there_and_back
//       CHECK: return %arg0
func.func @there_and_back(%x: !jit.tensor<[2,3],f32>) -> !jit.tensor<[2,3],f32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %0 = aten.movedim.int %x, %zero, %one : (!jit.tensor<[2,3],f32>, i64, i64) -> !jit.tensor<[3,2],f32>
  %1 = aten.numpy_T %0 : (!jit.tensor<[3,2],f32>) -> !jit.tensor<[2,3],f32>
  return %1 : !jit.tensor<[2,3],f32>
}

// A slice is not, though its strides are those of the whole.
// CHECK-LABEL: func.func @sliced
//       CHECK: aten.slice.Tensor
//       CHECK: aten.t
func.func @sliced(%x: !jit.tensor<[4,3],f32>) -> !jit.tensor<[3,2],f32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %0 = aten.slice.Tensor %x, %zero, %zero, %two, %one : (!jit.tensor<[4,3],f32>, i64, i64, i64, i64) -> !jit.tensor<[2,3],f32>
  %1 = aten.t %0 : (!jit.tensor<[2,3],f32>) -> !jit.tensor<[3,2],f32>
  return %1 : !jit.tensor<[3,2],f32>
}

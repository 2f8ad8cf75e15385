// RUN: jit-opt %s --jit-functionalize-tensors | FileCheck %s

// Elements of a memory that is full are where the program counts them: their places are not listed.
// CHECK: aten.as_strided %arg0, %{{.*}}, %{{.*}}, %{{.*}} {jit.of_memory} :
func.func @corner(%x: !jit.tensor<[5,3],f32>) -> !jit.tensor<[1],f32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %sizes = jit.list %one : (i64) -> !jit.list<i64>
  %strides = jit.list %three : (i64) -> !jit.list<i64>
  %0 = aten.as_strided %x, %sizes, %strides, %zero : (!jit.tensor<[5,3],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[1],f32>
  return %0 : !jit.tensor<[1],f32>
}

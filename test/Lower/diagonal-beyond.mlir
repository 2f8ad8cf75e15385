// RUN: jit-opt %s --jit-infer-types --jit-lower --canonicalize | FileCheck %s

// One known side that a diagonal does not reach says that it has no elements.
// CHECK-LABEL: func.func @forward
// CHECK-SAME: -> tensor<0xf32>
// CHECK-NOT: extract_slice
func.func @forward(%x: !jit.tensor<[?,1],f32>) -> !jit.tensor<[0],f32> attributes {jit.symbolic} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %d = aten.diagonal %x, %one, %zero, %one : (!jit.tensor<[?,1],f32>, i64, i64, i64) -> !jit.tensor<[0],f32>
  return %d : !jit.tensor<[0],f32>
}

// Nor does a slice begin behind the last row of a tensor whose other sizes data tell.
// CHECK-LABEL: func.func @beyond_the_only_row
// CHECK-NOT: extract_slice
// CHECK: tensor.empty(%{{.*}}) : tensor<?x0xf32>
func.func @beyond_the_only_row(%x: !jit.tensor<[1,1,?],f32>) -> !jit.tensor<[?,0],f32> attributes {jit.symbolic} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %d = aten.diagonal %x, %one, %zero, %one : (!jit.tensor<[1,1,?],f32>, i64, i64, i64) -> !jit.tensor<[?,0],f32>
  return %d : !jit.tensor<[?,0],f32>
}

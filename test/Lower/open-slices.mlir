// RUN: jit-opt %s --jit-lower --canonicalize | FileCheck %s

// Bounds of a slice of an open size are counted as Python counts them, when the function runs.
// CHECK-LABEL: func.func @slice
// CHECK: %[[N:.*]] = tensor.dim
// CHECK: arith.maxsi
// CHECK: arith.minsi
// CHECK: tensor.extract_slice %{{.*}}[%{{.*}}] [%{{.*}}] [2] : tensor<?xf32> to tensor<?xf32>
func.func @slice(%x: !jit.tensor<[?],f32>) -> !jit.tensor<[?],f32> attributes {jit.symbolic} {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %start = arith.constant -3 : i64
  %end = arith.constant 5 : i64
  %y = aten.slice.Tensor %x, %zero, %start, %end, %two : (!jit.tensor<[?],f32>, i64, i64, i64, i64) -> !jit.tensor<[?],f32>
  return %y : !jit.tensor<[?],f32>
}

// An index into an open size is checked.
// CHECK-LABEL: func.func @select
// CHECK: jit.guard %{{.*}}, "builtins.IndexError", "index {} is out of range for a dimension of size {}"
// CHECK: tensor.extract_slice
func.func @select(%x: !jit.tensor<[?,2],f32>) -> !jit.tensor<[2],f32> attributes {jit.symbolic} {
  %zero = arith.constant 0 : i64
  %last = arith.constant -1 : i64
  %y = aten.select.int %x, %zero, %last : (!jit.tensor<[?,2],f32>, i64, i64) -> !jit.tensor<[2],f32>
  return %y : !jit.tensor<[2],f32>
}

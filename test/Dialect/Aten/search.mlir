// RUN: jit-opt %s --jit-decompose | FileCheck %s

// Of three elements two are looked at, each half of what is left.
// CHECK-LABEL: func.func @bucketize(
// CHECK-COUNT-2: aten.ge.Tensor
//     CHECK-NOT: aten.ge.Tensor
func.func @bucketize(%x: !jit.tensor<[4],f32>, %edges: !jit.tensor<[3],f32>) -> !jit.tensor {
  %no = arith.constant false
  %r = aten.bucketize.Tensor %x, %edges, %no, %no : (!jit.tensor<[4],f32>, !jit.tensor<[3],f32>, i1, i1) -> !jit.tensor
  return %r : !jit.tensor
}

// The pairs are known before any element is.
// CHECK-LABEL: func.func @combinations(
//       CHECK: jit.list %c0_i64, %c1_i64, %c0_i64, %c2_i64, %c1_i64, %c2_i64
//       CHECK: aten.index.Tensor
func.func @combinations(%x: !jit.tensor<[3],f32>) -> !jit.tensor {
  %two = arith.constant 2 : i64
  %no = arith.constant false
  %r = aten.combinations %x, %two, %no : (!jit.tensor<[3],f32>, i64, i1) -> !jit.tensor
  return %r : !jit.tensor
}

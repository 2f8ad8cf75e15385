// RUN: jit-opt %s --jit-infer-types --jit-expand-sparse --split-input-file --verify-diagnostics | FileCheck %s

// Rows of the other factor by the elements' columns, times these, added to the rows of the result.
// CHECK-LABEL: func.func @product(
//       CHECK: jit.guard {{.*}}"expected numbers from {} to {}"
//       CHECK: %[[TAKEN:.*]] = aten.index_select %arg2
//       CHECK: %[[TERMS:.*]] = aten.mul.Tensor %[[TAKEN]]
//       CHECK: %[[SUM:.*]] = aten.index_put %{{.*}}, %{{.*}}, %[[TERMS]], %true{{.*}} -> !jit.tensor<[3,2],f32>
//   CHECK-NOT: sparse_coo_tensor
//       CHECK: return %[[SUM]]
func.func @product(%i: !jit.tensor<[2,5],i64>, %v: !jit.tensor<[5],f32>, %x: !jit.tensor<[4,2],f32>) -> !jit.tensor {
  %none = jit.constant !jit.none = unit
  %three = arith.constant 3 : i64
  %four = arith.constant 4 : i64
  %size = jit.list %three, %four : (i64, i64) -> !jit.list<i64>
  %a = aten.sparse_coo_tensor.indices_size %i, %v, %size, %none, %none, %none, %none, %none
      : (!jit.tensor<[2,5],i64>, !jit.tensor<[5],f32>, !jit.list<i64>, !jit.none, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor
  %y = aten.mm %a, %x : (!jit.tensor, !jit.tensor<[4,2],f32>) -> !jit.tensor
  return %y : !jit.tensor
}

// -----

// Nothing else may be done to one.
func.func @other(%i: !jit.tensor<[2,5],i64>, %v: !jit.tensor<[5],f32>) -> !jit.tensor {
  %none = jit.constant !jit.none = unit
  %three = arith.constant 3 : i64
  %size = jit.list %three, %three : (i64, i64) -> !jit.list<i64>
  %a = aten.sparse_coo_tensor.indices_size %i, %v, %size, %none, %none, %none, %none, %none
      : (!jit.tensor<[2,5],i64>, !jit.tensor<[5],f32>, !jit.list<i64>, !jit.none, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor
  // expected-error @+1 {{expected a sparse matrix to be in matrix products or to_dense alone, got one in aten.relu}}
  %y = aten.relu %a : (!jit.tensor) -> !jit.tensor
  return %y : !jit.tensor
}

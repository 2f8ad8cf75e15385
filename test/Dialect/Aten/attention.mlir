// RUN: jit-opt %s --split-input-file --jit-decompose --canonicalize | FileCheck %s

!q = !jit.tensor<[1,4,3,8],f32>
!k = !jit.tensor<[1,2,5,8],f32>

// Each head of keys serves two of queries; no query sees the keys after it.
// CHECK-LABEL: func.func @grouped
// CHECK-SAME: (%[[Q:.*]]: !jit.tensor<[1,4,3,8],f32>, %[[K:.*]]: !jit.tensor<[1,2,5,8],f32>
// CHECK-DAG: aten.le.Tensor {{.*}} -> !jit.tensor<[3,5],i1>
// CHECK-DAG: aten.where.ScalarOther {{.*}} -> !jit.tensor<[1,4,3,5],f32>
// CHECK: return %{{.*}} : !jit.tensor<[1,4,3,8],f32>
func.func @grouped(%q: !q, %k: !k) -> !q {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %zero = arith.constant 0.0 : f64
  %r = aten.scaled_dot_product_attention %q, %k, %k, %none, %zero, %true, %none, %true
      : (!q, !k, !k, !jit.none, f64, i1, !jit.none, i1) -> !q
  return %r : !q
}

// -----

!q = !jit.tensor<[1,4,3,8],f32>

// A query that a mask leaves no key gives zeros.
// CHECK-LABEL: func.func @masked
// CHECK: aten._largest
// CHECK: aten.eq.Scalar
// CHECK: aten.where.ScalarSelf
func.func @masked(%q: !q, %mask: !jit.tensor<[3,3],i1>) -> !q {
  %none = jit.constant !jit.none = unit
  %false = arith.constant false
  %zero = arith.constant 0.0 : f64
  %r = aten.scaled_dot_product_attention %q, %q, %q, %mask, %zero, %false, %none, %false
      : (!q, !q, !q, !jit.tensor<[3,3],i1>, f64, i1, !jit.none, i1) -> !q
  return %r : !q
}

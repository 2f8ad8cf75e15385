// RUN: jit-opt %s --jit-decompose --split-input-file | FileCheck %s

// Of matrices whose sizes the call tells: as many columns as there are, once a guard has seen that there are as many rows.
// CHECK-LABEL: func.func @cholesky(
//       CHECK: jit.guard {{.*}}"expected equal sizes
//       CHECK: %[[SIZE:.*]] = aten.size.int %arg0, %c-1_i64
//       CHECK: scf.for %{{.*}} = %{{.*}} to %[[SIZE]] step %{{.*}} iter_args({{.*}}) -> (!jit.tensor<[?,?,?],f32>, !jit.tensor<[?],i32>)
func.func @cholesky(%a: !jit.tensor<[?,?,?],f32>) -> !jit.tensor {
  %no = arith.constant false
  %r = aten.linalg_cholesky %a, %no : (!jit.tensor<[?,?,?],f32>, i1) -> !jit.tensor
  return %r : !jit.tensor
}

// -----

// Batches of matrices and of vectors, or matrices for all batches: taken to be vectors, if their sizes are those of vectors.
// CHECK-LABEL: func.func @vectors(
//       CHECK: scf.for
//       CHECK: jit.guard {{.*}}"expected equal sizes
//       CHECK: scf.for
//   CHECK-NOT: aten.linalg_solve
//       CHECK: return
func.func @vectors(%a: !jit.tensor<[?,3,3],f32>, %b: !jit.tensor<[?,3],f32>) -> !jit.tensor {
  %yes = arith.constant true
  %r = aten.linalg_solve %a, %b, %yes : (!jit.tensor<[?,3,3],f32>, !jit.tensor<[?,3],f32>, i1) -> !jit.tensor
  return %r : !jit.tensor
}

// -----

// Least squares by the driver that gives no residuals; whether there are more rows than columns is not asked.
// CHECK-LABEL: func.func @least(
//       CHECK: scf.for
//   CHECK-NOT: aten.linalg_lstsq
//       CHECK: return
func.func @least(%a: !jit.tensor<[?,?],f32>, %b: !jit.tensor<[?,?],f32>) -> !jit.tensor {
  %none = jit.constant !jit.none = unit
  %r:4 = aten.linalg_lstsq %a, %b, %none, %none : (!jit.tensor<[?,?],f32>, !jit.tensor<[?,?],f32>, !jit.none, !jit.none)
      -> (!jit.tensor, !jit.tensor, !jit.tensor, !jit.tensor)
  return %r#0 : !jit.tensor
}

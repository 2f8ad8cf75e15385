// RUN: jit-opt %s --jit-decompose | FileCheck %s

// A loop over the columns, for all matrices of the batch at once.
// CHECK-LABEL: func.func @cholesky(
//       CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args({{.*}}) -> (!jit.tensor<[2,3,3],f32>, !jit.tensor<[2],i32>)
//       CHECK: aten.sqrt
//       CHECK: aten.tril
func.func @cholesky(%a: !jit.tensor<[2,3,3],f32>) -> !jit.tensor<[2,3,3],f32> {
  %no = arith.constant false
  %r = aten.linalg_cholesky %a, %no : (!jit.tensor<[2,3,3],f32>, i1) -> !jit.tensor<[2,3,3],f32>
  return %r : !jit.tensor<[2,3,3],f32>
}

// The largest element below the diagonal comes up; then two substitutions.
// CHECK-LABEL: func.func @solve(
//       CHECK: scf.for
//       CHECK: aten.argmax
//       CHECK: scf.for
//       CHECK: scf.for
func.func @solve(%a: !jit.tensor<[3,3],f32>, %b: !jit.tensor<[3,2],f32>) -> !jit.tensor<[3,2],f32> {
  %yes = arith.constant true
  %r = aten.linalg_solve %a, %b, %yes : (!jit.tensor<[3,3],f32>, !jit.tensor<[3,2],f32>, i1) -> !jit.tensor<[3,2],f32>
  return %r : !jit.tensor<[3,2],f32>
}

// A matrix that is not square stays what it is.
// CHECK-LABEL: func.func @rectangle(
//       CHECK: aten.linalg_det
func.func @rectangle(%a: !jit.tensor<[3,2],f32>) -> !jit.tensor {
  %r = aten.linalg_det %a : (!jit.tensor<[3,2],f32>) -> !jit.tensor
  return %r : !jit.tensor
}

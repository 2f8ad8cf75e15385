// RUN: jit-opt %s --jit-specialize="args=f32[2,3,3]" --jit-infer-types --jit-split-complex | FileCheck %s
// RUN: jit-opt %s --jit-specialize="args=f32[2,3,3]" --jit-infer-types --jit-split-complex --jit-decompose | FileCheck %s --check-prefix=BODY

// Any square matrix has complex eigenvalues and eigenvectors, which are taken by their parts.
// CHECK: aten._eigen_parts %{{.*}} -> (!jit.tensor<[2,3],f32>, !jit.tensor<[2,3],f32>, !jit.tensor<[2,3,3],f32>, !jit.tensor<[2,3,3],f32>)

// Hessenberg's form, steps until that is a triangle, a guard that it is, and substitution.
// BODY: jit.guard {{.*}}"linalg.eig: input tensor should not contain infs or NaNs"
// BODY: scf.for
// BODY: scf.while
// BODY: scf.condition
// BODY: scf.for
// BODY: jit.guard {{.*}}"linalg.eig: the algorithm failed to converge"
// BODY: scf.for
func.func @forward(%a: !jit.tensor) -> (!jit.tensor, !jit.tensor) {
  %w, %v = aten.linalg_eig %a : (!jit.tensor) -> (!jit.tensor, !jit.tensor)
  return %w, %v : !jit.tensor, !jit.tensor
}

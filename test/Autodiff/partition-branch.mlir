// RUN: jit-opt %s --jit-differentiate=seed=arguments --jit-partition-gradients | FileCheck %s
// RUN: not jit-opt %s --jit-differentiate=seed=arguments --canonicalize --jit-partition-gradients --mlir-print-ir-after-failure 2>&1 | FileCheck %s --check-prefix=MERGED

// A branch whose result is returned stays with the forward function, and its gradient is a branch of the other one.

// CHECK-LABEL: func.func @forward(
//       CHECK: %[[R:.*]] = scf.if
//       CHECK:   aten.mul.Tensor
//       CHECK: return %[[R]]
// CHECK-LABEL: func.func @forward.backward(
//       CHECK: %[[G:.*]]:2 = scf.if
//       CHECK: return %[[G]]#0, %[[G]]#1

// Of branches that were merged before neither function can have one.
// MERGED: error: 'scf.if' op expected results that depend on no gradient, as the function returns them, got an operation that computes both
// MERGED: IR Dump After {{.*}}Partition{{.*}} Failed
func.func @forward(%x: !jit.tensor<[4],f32> {jit.requires_grad}, %y: !jit.tensor<[4],f32> {jit.requires_grad}, %p: i1)
    -> !jit.tensor<[4],f32> {
  %0 = scf.if %p -> (!jit.tensor<[4],f32>) {
    %1 = aten.mul.Tensor %x, %y : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    scf.yield %1 : !jit.tensor<[4],f32>
  } else {
    scf.yield %x : !jit.tensor<[4],f32>
  }
  return %0 : !jit.tensor<[4],f32>
}

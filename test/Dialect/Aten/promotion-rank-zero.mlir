// RUN: jit-opt %s --jit-infer-types | FileCheck %s

// A Python float does not widen or narrow a floating tensor of rank 0; among integers it means float32.
// CHECK-LABEL: func.func @forward
//       CHECK: aten.add.Scalar {{.*}} -> !jit.tensor<[],f64>
//       CHECK: aten.add.Scalar {{.*}} -> !jit.tensor<[],f32>
func.func @forward(%x: !jit.tensor<[],f64>, %n: !jit.tensor<[],i64>) -> (!jit.tensor, !jit.tensor) {
  %f = arith.constant 1.000000e+00 : f64
  %one = arith.constant 1 : i64
  %0 = aten.add.Scalar %x, %f, %one : (!jit.tensor<[],f64>, f64, i64) -> !jit.tensor
  %1 = aten.add.Scalar %n, %f, %one : (!jit.tensor<[],i64>, f64, i64) -> !jit.tensor
  return %0, %1 : !jit.tensor, !jit.tensor
}

// RUN: jit-opt %s --jit-split-complex --canonicalize | FileCheck %s

// A number beside a tensor takes on the width of its parts.
// CHECK-LABEL: func.func @product
// CHECK-SAME: (%[[X:.*]]: !jit.tensor<[3],f32>, %[[RE:.*]]: f64, %[[IM:.*]]: f64)
func.func @product(%x: !jit.tensor<[3],f32>, %re: f64, %im: f64) -> !jit.tensor<[3],complex<f32>> {
  // CHECK-DAG: %[[A:.*]] = aten.scalar_tensor %[[RE]], {{.*}} -> !jit.tensor<[],f32>
  // CHECK-DAG: %[[B:.*]] = aten.scalar_tensor %[[IM]], {{.*}} -> !jit.tensor<[],f32>
  // CHECK-DAG: aten.mul.Tensor %[[X]], %[[A]]
  // CHECK-DAG: aten.mul.Tensor %[[X]], %[[B]]
  // CHECK-NOT: aten.mul.Scalar
  %z = jit.complex %re, %im
  %0 = aten.mul.Scalar %x, %z : (!jit.tensor<[3],f32>, complex<f64>) -> !jit.tensor<[3],complex<f32>>
  return %0 : !jit.tensor<[3],complex<f32>>
}

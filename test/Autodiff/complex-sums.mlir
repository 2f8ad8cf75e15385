// RUN: jit-opt %s --jit-differentiate=seed=arguments | FileCheck %s

// A complex tensor that is two results has the sum of their gradients, part by part.
// CHECK-LABEL: func.func @forward
// CHECK: %[[A:.*]] = aten.view_as_real %{{.*}}
// CHECK: %[[B:.*]] = aten.view_as_real %{{.*}}
// CHECK: %[[SUM:.*]] = aten.add.Tensor %[[A]], %[[B]]
// CHECK: aten.view_as_complex %[[SUM]]
func.func @forward(%x: !jit.tensor<[4,2],f32> {jit.requires_grad}) -> (!jit.tensor<[4],complex<f32>>, !jit.tensor<[4],complex<f32>>) {
  %0 = aten.view_as_complex %x : (!jit.tensor<[4,2],f32>) -> !jit.tensor<[4],complex<f32>>
  return %0, %0 : !jit.tensor<[4],complex<f32>>, !jit.tensor<[4],complex<f32>>
}

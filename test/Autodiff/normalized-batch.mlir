// RUN: jit-opt %s --jit-differentiate="entry=forward" --canonicalize --cse | FileCheck %s

// Two sums along the batch are all that a normalized batch needs backwards: those that are the gradients of weight and bias.
// CHECK-LABEL: func.func @forward(
// CHECK:         aten._normalized_batch
// CHECK:         %[[GRAD:.*]] = aten.mul.Tensor %{{.*}} -> !jit.tensor<[8,3],f32>
// CHECK-COUNT-2: aten.sum.dim_IntList
// CHECK-NOT:     aten.sum.dim_IntList
// CHECK:         return
func.func @forward(%x: !jit.tensor<[8,3],f32> {jit.requires_grad}, %w: !jit.tensor<[1,3],f32> {jit.requires_grad}, %b: !jit.tensor<[1,3],f32> {jit.requires_grad}, %y: !jit.tensor<[8,3],f32>) -> !jit.tensor<[8,3],f32> {
  %zero = arith.constant 0 : i64
  %eps = arith.constant 1.0e-05 : f64
  %dims = jit.list %zero : (i64) -> !jit.list<i64>
  %r:4 = aten._normalized_batch %x, %w, %b, %dims, %eps
      : (!jit.tensor<[8,3],f32>, !jit.tensor<[1,3],f32>, !jit.tensor<[1,3],f32>, !jit.list<i64>, f64)
      -> (!jit.tensor<[8,3],f32>, !jit.tensor<[1,3],f32>, !jit.tensor<[1,3],f32>, !jit.tensor<[1,3],f32>)
  %weighted = aten.mul.Tensor %r#0, %y : (!jit.tensor<[8,3],f32>, !jit.tensor<[8,3],f32>) -> !jit.tensor<[8,3],f32>
  return %weighted : !jit.tensor<[8,3],f32>
}

// RUN: jit-opt %s --jit-differentiate=parameters | FileCheck %s

// All reads of a parameter are one value with one gradient; a buffer has none.

// CHECK-LABEL: func.func @forward
//  CHECK-SAME: jit.outputs = [{value = 0 : i64}, {grad = "w", value = 1 : i64}]
//       CHECK: %[[W:.*]] = jit.slot_get @w
//   CHECK-NOT: jit.slot_get @w
jit.slot parameter @w : !jit.tensor<[4],f32> = #jit.storage<"data/0", 0, [1]>
jit.slot @b : !jit.tensor<[4],f32> = #jit.storage<"data/1", 0, [1]>
func.func @forward(%x: !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32> {
  %w = jit.slot_get @w : !jit.tensor<[4],f32>
  %b = jit.slot_get @b : !jit.tensor<[4],f32>
  %0 = aten.mul.Tensor %x, %w : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %again = jit.slot_get @w : !jit.tensor<[4],f32>
  %1 = aten.mul.Tensor %0, %again : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %2 = aten.mul.Tensor %1, %b : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  return %2 : !jit.tensor<[4],f32>
}

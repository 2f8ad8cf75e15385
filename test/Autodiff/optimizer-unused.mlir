// RUN: jit-opt %s --jit-add-optimizer-steps="optimizer=sgd lr=0.5 weight-decay=0.25 momentum=0.5" --jit-infer-types --jit-expand-optimizer-steps --canonicalize | FileCheck %s

// A parameter that the loss does not depend on has no gradient: as in PyTorch, the step leaves it and its buffer as they are, also where weights decay.

// CHECK: func.func @forward(%{{[a-z0-9]+}}: {{[^ ]*}}, %[[W:[a-z0-9]+]]: {{[^ ]*}} {jit.slot = "w"}, %[[V:[a-z0-9]+]]: {{[^ ]*}} {jit.slot = "v"}
// CHECK-SAME: %[[BUFFER:[a-z0-9]+]]: {{[^ ]*}} {jit.slot = "optimizer.momentum_buffer.v"}
// CHECK: %[[NEW:.*]] = aten.sub.Tensor %[[W]]
// CHECK: return
// CHECK-SAME: %[[V]]
// CHECK-SAME: %[[BUFFER]]
jit.slot parameter @w : !jit.tensor<[4],f32> = #jit.storage<"data/0", 0, [1]>
jit.slot parameter @v : !jit.tensor<[4],f32> = #jit.storage<"data/1", 0, [1]>
func.func @forward(%x: !jit.tensor<[4],f32>) -> (!jit.tensor<[],f32>, !jit.tensor<[4],f32>) {
  %none = jit.constant !jit.none = unit
  %w = jit.slot_get @w : !jit.tensor<[4],f32>
  %v = jit.slot_get @v : !jit.tensor<[4],f32>
  %0 = aten.mul.Tensor %x, %w : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %1 = aten.sum %0, %none : (!jit.tensor<[4],f32>, !jit.none) -> !jit.tensor<[],f32>
  %2 = aten.exp %v : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  return %1, %2 : !jit.tensor<[],f32>, !jit.tensor<[4],f32>
}

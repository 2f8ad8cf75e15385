// RUN: jit-opt %s --jit-add-optimizer-steps="optimizer=sgd lr=0.5" --jit-infer-types --jit-expand-optimizer-steps --canonicalize | FileCheck %s

// A plain step along zeros is none: it is taken where data decide whether the loss depends on the parameter.

// CHECK: func.func @forward(%{{[a-z0-9]+}}: {{[^ ]*}}, %{{[a-z0-9]+}}: i1, %[[W:[a-z0-9]+]]: {{[^ ]*}} {jit.slot = "w"}
// CHECK: %[[NEW:.*]] = aten.sub.Tensor %[[W]]
// CHECK: return
// CHECK-SAME: %[[NEW]]
jit.slot parameter @w : !jit.tensor<[4],f32> = #jit.storage<"data/0", 0, [1]>
func.func @forward(%x: !jit.tensor<[4],f32>, %c: i1) -> !jit.tensor<[],f32> {
  %none = jit.constant !jit.none = unit
  %w = jit.slot_get @w : !jit.tensor<[4],f32>
  %0 = scf.if %c -> !jit.tensor<[4],f32> {
    %1 = aten.mul.Tensor %x, %w : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    scf.yield %1 : !jit.tensor<[4],f32>
  } else {
    scf.yield %x : !jit.tensor<[4],f32>
  }
  %2 = aten.sum %0, %none : (!jit.tensor<[4],f32>, !jit.none) -> !jit.tensor<[],f32>
  return %2 : !jit.tensor<[],f32>
}

// RUN: jit-opt %s --jit-add-optimizer-steps="optimizer=adam lr=0.5 weight-decay=0.25" --jit-infer-types --jit-expand-optimizer-steps --canonicalize | FileCheck %s --check-prefix=ADAM
// RUN: jit-opt %s --jit-add-optimizer-steps="optimizer=adamw lr=0.5 weight-decay=0.25" --jit-infer-types --jit-expand-optimizer-steps --canonicalize | FileCheck %s --check-prefix=ADAMW
// RUN: jit-opt %s --jit-add-optimizer-steps="optimizer=adamw lr=0.5" --jit-infer-types --jit-expand-optimizer-steps --canonicalize | FileCheck %s --check-prefix=PLAIN

// Adam's decay is a part of the gradient; that of AdamW makes the parameter smaller, by lr times the decay, and no average sees it.

// ADAM: func.func @forward(%{{.*}}, %[[W:[a-z0-9]+]]: {{[^ ]*}} {jit.slot = "w"}, %[[COUNT:[a-z0-9]+]]: {{[^ ]*}} {jit.slot = "optimizer.step"}, %[[M:[a-z0-9]+]]: {{[^ ]*}} {jit.slot = "optimizer.exp_avg.w"}, %[[V:[a-z0-9]+]]: {{[^ ]*}} {jit.slot = "optimizer.exp_avg_sq.w"})
// ADAM-DAG: %[[DECAY:.*]] = arith.constant 2.5{{0*}}e-01
// ADAM: %[[GRADIENT:.*]] = aten._grad_sum_to_size
// ADAM: %[[DECAYED:.*]] = aten.mul.Scalar %[[W]], %[[DECAY]]
// ADAM: %[[BOTH:.*]] = aten.add.Tensor %[[GRADIENT]], %[[DECAYED]]
// ADAM: %[[M2:.*]] = aten.lerp.Scalar %[[M]], %[[BOTH]]
// ADAM: %[[KEPT:.*]] = aten.mul.Scalar %[[V]]
// ADAM: %[[SQUARE:.*]] = aten.mul.Tensor %[[BOTH]], %[[BOTH]]
// ADAM: %[[ADDED:.*]] = aten.mul.Scalar %[[SQUARE]]
// ADAM: %[[V2:.*]] = aten.add.Tensor %[[KEPT]], %[[ADDED]]
// ADAM: %[[NEW:.*]] = aten.sub.Tensor %[[W]], %{{.*}}
// ADAM: return %{{.*}}, %{{.*}}, %[[NEW]], %[[M2]], %[[V2]]

// ADAMW: func.func @forward(%{{.*}}, %[[W:[a-z0-9]+]]: {{[^ ]*}} {jit.slot = "w"}, %{{[a-z0-9]+}}: {{[^ ]*}} {jit.slot = "optimizer.step"}, %[[M:[a-z0-9]+]]: {{[^ ]*}} {jit.slot = "optimizer.exp_avg.w"}
// ADAMW-DAG: %[[LEFT:.*]] = arith.constant 8.75{{0*}}e-01
// ADAMW: %[[GRADIENT:.*]] = aten._grad_sum_to_size
// ADAMW: %[[SMALLER:.*]] = aten.mul.Scalar %[[W]], %[[LEFT]]
// ADAMW: aten.lerp.Scalar %[[M]], %[[GRADIENT]]
// ADAMW: aten.mul.Tensor %[[GRADIENT]], %[[GRADIENT]]
// ADAMW: %[[NEW:.*]] = aten.sub.Tensor %[[SMALLER]], %{{.*}}
// ADAMW: return %{{.*}}, %{{.*}}, %[[NEW]],

// PLAIN: func.func @forward(%{{.*}}, %[[W:[a-z0-9]+]]: {{[^ ]*}} {jit.slot = "w"}, %{{[a-z0-9]+}}: {{[^ ]*}} {jit.slot = "optimizer.step"}, %[[M:[a-z0-9]+]]:
// PLAIN: %[[GRADIENT:.*]] = aten._grad_sum_to_size
// PLAIN: aten.lerp.Scalar %[[M]], %[[GRADIENT]]
// PLAIN: aten.sub.Tensor %[[W]], %{{.*}}
jit.slot parameter @w : !jit.tensor<[4],f32> = #jit.storage<"data/0", 0, [1]>
func.func @forward(%x: !jit.tensor<[4],f32>) -> !jit.tensor<[],f32> {
  %none = jit.constant !jit.none = unit
  %w = jit.slot_get @w : !jit.tensor<[4],f32>
  %0 = aten.mul.Tensor %x, %w : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %1 = aten.sum %0, %none : (!jit.tensor<[4],f32>, !jit.none) -> !jit.tensor<[],f32>
  return %1 : !jit.tensor<[],f32>
}

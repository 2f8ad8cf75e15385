// RUN: jit-opt %s --jit-add-optimizer-steps="optimizer=sgd lr=0.5 momentum=0.25 dampening=0.125" --jit-infer-types --jit-expand-optimizer-steps --canonicalize | FileCheck %s --check-prefix=DAMPED
// RUN: jit-opt %s --jit-add-optimizer-steps="optimizer=sgd lr=0.5 momentum=0.25 weight-decay=0.0625 nesterov" --jit-infer-types --jit-expand-optimizer-steps --canonicalize | FileCheck %s --check-prefix=NESTEROV
// RUN: jit-opt %s --jit-add-optimizer-steps="optimizer=sgd lr=0.5 weight-decay=0.0625" --jit-infer-types --jit-expand-optimizer-steps --canonicalize | FileCheck %s --check-prefix=PLAIN

// One step: the gradient and what decays the parameter are averaged into the buffer, and the parameter goes along that.

// With a dampening the buffer takes 1 - 0.125 of the gradient, but in the first step, in which it is the gradient.
// DAMPED: func.func @forward(%{{.*}}, %[[W:[a-z0-9]+]]: {{[^ ]*}} {jit.slot = "w"}, %[[COUNT:[a-z0-9]+]]: {{[^ ]*}} {jit.slot = "optimizer.step"}, %[[BUFFER:[a-z0-9]+]]:
// DAMPED-DAG: %[[LR:.*]] = arith.constant 5.0{{0*}}e-01
// DAMPED-DAG: %[[TAKEN:.*]] = arith.constant 8.75{{0*}}e-01
// DAMPED-DAG: %[[MOMENTUM:.*]] = arith.constant 2.5{{0*}}e-01
// DAMPED-DAG: %[[FIRST:.*]] = arith.constant 1.0{{0*}}e+00
// DAMPED: %[[STEP:.*]] = aten.add.Scalar %[[COUNT]], %[[FIRST]]
// DAMPED: %[[GRADIENT:.*]] = aten._grad_sum_to_size
// DAMPED: %[[KEPT:.*]] = aten.mul.Scalar %[[BUFFER]], %[[MOMENTUM]]
// DAMPED: %[[ADDED:.*]] = aten.mul.Scalar %[[GRADIENT]], %[[TAKEN]]
// DAMPED: %[[SUM:.*]] = aten.add.Tensor %[[KEPT]], %[[ADDED]]
// DAMPED: %[[IS_FIRST:.*]] = aten.eq.Scalar %[[STEP]], %[[FIRST]]
// DAMPED: %[[NEXT:.*]] = aten.where.self %[[IS_FIRST]], %[[GRADIENT]], %[[SUM]]
// DAMPED: %[[BY:.*]] = aten.mul.Scalar %[[NEXT]], %[[LR]]
// DAMPED: %[[NEW:.*]] = aten.sub.Tensor %[[W]], %[[BY]]
// DAMPED: return %{{.*}}, %[[STEP]], %[[NEW]], %[[NEXT]]

// Nesterov goes along the gradient and the buffer times the momentum.
// NESTEROV: func.func @forward(%{{.*}}, %[[W:[a-z0-9]+]]: {{[^ ]*}} {jit.slot = "w"}, %[[COUNT:[a-z0-9]+]]: {{[^ ]*}} {jit.slot = "optimizer.step"}, %[[BUFFER:[a-z0-9]+]]:
// NESTEROV-DAG: %[[MOMENTUM:.*]] = arith.constant 2.5{{0*}}e-01
// NESTEROV-DAG: %[[DECAY:.*]] = arith.constant 6.25{{0*}}e-02
// NESTEROV: %[[GRADIENT:.*]] = aten._grad_sum_to_size
// NESTEROV: %[[DECAYED:.*]] = aten.mul.Scalar %[[W]], %[[DECAY]]
// NESTEROV: %[[BOTH:.*]] = aten.add.Tensor %[[GRADIENT]], %[[DECAYED]]
// NESTEROV: %[[KEPT:.*]] = aten.mul.Scalar %[[BUFFER]], %[[MOMENTUM]]
// NESTEROV: %[[NEXT:.*]] = aten.add.Tensor %[[KEPT]], %{{.*}}
// NESTEROV-NOT: aten.where.self
// NESTEROV: %[[AHEAD:.*]] = aten.mul.Scalar %[[NEXT]], %[[MOMENTUM]]
// NESTEROV: %[[ALONG:.*]] = aten.add.Tensor %[[BOTH]], %[[AHEAD]]
// NESTEROV: %[[BY:.*]] = aten.mul.Scalar %[[ALONG]]
// NESTEROV: %[[NEW:.*]] = aten.sub.Tensor %[[W]], %[[BY]]
// NESTEROV: return %{{.*}}, %{{.*}}, %[[NEW]], %[[NEXT]]

// Without a momentum there is no buffer.
// PLAIN: func.func @forward(%{{.*}}, %[[W:[a-z0-9]+]]: {{[^ ]*}} {jit.slot = "w"}, %{{[a-z0-9]+}}: {{[^ ]*}} {jit.slot = "optimizer.step"}) ->
// PLAIN: %[[GRADIENT:.*]] = aten._grad_sum_to_size
// PLAIN: %[[DECAYED:.*]] = aten.mul.Scalar %[[W]]
// PLAIN: %[[BOTH:.*]] = aten.add.Tensor %[[GRADIENT]], %[[DECAYED]]
// PLAIN: %[[BY:.*]] = aten.mul.Scalar %[[BOTH]]
// PLAIN: %[[NEW:.*]] = aten.sub.Tensor %[[W]], %[[BY]]
// PLAIN: return %{{.*}}, %{{.*}}, %[[NEW]] :
jit.slot parameter @w : !jit.tensor<[4],f32> = #jit.storage<"data/0", 0, [1]>
func.func @forward(%x: !jit.tensor<[4],f32>) -> !jit.tensor<[],f32> {
  %none = jit.constant !jit.none = unit
  %w = jit.slot_get @w : !jit.tensor<[4],f32>
  %0 = aten.mul.Tensor %x, %w : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %1 = aten.sum %0, %none : (!jit.tensor<[4],f32>, !jit.none) -> !jit.tensor<[],f32>
  return %1 : !jit.tensor<[],f32>
}

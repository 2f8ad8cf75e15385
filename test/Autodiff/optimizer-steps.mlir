// RUN: jit-opt %s --jit-add-optimizer-steps="optimizer=sgd lr=0.5 momentum=0.9" | FileCheck %s
// RUN: jit-opt %s --jit-add-optimizer-steps="optimizer=sgd lr=0.5" --jit-infer-types --jit-expand-optimizer-steps --canonicalize | FileCheck %s --check-prefix=EXPANDED

// The parameter becomes an argument and a result, the optimizer's buffer and count new slots.

//       CHECK: jit.slot @optimizer.momentum_buffer.w : !jit.tensor<[4],f32> = dense<0.000000e+00>
//       CHECK: jit.slot @optimizer.step : !jit.tensor<[],f64> = dense<0.000000e+00>
// CHECK-LABEL: func.func @forward
//  CHECK-SAME: %[[W:[a-z0-9]+]]: !jit.tensor<[4],f32> {jit.slot = "w"}
//  CHECK-SAME: %[[STEP:[a-z0-9]+]]: !jit.tensor<[],f64> {jit.slot = "optimizer.step"}
//  CHECK-SAME: %[[BUFFER:[a-z0-9]+]]: !jit.tensor<[4],f32> {jit.slot = "optimizer.momentum_buffer.w"}
//       CHECK: %[[LOSS:.*]] = aten.sum
//       CHECK: %[[NEXT:.*]] = aten.add.Scalar %[[STEP]]
//       CHECK: %updated, %nextState = jit.optimizer_step "sgd"
//  CHECK-SAME: (%[[LOSS]], %[[NEXT]], %[[W]], %[[BUFFER]])
//       CHECK: return %[[LOSS]], %[[NEXT]], %updated, %nextState

//       EXPANDED: func.func @forward(%[[X:[a-z0-9]+]]: !jit.tensor<[4],f32>, %[[W:[a-z0-9]+]]:
//       EXPANDED: %[[GRAD:.*]] = aten.mul.Tensor %{{.*}}, %[[X]]
//       EXPANDED: %[[STEP:.*]] = aten.mul.Scalar %{{.*}}, %{{.*}}
//       EXPANDED: %[[NEW:.*]] = aten.sub.Tensor %[[W]], %[[STEP]]
//   EXPANDED-NOT: jit.optimizer_step
//       EXPANDED: return %{{.*}}, %{{.*}}, %[[NEW]]
jit.slot parameter @w : !jit.tensor<[4],f32> = #jit.storage<"data/0", 0, [1]>
func.func @forward(%x: !jit.tensor<[4],f32>) -> !jit.tensor<[],f32> {
  %none = jit.constant !jit.none = unit
  %w = jit.slot_get @w : !jit.tensor<[4],f32>
  %0 = aten.mul.Tensor %x, %w : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %1 = aten.sum %0, %none : (!jit.tensor<[4],f32>, !jit.none) -> !jit.tensor<[],f32>
  return %1 : !jit.tensor<[],f32>
}

// RUN: not jit-opt %s --jit-add-optimizer-steps="optimizer=sgd lr=0.5" --jit-infer-types --jit-verify-stage=stage=autodiff 2>&1 | FileCheck %s

// CHECK: error: 'jit.optimizer_step' op expected no optimizer's step after Autodiff
jit.slot parameter @w : !jit.tensor<[4],f32> = #jit.storage<"data/0", 0, [1]>
func.func @forward(%x: !jit.tensor<[4],f32>) -> !jit.tensor<[],f32> {
  %none = jit.constant !jit.none = unit
  %w = jit.slot_get @w : !jit.tensor<[4],f32>
  %0 = aten.mul.Tensor %x, %w : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %1 = aten.sum %0, %none : (!jit.tensor<[4],f32>, !jit.none) -> !jit.tensor<[],f32>
  return %1 : !jit.tensor<[],f32>
}

// RUN: jit-opt %s --split-input-file --verify-diagnostics --jit-add-optimizer-steps="optimizer=adam" --jit-infer-types --jit-expand-optimizer-steps
// RUN: jit-opt %s --split-input-file --verify-diagnostics --jit-add-optimizer-steps="optimizer=sgd weight-decay=0.25" --jit-infer-types --jit-expand-optimizer-steps
// RUN: jit-opt %s --split-input-file --verify-diagnostics --jit-add-optimizer-steps="optimizer=sgd momentum=0.5" --jit-infer-types --jit-expand-optimizer-steps

// Data decide whether the loss depends on `w`: without a gradient PyTorch leaves it out of the step, and zeros would move it along its averages.

jit.slot parameter @w : !jit.tensor<[4],f32> = #jit.storage<"data/0", 0, [1]>
// expected-error@+1 {{unsupported: expected a loss that depends on parameter 'w' in each call or in none, got one where data decide; sgd without momentum and weight decay takes such a step}}
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

// RUN: jit-opt %s --jit-add-optimizer-steps=optimizer=sgd --jit-infer-types --jit-expand-optimizer-steps --split-input-file --verify-diagnostics

// expected-error@+1 {{expected a method that reads a parameter, to train it}}
func.func @forward(%x: !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32> {
  return %x : !jit.tensor<[4],f32>
}

// -----

// expected-error@+1 {{expected a method that returns the loss, a tensor, first}}
func.func @forward(%x: i64) -> i64 {
  return %x : i64
}

// -----

jit.slot parameter @w : !jit.tensor<[4],f32> = #jit.storage<"data/0", 0, [1]>
// expected-error@+1 {{expected a loss of one floating element, got '!jit.tensor<[4],f32>'}}
func.func @forward(%x: !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32> {
  %w = jit.slot_get @w : !jit.tensor<[4],f32>
  %0 = aten.mul.Tensor %x, %w : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  return %0 : !jit.tensor<[4],f32>
}

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

// -----

// The weight of a decoder that is the transposed one of an encoder: a step of the one is a step of the other.
// expected-error@+1 {{expected a parameter that is trained to be saved in memory of its own, got 'd' in the memory of 'e': save a clone() of one}}
jit.slot parameter @e : !jit.tensor<[2,3],f32> = #jit.storage<"data/0", 0, [3, 1]>
jit.slot parameter @d : !jit.tensor<[3,2],f32> = #jit.storage<"data/0", 0, [1, 3]>
func.func @forward() -> !jit.tensor<[],f32> {
  %none = jit.constant !jit.none = unit
  %e = jit.slot_get @e : !jit.tensor<[2,3],f32>
  %0 = aten.sum %e, %none : (!jit.tensor<[2,3],f32>, !jit.none) -> !jit.tensor<[],f32>
  return %0 : !jit.tensor<[],f32>
}

// -----

jit.slot parameter @w : !jit.tensor<[4],f32> = #jit.storage<"data/0", 0, [1]>
// expected-error@+1 {{expected a loss of one floating element, got '!jit.tensor<[],i64>'}}
func.func @forward(%x: !jit.tensor<[],i64>) -> (!jit.tensor<[],i64>, !jit.tensor<[4],f32>) {
  %w = jit.slot_get @w : !jit.tensor<[4],f32>
  return %x, %w : !jit.tensor<[],i64>, !jit.tensor<[4],f32>
}

// -----

jit.slot parameter @w : !jit.tensor<[4],f32> = #jit.storage<"data/0", 0, [1]>
// expected-error@+1 {{expected a loss of one floating element, got '!jit.tensor<[?],f32>'}}
func.func @forward(%x: !jit.tensor<[?],f32>) -> (!jit.tensor<[?],f32>, !jit.tensor<[4],f32>) {
  %w = jit.slot_get @w : !jit.tensor<[4],f32>
  return %x, %w : !jit.tensor<[?],f32>, !jit.tensor<[4],f32>
}

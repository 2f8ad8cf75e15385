// RUN: jit-opt %s --jit-differentiate --split-input-file --verify-diagnostics

// expected-error@+1 {{expected a floating argument or parameter to differentiate by}}
func.func @forward(%x: !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32> {
  return %x : !jit.tensor<[4],f32>
}

// -----

// expected-error@+1 {{expected an output that depends on what is differentiated}}
func.func @forward(%x: !jit.tensor<[4],f32> {jit.requires_grad}, %y: !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32> {
  return %y : !jit.tensor<[4],f32>
}

// -----

// expected-error@+1 {{expected a function called 'forward'}}
module {
}

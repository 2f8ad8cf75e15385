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

func.func @forward(%x: !jit.tensor<[4],f32> {jit.requires_grad}) -> !jit.tensor<[4],f32> {
  // expected-error@+1 {{expected a loop whose number of trips is known before it starts, to differentiate it}}
  %r = scf.while (%c = %x) : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32> {
    %any = aten.any %c : (!jit.tensor<[4],f32>) -> !jit.tensor<[],i1>
    %go = aten.Bool.Tensor %any : (!jit.tensor<[],i1>) -> i1
    scf.condition(%go) %c : !jit.tensor<[4],f32>
  } do {
  ^bb0(%c: !jit.tensor<[4],f32>):
    %0 = aten.tanh %c : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    scf.yield %0 : !jit.tensor<[4],f32>
  }
  return %r : !jit.tensor<[4],f32>
}

// -----

// expected-error@+1 {{expected a function called 'forward'}}
module {
}

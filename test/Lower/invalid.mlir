// RUN: jit-opt %s --jit-lower --split-input-file --verify-diagnostics

func.func @size(%a: !jit.tensor<[?,3],f32>) -> !jit.tensor<[?,3],f32> {
  // expected-error @-1 {{expected a static size in func.func, got '!jit.tensor<[?,3],f32>'}}
  return %a : !jit.tensor<[?,3],f32>
}

// -----

func.func @rank(%a: !jit.tensor<*,f32>) {
  // expected-error @-1 {{expected a known rank in func.func, got '!jit.tensor<*,f32>'}}
  return
}

// -----

// expected-error @+1 {{expected tensors and numbers as arguments, got '!jit.list<i64>' as argument 0}}
func.func @list(%a: !jit.list<i64>) -> !jit.list<i64> {
  return %a : !jit.list<i64>
}

// -----

func.func @complex(%a: !jit.tensor<[2],complex<f32>>) -> !jit.tensor<[2],complex<f32>> {
  // expected-error @+1 {{expected an operator with a lowering, got aten.tanh}}
  %r = aten.tanh %a : (!jit.tensor<[2],complex<f32>>) -> !jit.tensor<[2],complex<f32>>
  return %r : !jit.tensor<[2],complex<f32>>
}

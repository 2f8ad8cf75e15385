// RUN: jit-opt %s --jit-functionalize-tensors --verify-diagnostics

// Of what shares memory by its schema, and is not made of views yet, nobody knows what a write reaches.
func.func @forward(%a: !jit.tensor) -> (!jit.tensor, !jit.tensor) {
  %x = aten.exp %a : (!jit.tensor) -> !jit.tensor
  // expected-note@+1 {{whether this gives new memory is not known}}
  %0 = aten.adjoint %x : (!jit.tensor) -> !jit.tensor
  %1 = aten.tanh %0 : (!jit.tensor) -> !jit.tensor
  // expected-error@+1 {{expected to know which memory is written in place}}
  %2 = jit.overwrite %0, %1 : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %x, %0 : !jit.tensor, !jit.tensor
}

// RUN: jit-opt %s --jit-expand-gradients --split-input-file --verify-diagnostics

// Another leaf, or a parameter, requires a gradient, but that is not one by the input that is asked about.

!t = !jit.tensor<[],f32>
func.func @leaf(%p: i1, %x: !t {jit.requires_grad}, %z: !t) -> !t {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %y = aten._leaf %z : (!t) -> !t
  %e = scf.if %p -> !t {
    %0 = aten.mul.Tensor %x, %y : (!t, !t) -> !t
    scf.yield %0 : !t
  } else {
    scf.yield %y : !t
  }
  %outputs = jit.list %e : (!t) -> !jit.list<!jit.tensor>
  %inputs = jit.list %x : (!t) -> !jit.list<!jit.tensor>
  %weights = jit.list %none : (!jit.none) -> !jit.list<!jit.optional<!jit.tensor>>
  // expected-error@+1 {{expected to know whether an output depends on element 0 of the inputs: it depends on the data}}
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %false, %true : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !t
  return %g : !t
}

// -----

!t = !jit.tensor<[],f32>
jit.slot parameter @w : !t = #jit.storage<"data/0", 0, []>
func.func @parameter(%p: i1, %x: !t {jit.requires_grad}) -> !t {
  %none = jit.constant !jit.none = unit
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %y = jit.slot_get @w : !t
  %e = scf.if %p -> !t {
    %0 = aten.mul.Tensor %x, %y : (!t, !t) -> !t
    scf.yield %0 : !t
  } else {
    scf.yield %y : !t
  }
  %outputs = jit.list %e : (!t) -> !jit.list<!jit.tensor>
  %inputs = jit.list %x : (!t) -> !jit.list<!jit.tensor>
  %weights = jit.list %none : (!jit.none) -> !jit.list<!jit.optional<!jit.tensor>>
  // expected-error@+1 {{expected to know whether an output depends on element 0 of the inputs: it depends on the data}}
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %false, %true : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !t
  return %g : !t
}

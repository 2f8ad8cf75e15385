// RUN: jit-opt %s --jit-expand-gradients --split-input-file --verify-diagnostics

// Whether an output, an input or a leaf requires a gradient depends on the data.

!t = !jit.tensor<[2],f32>
func.func @output(%x: !t, %c: i1, %weight: !t) -> !t {
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %leaf = aten._leaf %x : (!t) -> !t
  %y = scf.if %c -> !t {
    scf.yield %leaf : !t
  } else {
    scf.yield %x : !t
  }
  %outputs = jit.list %y : (!t) -> !jit.list<!jit.tensor>
  %inputs = jit.list %leaf : (!t) -> !jit.list<!jit.tensor>
  %weights = jit.list %weight : (!t) -> !jit.list<!jit.optional<!jit.tensor>>
  // expected-error@+1 {{expected to know whether element 0 of tensors requires a gradient: it depends on the data}}
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %false, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !t
  return %g : !t
}

// -----

!t = !jit.tensor<[2],f32>
func.func @leaf(%x: !t, %c: i1) -> !t {
  %leaf = aten._leaf %x : (!t) -> !t
  %y = scf.if %c -> !t {
    scf.yield %leaf : !t
  } else {
    scf.yield %x : !t
  }
  // expected-error@+1 {{expected to know whether a tensor requires a gradient: it depends on the data}}
  %other = aten._leaf %y : (!t) -> !t
  return %other : !t
}

// -----

// Before a request, too.

!t = !jit.tensor<[2],f32>
func.func @before(%x: !t, %c: i1, %weight: !t) -> !t {
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %leaf = aten._leaf %x : (!t) -> !t
  %y = scf.if %c -> !t {
    scf.yield %leaf : !t
  } else {
    scf.yield %x : !t
  }
  // expected-error@+1 {{expected to know whether a tensor requires a gradient: it depends on the data}}
  %other = aten._leaf %y : (!t) -> !t
  %outputs = jit.list %other : (!t) -> !jit.list<!jit.tensor>
  %inputs = jit.list %leaf : (!t) -> !jit.list<!jit.tensor>
  %weights = jit.list %weight : (!t) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %false, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !t
  return %g : !t
}

// RUN: jit-opt %s --jit-expand-gradients --split-input-file --verify-diagnostics

// Where only data tell whether a tensor requires a gradient, a program that asks has no answer.

// After no trip it does not, after one it does.

!t = !jit.tensor<[2],f32>
func.func @for(%x: !t, %y: !t {jit.requires_grad}, %n: i64) -> i1 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %x) -> !t : i64 {
    %s = aten.mul.Tensor %a, %y : (!t, !t) -> !t
    scf.yield %s : !t
  }
  // expected-error @below {{expected to know whether a tensor requires a gradient: it depends on the data}}
  %0 = aten.requires_grad %r : (!t) -> i1
  return %0 : i1
}

// -----

// One way gives what requires a gradient.

!t = !jit.tensor<[2],f32>
func.func @branch(%x: !t, %y: !t {jit.requires_grad}, %c: i1) -> i1 {
  %r = scf.if %c -> !t {
    scf.yield %y : !t
  } else {
    scf.yield %x : !t
  }
  // expected-error @below {{expected to know whether a tensor requires a gradient: it depends on the data}}
  %0 = aten.requires_grad %r : (!t) -> i1
  return %0 : i1
}

// -----

// As many trips as data tell.

!t = !jit.tensor<[2],f32>
func.func @while(%x: !t, %y: !t {jit.requires_grad}, %c: i1) -> i1 {
  %r = scf.while (%a = %x) : (!t) -> !t {
    scf.condition(%c) %a : !t
  } do {
  ^bb0(%a: !t):
    %s = aten.mul.Tensor %a, %y : (!t, !t) -> !t
    scf.yield %s : !t
  }
  // expected-error @below {{expected to know whether a tensor requires a gradient: it depends on the data}}
  %0 = aten.requires_grad %r : (!t) -> i1
  return %0 : i1
}

// -----

// Without a trip the loop gives what it began with.

!t = !jit.tensor<[2],f32>
func.func @no_trip(%x: !t, %y: !t {jit.requires_grad}) -> i1 {
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %r = scf.for %i = %three to %three step %one iter_args(%a = %x) -> !t : i64 {
    %s = aten.mul.Tensor %a, %y : (!t, !t) -> !t
    scf.yield %s : !t
  }
  // expected-error @below {{expected to know whether a tensor requires a gradient: it depends on the data}}
  %0 = aten.requires_grad %r : (!t) -> i1
  return %0 : i1
}

// -----

// With what it begins the call says.

!t = !jit.tensor<[2],f32>
func.func @from(%x: !t, %y: !t {jit.requires_grad}, %n: i64) -> i1 {
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %r = scf.for %i = %n to %three step %one iter_args(%a = %x) -> !t : i64 {
    %s = aten.mul.Tensor %a, %y : (!t, !t) -> !t
    scf.yield %s : !t
  }
  // expected-error @below {{expected to know whether a tensor requires a gradient: it depends on the data}}
  %0 = aten.requires_grad %r : (!t) -> i1
  return %0 : i1
}

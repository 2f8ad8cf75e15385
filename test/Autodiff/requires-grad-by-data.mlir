// RUN: jit-opt %s --jit-expand-gradients --split-input-file --verify-diagnostics

// What is made of a tensor of which only data tell whether it requires a gradient: a view, the same under another type, and what is joined
// of it and of what requires none.

!t = !jit.tensor<[2],f32>
func.func @view(%x: !t, %y: !t {jit.requires_grad}, %c: i1) -> i1 {
  %zero = arith.constant 0 : i64
  %b = scf.if %c -> !t {
    scf.yield %y : !t
  } else {
    scf.yield %x : !t
  }
  %v = aten.unsqueeze %b, %zero : (!t, i64) -> !jit.tensor<[1,2],f32>
  // expected-error @below {{expected to know whether a tensor requires a gradient: it depends on the data}}
  %0 = aten.requires_grad %v : (!jit.tensor<[1,2],f32>) -> i1
  return %0 : i1
}

// -----

!t = !jit.tensor<[2],f32>
func.func @type(%x: !t, %y: !t {jit.requires_grad}, %c: i1) -> i1 {
  %b = scf.if %c -> !t {
    scf.yield %y : !t
  } else {
    scf.yield %x : !t
  }
  %v = jit.derefine %b : !t to !jit.tensor<[?],f32>
  // expected-error @below {{expected to know whether a tensor requires a gradient: it depends on the data}}
  %0 = aten.requires_grad %v : (!jit.tensor<[?],f32>) -> i1
  return %0 : i1
}

// -----

!t = !jit.tensor<[2],f32>
func.func @joined(%x: !t, %y: !t {jit.requires_grad}, %c: i1) -> i1 {
  %zero = arith.constant 0 : i64
  %b = scf.if %c -> !t {
    scf.yield %y : !t
  } else {
    scf.yield %x : !t
  }
  %list = jit.list %b, %x : (!t, !t) -> !jit.list<!t>
  %v = aten.cat %list, %zero : (!jit.list<!t>, i64) -> !jit.tensor<[4],f32>
  // expected-error @below {{expected to know whether a tensor requires a gradient: it depends on the data}}
  %0 = aten.requires_grad %v : (!jit.tensor<[4],f32>) -> i1
  return %0 : i1
}

// -----

!t = !jit.tensor<[2],f32>
func.func @sum(%x: !t, %y: !t {jit.requires_grad}, %c: i1) -> i1 {
  %b = scf.if %c -> !t {
    scf.yield %y : !t
  } else {
    scf.yield %x : !t
  }
  %v = aten.mul.Tensor %b, %x : (!t, !t) -> !t
  // expected-error @below {{expected to know whether a tensor requires a gradient: it depends on the data}}
  %0 = aten.requires_grad %v : (!t) -> i1
  return %0 : i1
}

// -----

// A leaf before a gradient that is asked for is said to be unknown once.

!t = !jit.tensor<[],f32>
func.func @leaf(%x: !t, %y: !t {jit.requires_grad}, %c: i1) -> !t {
  %none = jit.constant !jit.none = unit
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %b = scf.if %c -> !t {
    scf.yield %y : !t
  } else {
    scf.yield %x : !t
  }
  // expected-error @below {{expected to know whether a tensor requires a gradient: it depends on the data}}
  %leaf = aten._leaf %b : (!t) -> !t
  %e = aten.sin %y : (!t) -> !t
  %outputs = jit.list %e : (!t) -> !jit.list<!jit.tensor>
  %inputs = jit.list %y : (!t) -> !jit.list<!jit.tensor>
  %weights = jit.list %none : (!jit.none) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %false, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !t
  return %g : !t
}

// -----

!t = !jit.tensor<[2],f32>
func.func @selected(%x: !t, %y: !t {jit.requires_grad}, %c: i1) -> i1 {
  %a = arith.select %c, %x, %y : !t
  // expected-error @below {{expected to know whether a tensor requires a gradient: it depends on the data}}
  %0 = aten.requires_grad %a : (!t) -> i1
  return %0 : i1
}

// -----

// An element of a list may have any element type.
!t = !jit.tensor<[2],f32>
func.func @picked(%x: !t, %y: !t {jit.requires_grad}, %i: i64) -> i1 {
  %list = jit.list %x, %y : (!t, !t) -> !jit.list<!jit.tensor>
  %a = aten.__getitem__.t %list, %i : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
  // expected-error @below {{expected to know whether a tensor requires a gradient: it depends on the data}}
  %0 = aten.requires_grad %a : (!jit.tensor) -> i1
  return %0 : i1
}

// -----

!t = !jit.tensor<[2],f32>
func.func @by_a_key(%x: !t, %y: !t {jit.requires_grad}, %key: !jit.str) -> i1 {
  %a = jit.constant !jit.str = "a"
  %b = jit.constant !jit.str = "b"
  %dict = jit.dict keys(%a, %b : !jit.str, !jit.str) values(%x, %y : !t, !t) : !jit.dict<!jit.str, !jit.tensor>
  %t = aten.__getitem__.Dict_str %dict, %key : (!jit.dict<!jit.str, !jit.tensor>, !jit.str) -> !jit.tensor
  // expected-error @below {{expected to know whether a tensor requires a gradient: it depends on the data}}
  %0 = aten.requires_grad %t : (!jit.tensor) -> i1
  return %0 : i1
}

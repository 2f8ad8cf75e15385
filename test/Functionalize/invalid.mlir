// RUN: jit-opt %s --jit-functionalize-lists --jit-functionalize-tensors --split-input-file --verify-diagnostics

!m = !jit.tensor<[2,2],f32>

func.func @branch(%x: !m, %v: !m, %c: i1) -> !m {
  %y = aten.relu %x : (!m) -> !m
  %b = scf.if %c -> !m {
    scf.yield %y : !m
  } else {
    %z = aten.tanh %x : (!m) -> !m
    scf.yield %z : !m
  }
  // expected-error @below {{expected memory that is written in place to have one name, got another}}
  %w = jit.overwrite %b, %v : (!m, !m) -> !m
  // expected-note @below {{what may be the same memory is still used here}}
  %r = aten.tanh %y : (!m) -> !m
  return %r : !m
}

// -----

!m = !jit.tensor<[2,2],f32>

// expected-note @below {{it may be this argument, which the caller still has}}
func.func @argument(%x: !m, %v: !m, %c: i1) -> !m {
  %b = scf.if %c -> !m {
    scf.yield %x : !m
  } else {
    %z = aten.tanh %x : (!m) -> !m
    scf.yield %z : !m
  }
  // expected-error @below {{expected memory that is written in place to have one name, got another}}
  %w = jit.overwrite %b, %v : (!m, !m) -> !m
  return %w : !m
}

// -----

!m = !jit.tensor<[2,2],f32>

func.func @element(%l: !jit.list<!m>, %v: !m) {
  // expected-note @below {{it is written as an element of this}}
  %a, %b = jit.list_unpack %l : (!jit.list<!m>) -> (!m, !m)
  // expected-error @below {{expected a write to an operator's result, an argument or module state}}
  %w = jit.overwrite %a, %v : (!m, !m) -> !m
  return
}

// -----

!m = !jit.tensor<[2,2],f32>

func.func @picked(%l: !jit.list<!m>, %v: !m, %i: i64) {
  // expected-note @below {{it is written as an element of this}}
  %a = aten.select.t %l, %i : (!jit.list<!m>, i64) -> !m
  // expected-error @below {{expected a write to an operator's result, an argument or module state}}
  %w = jit.overwrite %a, %v : (!m, !m) -> !m
  return
}

// -----

!m = !jit.tensor<[2,2],f32>

func.func @held(%x: !m, %v: !m) -> !jit.list<!m> {
  %y = aten.relu %x : (!m) -> !m
  %l = jit.list %y : (!m) -> !jit.list<!m>
  // expected-error @below {{expected memory that is written in place to have one name, got another}}
  %w = jit.overwrite %y, %v : (!m, !m) -> !m
  // expected-note @below {{what may be the same memory is still used here}}
  return %l : !jit.list<!m>
}

// -----

func.func @nested(%x: !jit.tensor) -> !jit.list<!jit.list<!jit.tensor>> {
  %l = jit.list : () -> !jit.list<!jit.tensor>
  %ll = jit.list %l : (!jit.list<!jit.tensor>) -> !jit.list<!jit.list<!jit.tensor>>
  // expected-error @below {{expected memory that is written in place to have one name, got another}}
  jit.append %l, %x : !jit.list<!jit.tensor>, !jit.tensor
  // expected-note @below {{what may be the same memory is still used here}}
  return %ll : !jit.list<!jit.list<!jit.tensor>>
}

// -----

// What was put into a list is reached through it.
!inner = !jit.list<i64>
func.func @stored(%n: i64) -> !jit.list<!inner> {
  %outer = jit.list : () -> !jit.list<!inner>
  %inner = jit.list : () -> !inner
  jit.append %outer, %inner : !jit.list<!inner>, !inner
  // expected-error @below {{expected memory that is written in place to have one name, got another}}
  jit.append %inner, %n : !inner, i64
  // expected-note @below {{what may be the same memory is still used here}}
  return %outer : !jit.list<!inner>
}

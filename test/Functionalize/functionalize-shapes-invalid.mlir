// RUN: jit-opt %s --jit-functionalize-shapes --split-input-file --verify-diagnostics

func.func @argument(%x: !jit.tensor) -> !jit.tensor {
  %u = aten.t %x : (!jit.tensor) -> !jit.tensor
  // expected-error @below {{expected sizes to change in place of a tensor that the program made, got an argument}}
  %b = jit.become %x, %u : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %b : !jit.tensor
}

// -----

func.func @another_name(%x: !jit.tensor, %c: i1) -> !jit.tensor {
  %none = jit.constant !jit.none = unit
  %t = aten.clone %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %y = scf.if %c -> !jit.tensor {
    scf.yield %t : !jit.tensor
  } else {
    scf.yield %x : !jit.tensor
  }
  %u = aten.t %t : (!jit.tensor) -> !jit.tensor
  // expected-error @below {{expected a tensor whose sizes change in place to have one name}}
  %b = jit.become %t, %u : (!jit.tensor, !jit.tensor) -> !jit.tensor
  // expected-note @below {{what may be the same tensor is used here}}
  %z = aten.relu %y : (!jit.tensor) -> !jit.tensor
  return %z : !jit.tensor
}

// RUN: jit-opt %s --jit-resolve-leaves --split-input-file --verify-diagnostics

func.func @leaf_written(%x: !jit.tensor) -> !jit.tensor {
  %true = arith.constant true
  %0 = aten.requires_grad_ %x, %true : (!jit.tensor, i1) -> !jit.tensor
  %1 = aten.neg %x : (!jit.tensor) -> !jit.tensor
  // expected-error@+1 {{expected gradients to be off where a leaf that requires a gradient is written in place}}
  %2 = jit.overwrite %x, %1 : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %2 : !jit.tensor
}

// -----

func.func @several_names(%x: !jit.tensor, %y: !jit.tensor, %p: i1) -> !jit.tensor {
  %true = arith.constant true
  %0 = scf.if %p -> !jit.tensor {
    scf.yield %x : !jit.tensor
  } else {
    scf.yield %y : !jit.tensor
  }
  // expected-error@+1 {{expected a tensor that has one name, got one that a branch, a loop or a list hands on and that is used without it too}}
  %1 = aten.requires_grad_ %0, %true : (!jit.tensor, i1) -> !jit.tensor
  %2 = aten.mul.Tensor %0, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %2 : !jit.tensor
}

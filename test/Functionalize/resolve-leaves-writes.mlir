// RUN: jit-opt %s --jit-resolve-leaves --split-input-file --verify-diagnostics

// A detached tensor that was marked is a leaf, and is not written where gradients are on; one that was computed of others is none.

func.func @detached(%x: !jit.tensor) -> !jit.tensor {
  %true = arith.constant true
  %y = aten.neg %x : (!jit.tensor) -> !jit.tensor
  %d = aten.detach %y : (!jit.tensor) -> !jit.tensor
  %0 = aten.requires_grad_ %d, %true : (!jit.tensor, i1) -> !jit.tensor
  // expected-error@+1 {{expected gradients to be off where a leaf that requires a gradient is written in place}}
  %1 = jit.overwrite %d, %y : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %1 : !jit.tensor
}

// -----

func.func @computed(%x: !jit.tensor) -> !jit.tensor {
  %true = arith.constant true
  %y = aten.neg %x : (!jit.tensor) -> !jit.tensor
  %0 = aten.requires_grad_ %y, %true : (!jit.tensor, i1) -> !jit.tensor
  %1 = jit.overwrite %y, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %1 : !jit.tensor
}

// -----

// Where gradients are off, it is written with its history.
func.func @off(%x: !jit.tensor, %v: !jit.tensor) -> !jit.tensor {
  %true = arith.constant true
  %0 = aten.requires_grad_ %x, %true : (!jit.tensor, i1) -> !jit.tensor
  %w = aten._with_elements %x, %v : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %1 = jit.overwrite %x, %w : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %1 : !jit.tensor
}

// -----

// The mark that was taken away leaves no leaf.
func.func @unmarked(%x: !jit.tensor, %v: !jit.tensor) -> !jit.tensor {
  %false = arith.constant false
  %0 = aten.requires_grad_ %x, %false : (!jit.tensor, i1) -> !jit.tensor
  %1 = jit.overwrite %x, %v : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %1 : !jit.tensor
}

// RUN: jit-opt %s --split-input-file --jit-specialize="args=f32[2]" --verify-diagnostics

// As often as data say.

!tensors = !jit.list<!jit.tensor>
func.func @forward(%x: !jit.tensor) -> !tensors {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %places = aten.nonzero %x : (!jit.tensor) -> !jit.tensor
  %count = aten.size.int %places, %zero : (!jit.tensor, i64) -> i64
  %l = jit.list %x : (!jit.tensor) -> !tensors
  %ll = jit.list %l : (!tensors) -> !jit.list<!tensors>
  scf.for %i = %zero to %count step %one : i64 {
    %row = aten.__getitem__.t %ll, %zero : (!jit.list<!tensors>, i64) -> !tensors
    // expected-error @below {{expected a list or dict that is known where it changes, got one from outside of a loop or branch whose trips or way data tell}}
    jit.append %row, %x : !tensors, !jit.tensor
  }
  return %l : !tensors
}

// -----

// At a place that data tell.

!tensors = !jit.list<!jit.tensor>
func.func @forward(%x: !jit.tensor) -> !tensors {
  %zero = arith.constant 0 : i64
  %places = aten.nonzero %x : (!jit.tensor) -> !jit.tensor
  %count = aten.size.int %places, %zero : (!jit.tensor, i64) -> i64
  %l = jit.list %x : (!jit.tensor) -> !tensors
  %m = jit.list %x : (!jit.tensor) -> !tensors
  %ll = jit.list %l, %m : (!tensors, !tensors) -> !jit.list<!tensors>
  %row = aten.__getitem__.t %ll, %count : (!jit.list<!tensors>, i64) -> !tensors
  // expected-error @below {{expected a list or dict that is known where it changes, got one of several}}
  jit.append %row, %x : !tensors, !jit.tensor
  return %l : !tensors
}

// -----

// It may be read by another name.

!tensors = !jit.list<!jit.tensor>
func.func @forward(%x: !jit.tensor) -> i64 {
  %zero = arith.constant 0 : i64
  %places = aten.nonzero %x : (!jit.tensor) -> !jit.tensor
  %count = aten.size.int %places, %zero : (!jit.tensor, i64) -> i64
  %l = jit.list %x : (!jit.tensor) -> !tensors
  %m = jit.list %x : (!jit.tensor) -> !tensors
  %ll = jit.list %l, %m : (!tensors, !tensors) -> !jit.list<!tensors>
  // expected-note @below {{this may be it, or hold it}}
  %row = aten.__getitem__.t %ll, %count : (!jit.list<!tensors>, i64) -> !tensors
  // expected-error @below {{expected a list or dict that is known where it changes, got one that may have another name}}
  jit.append %l, %x : !tensors, !jit.tensor
  %n = aten.len.t %row : (!tensors) -> i64
  return %n : i64
}

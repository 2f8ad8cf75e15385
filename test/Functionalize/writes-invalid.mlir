// RUN: jit-opt %s --jit-functionalize-tensors --split-input-file --verify-diagnostics

// Three numbers do not go into rows of two.

!m = !jit.tensor<[2,2],f32>
func.func @larger(%x: !m, %v: !jit.tensor<[3],f32>) -> !m {
  %y = aten.relu %x : (!m) -> !m
  // expected-error @below {{expected a value that has or broadcasts to the sizes of what is written, got '!jit.tensor<[3],f32>' for '!jit.tensor<[2,2],f32>'}}
  %w = jit.overwrite %y, %v : (!m, !jit.tensor<[3],f32>) -> !m
  return %y : !m
}

// -----

// As out= a tensor has the sizes of the result, which is not broadcast to it.

!m = !jit.tensor<[2,2],f32>
func.func @out(%x: !m, %v: !jit.tensor<[2],f32>) -> !m {
  %y = aten.relu %x : (!m) -> !m
  // expected-error @below {{expected an out= tensor that has the sizes of the result, got '!jit.tensor<[2,2],f32>' for '!jit.tensor<[2],f32>'}}
  %w = jit.overwrite %y, %v {jit.out} : (!m, !jit.tensor<[2],f32>) -> !m
  return %y : !m
}

// -----

// Of how many dimensions, nobody knows.

!u = !jit.tensor<*,f32>
!d = !jit.tensor<*,f32>
func.func @rank(%x: !u, %v: !d) -> !u {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!u) -> !u
  %s = aten.diagonal %y, %zero, %zero, %one : (!u, i64, i64, i64) -> !d
  // expected-error @below {{expected a known rank for a write to elements that are no whole part of a tensor, got '!jit.tensor<*,f32>'}}
  %w = jit.overwrite %s, %v : (!d, !d) -> !d
  return %y : !u
}

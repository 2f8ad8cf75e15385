// RUN: jit-opt %s --jit-functionalize-tensors --split-input-file --verify-diagnostics

// Three numbers do not go into rows of two.

!m = !jit.tensor<[2,2],f32>
func.func @larger(%x: !m, %v: !jit.tensor<[3],f32>) -> !m {
  %y = aten.relu %x : (!m) -> !m
  // expected-error @below {{expected size 3 or -1 for dimension 1, got 2}}
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

// Rows that may be one: of open sizes nobody knows whether they are.

!u = !jit.tensor<[?,?],f32>
func.func @rows(%x: !u, %v: !u, %n: i64) -> !u {
  %false = arith.constant false
  %y = aten.relu %x : (!u) -> !u
  %sizes = jit.list %n, %n : (i64, i64) -> !jit.list<i64>
  %s = aten.expand %y, %sizes, %false : (!u, !jit.list<i64>, i1) -> !u
  // expected-error @below {{expected known sizes for a write to elements that may be shown more than once, got '!jit.tensor<[?,?],f32>'}}
  %w = jit.overwrite %s, %v : (!u, !u) -> !u
  return %y : !u
}

// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --cse | FileCheck %s

!q = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>

// The trips are written out, for a variable is a view of what it was. In the last one the index is one that no row has:
// calls that get there end with an exception, and others do not know of it.
// CHECK-LABEL: func.func @loop
// CHECK-NOT: scf.for
// CHECK: aten.select.int {{.*}} -> !jit.tensor<[2],f32>
// CHECK: aten.select.int {{.*}} -> !jit.tensor<[2],f32>
// CHECK: scf.if
// CHECK: jit.guard %false, "builtins.RuntimeError", "expected an index from -2 to 1, got 2"
// CHECK: return
func.func @loop(%x: !q, %c: i1) -> (!q, !q) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %y = aten.relu %x : (!q) -> !q
  %r = scf.for %i = %zero to %three step %one iter_args(%t = %y) -> !q : i64 {
    %n = scf.if %c -> !q {
      %row = aten.select.int %x, %zero, %i : (!q, i64, i64) -> !r
      %sum = aten.add.Tensor %t, %row, %one : (!q, !r, i64) -> !q
      %w = jit.overwrite %t, %sum : (!q, !q) -> !q
      scf.yield %w : !q
    } else {
      scf.yield %t : !q
    }
    %d = aten.t %n : (!q) -> !q
    scf.yield %d : !q
  }
  return %y, %r : !q, !q
}

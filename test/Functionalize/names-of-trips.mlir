// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --cse | FileCheck %s

!m = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>

// One way of a branch makes a memory and a row of it, which the loop hands on; the other way writes to the row in a later trip. That the row is one of
// this memory is a variable of the loop, and the write is one to the memory.
// CHECK-LABEL: func.func @row_of_another_trip
//       CHECK: scf.for {{.*}} iter_args(%[[P:[a-z0-9]+]] = %{{[0-9]+}}, %[[IS:[a-z0-9]+]] = %false)
//       CHECK: scf.if %[[IS]]
//       CHECK: aten.select_scatter %[[P]], %{{.*}}, %c0_i64, %c0_i64
func.func @row_of_another_trip(%x: !m, %o: !r, %v: !r, %c: i1, %n: i64) -> !m {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.tanh %x : (!m) -> !m
  %s = aten.tanh %o : (!r) -> !r
  %l:2 = scf.for %i = %zero to %n step %one iter_args(%p = %y, %r = %s) -> (!m, !r) : i64 {
    %b:2 = scf.if %c -> (!m, !r) {
      %w = jit.overwrite %r, %v : (!r, !r) -> !r
      scf.yield %p, %r : !m, !r
    } else {
      %q = aten.relu %p : (!m) -> !m
      %t = aten.select.int %q, %zero, %zero : (!m, i64, i64) -> !r
      scf.yield %q, %t : !m, !r
    }
    scf.yield %b#0, %b#1 : !m, !r
  }
  return %l#0 : !m
}

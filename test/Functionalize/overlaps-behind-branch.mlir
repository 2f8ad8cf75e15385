// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize | FileCheck %s

!m = !jit.tensor<[3,3],f32>
!r = !jit.tensor<[3],f32>

// What is written shows elements more than once where data choose one way of the branch: the calls that come by it end at the write, and those alone.
// CHECK-LABEL: func.func @forward
// CHECK-SAME: (%[[X:.*]]: !jit.tensor<[3,3],f32>, %[[Y:.*]]: !jit.tensor<[3],f32>, %[[C:.*]]: i1)
// CHECK: scf.if %[[C]]
// CHECK: jit.guard %false, "jit.Unsupported", "expected a write to elements each of which has a place of its own
// CHECK: } else {
// CHECK: aten.neg %[[X]]
// CHECK-NOT: jit.overwrite
func.func @forward(%x: !m, %y: !r, %c: i1) -> !m {
  %three = arith.constant 3 : i64
  %false = arith.constant false
  %sizes = jit.list %three, %three : (i64, i64) -> !jit.list<i64>
  scf.if %c {
    %row = aten.neg %y : (!r) -> !r
    %rows = aten.expand %row, %sizes, %false : (!r, !jit.list<i64>, i1) -> !m
    %v = aten.exp %x : (!m) -> !m
    %w = jit.overwrite %rows, %v : (!m, !m) -> !m
  } else {
    %z = aten.neg %x : (!m) -> !m
    %w = jit.overwrite %x, %z : (!m, !m) -> !m
  }
  return %x : !m
}

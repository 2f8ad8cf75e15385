// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --cse | FileCheck %s

!m = !jit.tensor<[2,3],f32>
!t = !jit.tensor<[3,2],f32>
!f = !jit.tensor<[6],f32>
!q = !jit.tensor<[2,2],f32>

// Whether flatten copies depends on which of two memories it gets: what follows the branch is written in each arm, and
// the write is seen where it shares memory, in the arm that transposes.
// CHECK-LABEL: func.func @branch
// CHECK-SAME: (%[[X:.*]]: !jit.tensor<[2,3],f32>, %[[P:.*]]: !jit.tensor<[3,2],f32>, %[[V:.*]]: !jit.tensor<[6],f32>, %{{.*}}: i1)
func.func @branch(%x: !m, %p: !t, %v: !f, %c: i1) -> !m {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %last = arith.constant -1 : i64
  %y = aten.relu %x : (!m) -> !m
  // CHECK: %[[Y:.*]] = aten.relu %[[X]]
  // CHECK: %[[R:.*]] = scf.if
  // CHECK: %[[W:.*]] = aten.view_as %[[V]]
  // CHECK: aten.transpose.int %[[W]]
  // CHECK: scf.yield
  // CHECK: } else {
  // CHECK: scf.yield %[[Y]]
  // CHECK: return %[[R]]
  %b = scf.if %c -> !m {
    %z = aten.tanh %p : (!t) -> !t
    %w = aten.transpose.int %z, %zero, %one : (!t, i64, i64) -> !m
    scf.yield %w : !m
  } else {
    scf.yield %y : !m
  }
  %t = aten.transpose.int %b, %zero, %one : (!m, i64, i64) -> !t
  %f = aten.flatten.using_ints %t, %zero, %last : (!t, i64, i64) -> !f
  %w = jit.overwrite %f, %v : (!f, !f) -> !f
  return %b : !m
}

// A loop's variable that is a view of what it was before: its trips are written out.
// CHECK-LABEL: func.func @loop
// CHECK-SAME: (%[[X:.*]]: !jit.tensor<[2,2],f32>, %[[V:.*]]: !jit.tensor<[2,2],f32>)
// CHECK-NOT: scf.for
// CHECK: return
func.func @loop(%x: !q, %v: !q) -> (!q, !q) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %y = aten.relu %x : (!q) -> !q
  %r = scf.for %i = %zero to %three step %one iter_args(%t = %y) -> !q : i64 {
    %w = jit.overwrite %t, %v : (!q, !q) -> !q
    %d = aten.t %t : (!q) -> !q
    scf.yield %d : !q
  }
  return %r, %y : !q, !q
}

// RUN: jit-opt %s --jit-forward-writes | FileCheck %s

!m = !jit.tensor<[2,2],f32>

// The loop carries one tensor all the time: it carries nothing.
// CHECK-LABEL: func.func @forward
// CHECK-SAME: (%[[X:.*]]: !jit.tensor<[2,2],f32>, %[[V:.*]]: !jit.tensor<[2,2],f32>
func.func @forward(%x: !m, %v: !m, %n: i64) -> !m {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  // CHECK: scf.for {{.*}} step %{{.*}} : i64 {
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %x) -> !m : i64 {
    // CHECK: jit.overwrite %[[X]], %[[V]]
    %w = jit.overwrite %t, %v : (!m, !m) -> !m
    scf.yield %w : !m
  }
  // CHECK: return %[[X]]
  return %r : !m
}

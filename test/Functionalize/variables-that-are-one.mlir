// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --cse | FileCheck %s

!m = !jit.tensor<[2,2],f32>

// What a trip makes becomes both variables, where %c holds. The loop carries whether they are one memory: a write to the second one is a write to the
// first then.
// CHECK-LABEL: func.func @both
// CHECK-SAME: (%[[X:[a-z0-9]+]]: !jit.tensor<[2,2],f32>, %[[V:[a-z0-9]+]]: !jit.tensor<[2,2],f32>, %[[N:[a-z0-9]+]]: i64, %[[C:[a-z0-9]+]]: i1)
func.func @both(%x: !m, %v: !m, %n: i64, %c: i1) -> (!m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %z = aten.relu %v : (!m) -> !m
  // CHECK: %[[LOOP:.*]]:3 = scf.for {{.*}} iter_args(%[[T:.*]] = %{{.*}}, %[[U:.*]] = %{{.*}}, %[[IS:.*]] = %false)
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%t = %y, %u = %z) -> (!m, !m) : i64 {
    // CHECK: %[[T2:.*]] = arith.select %[[IS]], %[[V]], %[[T]]
    %w = jit.overwrite %u, %v : (!m, !m) -> !m
    // CHECK: %[[NEW:.*]] = aten.tanh %[[T2]]
    %s = aten.tanh %t : (!m) -> !m
    // CHECK: scf.if %[[C]]
    %o = scf.if %c -> !m {
      scf.yield %s : !m
    } else {
      %e = aten.exp %s : (!m) -> !m
      scf.yield %e : !m
    }
    // CHECK: scf.yield %[[NEW]], %{{.*}}, %[[C]]
    scf.yield %s, %o : !m, !m
  }
  return %r#0, %r#1 : !m, !m
}

// The second variable is a part of what the first one is: the loop carries whether, and the part is taken of the variable.
// CHECK-LABEL: func.func @part
// CHECK: scf.for {{.*}} iter_args(%[[T:.*]] = %{{.*}}, %[[U:.*]] = %{{.*}}, %[[IS:.*]] = %false)
// CHECK: %[[SHOWN:.*]] = scf.if %[[IS]]
// CHECK: aten.select_scatter %[[T]]
// CHECK: aten.tanh %[[SHOWN]]
// CHECK: scf.yield %{{.*}}, %{{.*}}, %true
func.func @part(%x: !m, %v: !jit.tensor<[2],f32>, %n: i64) -> (!m, !jit.tensor<[2],f32>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %z = aten.relu %v : (!jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%t = %y, %u = %z) -> (!m, !jit.tensor<[2],f32>) : i64 {
    %w = jit.overwrite %u, %v : (!jit.tensor<[2],f32>, !jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
    %s = aten.tanh %t : (!m) -> !m
    %p = aten.select.int %s, %zero, %one : (!m, i64, i64) -> !jit.tensor<[2],f32>
    scf.yield %s, %p : !m, !jit.tensor<[2],f32>
  }
  return %r#0, %r#1 : !m, !jit.tensor<[2],f32>
}

// RUN: jit-opt %s --split-input-file --jit-functionalize-tensors --canonicalize --cse | FileCheck %s

!m = !jit.tensor<[2,2],f32>
// A tensor that nobody uses but a loop, which begins with it and reads it in each trip: the first trip writes it through the variable, and the second one reads what was written.
// CHECK-LABEL: func.func @read_inside
// CHECK-SAME: (%{{.*}}: !jit.tensor<[2,2],f32>, %[[V:.*]]: !jit.tensor<[2,2],f32>, %{{.*}}: i64)
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[Y:.*]], %{{.*}} = %{{.*}}, %[[IS:.*]] = %true, %[[NOW:.*]] = %[[Y]])
// CHECK: %[[READ:.*]] = aten.exp %[[NOW]]
// CHECK: %[[NEXT:.*]] = arith.select %[[IS]], %[[V]], %[[NOW]]
// CHECK: %[[NEW:.*]] = aten.tanh %[[V]]
// CHECK: scf.yield %[[NEW]], %[[READ]], %false, %[[NEXT]]
func.func @read_inside(%x: !m, %v: !m, %n: i64) -> (!m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %z = aten.tanh %x : (!m) -> !m
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%t = %y, %s = %z) -> (!m, !m) : i64 {
    %e = aten.exp %y : (!m) -> !m
    %w = jit.overwrite %t, %v : (!m, !m) -> !m
    %u = aten.tanh %t : (!m) -> !m
    scf.yield %u, %e : !m, !m
  }
  return %r#0, %r#1 : !m, !m
}

// -----

!m = !jit.tensor<[2,2],f32>
// A tensor that a branch in a loop gives, and that the loop begins with: its variable is that tensor in the first trip, and shows what is written to what the branch gives.
// CHECK-LABEL: func.func @begins_with
// CHECK-SAME: (%{{.*}}: !jit.tensor<[2,2],f32>, %[[V:.*]]: !jit.tensor<[2,2],f32>, %[[C:.*]]: i1, %{{.*}}: i64)
// CHECK: scf.for {{.*}} iter_args(%[[T:.*]] = %[[Y:.*]], %[[IS:.*]] = %true, %[[NOW:.*]] = %[[Y]])
// CHECK: %[[NEXT:.*]] = arith.select %[[C]], %[[V]], %[[NOW]]
// CHECK: %[[SHOWN:.*]] = arith.select %[[IS]], %[[NEXT]], %[[T]]
// CHECK: %[[E:.*]] = aten.exp %[[SHOWN]]
// CHECK: scf.yield %[[E]], %false, %[[NEXT]]
func.func @begins_with(%x: !m, %v: !m, %c: i1, %n: i64) -> !m {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %y) -> !m : i64 {
    %b = scf.if %c -> !m {
      scf.yield %y : !m
    } else {
      %z = aten.tanh %x : (!m) -> !m
      scf.yield %z : !m
    }
    %w = jit.overwrite %b, %v : (!m, !m) -> !m
    %e = aten.exp %t : (!m) -> !m
    scf.yield %e : !m
  }
  return %r : !m
}

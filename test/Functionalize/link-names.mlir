// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --cse | FileCheck %s

!m = !jit.tensor<[2,2],f32>

// A branch gives one of two memories: a write to what it gives is a write to that one.
// CHECK-LABEL: func.func @branch
// CHECK-SAME: (%[[X:.*]]: !jit.tensor<[2,2],f32>, %[[V:.*]]: !jit.tensor<[2,2],f32>, %[[C:.*]]: i1)
func.func @branch(%x: !m, %v: !m, %c: i1) -> (!m, !m, !m) {
  // CHECK-DAG: %[[Y:.*]] = aten.relu %[[X]]
  // CHECK-DAG: %[[Z:.*]] = aten.tanh %[[X]]
  %y = aten.relu %x : (!m) -> !m
  %z = aten.tanh %x : (!m) -> !m
  %b = scf.if %c -> !m {
    scf.yield %y : !m
  } else {
    scf.yield %z : !m
  }
  // CHECK-DAG: %[[Y2:.*]] = arith.select %[[C]], %[[V]], %[[Y]]
  // CHECK-DAG: %[[Z2:.*]] = arith.select %[[C]], %[[Z]], %[[V]]
  // CHECK: %[[S:.*]] = aten.sigmoid %[[Y2]]
  // CHECK: return %[[S]], %[[Z2]], %[[V]]
  %w = jit.overwrite %b, %v : (!m, !m) -> !m
  %s = aten.sigmoid %y : (!m) -> !m
  return %s, %z, %b : !m, !m, !m
}

// On its first trip a loop's variable is what it started with, which has another name.
// CHECK-LABEL: func.func @loop
func.func @loop(%x: !m, %v: !m, %n: i64) -> (!m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  // CHECK: scf.for {{.*}} iter_args({{.*}} = %true
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %y) -> !m : i64 {
    %w = jit.overwrite %t, %v : (!m, !m) -> !m
    %u = aten.tanh %t : (!m) -> !m
    scf.yield %u : !m
  }
  return %r, %y : !m, !m
}

// Whether reshape copies follows from strides: of what is transposed it does.
// CHECK-LABEL: func.func @strides
func.func @strides(%x: !m, %v: !jit.tensor<[4],f32>) -> (!m, !m) {
  %all = arith.constant -1 : i64
  %size = jit.list %all : (i64) -> !jit.list<i64>
  // CHECK: %[[Y:.*]] = aten.relu
  %y = aten.relu %x : (!m) -> !m
  %t = aten.t %y : (!m) -> !m
  %copy = aten.reshape %t, %size : (!m, !jit.list<i64>) -> !jit.tensor<[4],f32>
  %w = jit.overwrite %copy, %v : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %z = aten.tanh %x : (!m) -> !m
  %view = aten.reshape %z, %size : (!m, !jit.list<i64>) -> !jit.tensor<[4],f32>
  // CHECK: %[[Z:.*]] = aten.view_as
  %u = jit.overwrite %view, %v : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  // CHECK: return %[[Y]], %[[Z]]
  return %y, %z : !m, !m
}

// A list holds tensors, not what they were when it was made.
// CHECK-LABEL: func.func @held
func.func @held(%x: !m, %v: !m) -> !jit.list<!m> {
  %y = aten.relu %x : (!m) -> !m
  %l = jit.list %y : (!m) -> !jit.list<!m>
  %w = jit.overwrite %y, %v : (!m, !m) -> !m
  // CHECK: %[[L:.*]] = jit.list %{{.*}}
  // CHECK: return %[[L]]
  return %l : !jit.list<!m>
}

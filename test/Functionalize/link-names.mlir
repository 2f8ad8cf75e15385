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

// A while loop carries what its variables are, through its condition too.
// CHECK-LABEL: func.func @while
// CHECK-SAME: (%[[X:.*]]: !jit.tensor<[2,2],f32>, %[[V:.*]]: !jit.tensor<[2,2],f32>, %[[C:.*]]: i1)
func.func @while(%x: !m, %v: !m, %c: i1) -> (!m, !m) {
  // CHECK: %[[Y:.*]] = aten.relu
  %y = aten.relu %x : (!m) -> !m
  // CHECK: scf.while ({{.*}} = %[[Y]], %{{.*}} = %[[C]], %[[F:.*]] = %true, %{{.*}} = %[[Y]])
  // CHECK: scf.condition(%{{.*}}) %{{.*}}, %[[F]]
  // CHECK: } do {
  // CHECK: ^bb0(%{{.*}}: !jit.tensor<[2,2],f32>, %[[G:.*]]: i1, %[[Y1:.*]]: !jit.tensor<[2,2],f32>):
  // CHECK: %[[Y2:.*]] = arith.select %[[G]], %[[V]], %[[Y1]]
  // CHECK: scf.yield %{{.*}}, %false, %false, %[[Y2]]
  %r:2 = scf.while (%t = %y, %go = %c) : (!m, i1) -> (!m, i1) {
    scf.condition(%go) %t, %go : !m, i1
  } do {
  ^bb0(%t: !m, %go: i1):
    %w = jit.overwrite %t, %v : (!m, !m) -> !m
    %u = aten.tanh %t : (!m) -> !m
    %no = arith.constant false
    scf.yield %u, %no : !m, i1
  }
  return %r#0, %y : !m, !m
}

// A list that is made after a write holds the tensor, too.
// CHECK-LABEL: func.func @written_before
func.func @written_before(%x: !m, %v: !m) -> !jit.list<!m> {
  // CHECK: %[[S:.*]] = aten.sigmoid
  // CHECK: %[[L:.*]] = jit.list %[[S]]
  // CHECK: return %[[L]]
  %y = aten.relu %x : (!m) -> !m
  %w = jit.overwrite %y, %v : (!m, !m) -> !m
  %l = jit.list %y : (!m) -> !jit.list<!m>
  %s = aten.sigmoid %v : (!m) -> !m
  %again = jit.overwrite %y, %s : (!m, !m) -> !m
  return %l : !jit.list<!m>
}

// Of two results that show a memory of the arm one is all of it; sizes of the view are known before.
// CHECK-LABEL: func.func @parts
// CHECK-SAME: (%{{.*}}: !jit.tensor<[2,2],f32>, %[[V:.*]]: !jit.tensor<[2,2],f32>, %[[C:.*]]: i1)
func.func @parts(%x: !m, %v: !m, %c: i1) -> (!m, !jit.tensor<[4],f32>) {
  // CHECK: %[[B:.*]] = scf.if %[[C]]
  // CHECK: %[[P:.*]] = aten.view %[[V]]
  // CHECK: scf.yield %[[P]]
  // CHECK: return %[[V]], %[[B]]
  %b:2 = scf.if %c -> (!m, !jit.tensor<[4],f32>) {
    %y = aten.relu %x : (!m) -> !m
    %four = arith.constant 4 : i64
    %size = jit.list %four : (i64) -> !jit.list<i64>
    %p = aten.view %y, %size : (!m, !jit.list<i64>) -> !jit.tensor<[4],f32>
    scf.yield %y, %p : !m, !jit.tensor<[4],f32>
  } else {
    %y = jit.poison : !m
    %p = jit.poison : !jit.tensor<[4],f32>
    scf.yield %y, %p : !m, !jit.tensor<[4],f32>
  }
  %w = jit.overwrite %b#0, %v : (!m, !m) -> !m
  return %b#0, %b#1 : !m, !jit.tensor<[4],f32>
}

// The one element of a tensor as a number, by sizes that a way of a branch makes of nothing.
// CHECK-LABEL: func.func @number_of_a_row
// CHECK-SAME: (%{{.*}}: !jit.tensor<[1],f32>, %[[V:.*]]: !jit.tensor<[1],f32>, %[[C:.*]]: i1, %[[Z:.*]]: !jit.tensor<[],f32>)
// CHECK: %[[B:.*]] = scf.if %[[C]]
// CHECK: %[[P:.*]] = aten.view %[[V]]
// CHECK: scf.yield %[[P]]
// CHECK: return %[[V]], %[[B]]
func.func @number_of_a_row(%x: !jit.tensor<[1],f32>, %v: !jit.tensor<[1],f32>, %c: i1, %z: !jit.tensor<[],f32>) -> (!jit.tensor<[1],f32>, !jit.tensor<[],f32>) {
  %y = aten.relu %x : (!jit.tensor<[1],f32>) -> !jit.tensor<[1],f32>
  %o = aten.tanh %z : (!jit.tensor<[],f32>) -> !jit.tensor<[],f32>
  %b = scf.if %c -> !jit.tensor<[],f32> {
    %size = jit.list : () -> !jit.list<i64>
    %p = aten.view %y, %size : (!jit.tensor<[1],f32>, !jit.list<i64>) -> !jit.tensor<[],f32>
    scf.yield %p : !jit.tensor<[],f32>
  } else {
    scf.yield %o : !jit.tensor<[],f32>
  }
  %w = jit.overwrite %y, %v : (!jit.tensor<[1],f32>, !jit.tensor<[1],f32>) -> !jit.tensor<[1],f32>
  return %y, %b : !jit.tensor<[1],f32>, !jit.tensor<[],f32>
}

// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --cse | FileCheck %s

!m = !jit.tensor<[2,2],f32>

// A write through a view changes what it is a view of, and every other view of that.
// CHECK-LABEL: func.func @view
// CHECK-SAME: (%[[X:.*]]: !jit.tensor<[2,2],f32>, %[[V:.*]]: !jit.tensor<[2,2],f32>)
func.func @view(%x: !m, %v: !m) -> (!m, !m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  // CHECK: %[[Y:.*]] = aten.relu %[[X]]
  %y = aten.relu %x : (!m) -> !m
  // CHECK: %[[T:.*]] = aten.transpose.int %[[Y]]
  %t = aten.transpose.int %y, %zero, %one : (!m, i64, i64) -> !m
  // CHECK: %[[A:.*]] = aten.tanh %[[T]]
  %a = aten.tanh %t : (!m) -> !m
  // CHECK: %[[NEW:.*]] = aten.transpose.int %[[V]]
  %w = jit.overwrite %t, %v : (!m, !m) -> !m
  // CHECK: %[[T2:.*]] = aten.transpose.int %[[NEW]]
  // CHECK: %[[B:.*]] = aten.tanh %[[T2]]
  %b = aten.tanh %t : (!m) -> !m
  // CHECK: return %[[A]], %[[B]], %[[NEW]]
  return %a, %b, %y : !m, !m, !m
}

// Writes in loops and branches: the tensor is carried.
// CHECK-LABEL: func.func @loop
func.func @loop(%x: !m, %n: i64, %c: i1) -> !m {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  // CHECK: %[[Y:.*]] = aten.relu
  %y = aten.relu %x : (!m) -> !m
  // CHECK: %[[FOR:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %[[Y]])
  // The loop seems to carry a new tensor each time; it is always the same one.
  %r = scf.for %i = %zero to %n step %one iter_args(%z = %y) -> !m : i64 {
    // CHECK: %[[IF:.*]] = scf.if
    %q = scf.if %c -> !m {
      // CHECK: %[[S:.*]] = aten.add.Tensor %[[A]], %[[A]]
      // CHECK: scf.yield %[[S]]
      // CHECK: scf.yield %[[A]]
      %s = aten.add.Tensor %z, %y, %one : (!m, !m, i64) -> !m
      %w = jit.overwrite %z, %s : (!m, !m) -> !m
      scf.yield %w : !m
    } else {
      scf.yield %z : !m
    }
    // CHECK: scf.yield %[[IF]]
    scf.yield %q : !m
  }
  // CHECK: aten.add.Tensor %[[FOR]], %[[FOR]]
  %sum = aten.add.Tensor %r, %y, %one : (!m, !m, i64) -> !m
  return %sum : !m
}

// CHECK-LABEL: func.func @argument
// CHECK-SAME: (%[[X:.*]]: !jit.tensor<[2,2],f32>) -> (!jit.tensor<[2,2],f32>, !jit.tensor<[2,2],f32> {jit.mutates = array<i64: 0>})
func.func @argument(%x: !m) -> !m {
  // CHECK: %[[R:.*]] = aten.relu %[[X]]
  // CHECK: return %[[R]], %[[R]]
  %r = aten.relu %x : (!m) -> !m
  %w = jit.overwrite %x, %r : (!m, !m) -> !m
  return %w : !m
}

// CHECK-LABEL: func.func @state
// CHECK-SAME: -> (!jit.tensor<[2,2],f32> {jit.slot = "s"})
func.func @state(%s: !m {jit.slot = "s"}) -> (!m {jit.slot = "s"}) {
  // CHECK: %[[R:.*]] = aten.relu
  // CHECK: return %[[R]] :
  %r = aten.relu %s : (!m) -> !m
  %w = jit.overwrite %s, %r : (!m, !m) -> !m
  return %s : !m
}

// A branch gives new memory on either way: it may be written.
// CHECK-LABEL: func.func @fresh
func.func @fresh(%x: !m, %v: !m, %c: i1) -> !m {
  // CHECK-NOT: scf.if
  // CHECK: return %{{.*}}
  %b = scf.if %c -> !m {
    %y = aten.relu %x : (!m) -> !m
    scf.yield %y : !m
  } else {
    %y = aten.tanh %x : (!m) -> !m
    scf.yield %y : !m
  }
  %w = jit.overwrite %b, %v : (!m, !m) -> !m
  return %b : !m
}

// Elements of one list are not the same memory: one may be written while the other is used.
// CHECK-LABEL: func.func @elements
func.func @elements(%x: !m, %v: !m) -> (!m, !jit.list<!m>) {
  // CHECK: %[[A:.*]] = aten.relu
  // CHECK: %[[B:.*]] = aten.tanh
  // CHECK: %[[R:.*]] = aten.sigmoid %[[A]]
  // CHECK: %[[L:.*]] = jit.list %[[R]], %[[B]]
  // CHECK: return %[[B]], %[[L]]
  %a = aten.relu %x : (!m) -> !m
  %b = aten.tanh %x : (!m) -> !m
  %s = aten.sigmoid %a : (!m) -> !m
  %w = jit.overwrite %a, %s : (!m, !m) -> !m
  %l = jit.list %w, %b : (!m, !m) -> !jit.list<!m>
  return %b, %l : !m, !jit.list<!m>
}

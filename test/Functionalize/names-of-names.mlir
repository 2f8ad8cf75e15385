// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --cse | FileCheck %s

!m = !jit.tensor<[2],f32>

// The second name is the tensor itself or the first name, which may be that tensor, too. Where a write does not go through
// the first name, that passes nothing on, and shows what was written.
// CHECK-LABEL: func.func @names
// CHECK-SAME: (%[[X:.*]]: !jit.tensor<[2],f32>, %[[V:.*]]: !jit.tensor<[2],f32>, %[[C:.*]]: i1, %[[D:.*]]: i1)
func.func @names(%x: !m, %v: !m, %c: i1, %d: i1) -> (!m, !m) {
  // CHECK-DAG: %[[Y:.*]] = aten.relu %[[X]]
  // CHECK-DAG: %[[Z:.*]] = aten.tanh %[[X]]
  %y = aten.relu %x : (!m) -> !m
  %z = aten.tanh %x : (!m) -> !m
  %first = scf.if %c -> !m {
    scf.yield %y : !m
  } else {
    scf.yield %z : !m
  }
  %second = scf.if %d -> !m {
    scf.yield %y : !m
  } else {
    scf.yield %first : !m
  }
  // CHECK: %[[Y1:.*]] = arith.select %[[D]], %[[V]], %[[Y]]
  // CHECK: %[[FIRST:.*]] = arith.select %[[D]], %{{.*}}, %[[V]]
  // CHECK: %[[THROUGH:.*]] = arith.andi %{{.*}}, %[[C]]
  // CHECK: %[[Y2:.*]] = arith.select %[[THROUGH]], %[[FIRST]], %[[Y1]]
  // CHECK: %[[FIRST2:.*]] = arith.select %[[C]], %[[Y2]], %[[FIRST]]
  // CHECK: return %[[FIRST2]], %[[Y2]]
  %w = jit.overwrite %second, %v : (!m, !m) -> !m
  return %first, %y : !m, !m
}

// Each name may be the two before it. A write through the last one asks once for each link, not once for each way that leads to a memory, and what
// nobody reads behind it is not asked for what it shows.
// CHECK-LABEL: func.func @names_in_a_row
// CHECK-COUNT-9: arith.select
// CHECK-NOT: arith.select
// CHECK: return
func.func @names_in_a_row(%x: !m, %v: !m, %c: i1, %d: i1, %e: i1, %f: i1) -> !m {
  %y = aten.relu %x : (!m) -> !m
  %z = aten.tanh %x : (!m) -> !m
  %1 = scf.if %c -> !m {
    scf.yield %y : !m
  } else {
    scf.yield %z : !m
  }
  %2 = scf.if %d -> !m {
    scf.yield %z : !m
  } else {
    scf.yield %1 : !m
  }
  %3 = scf.if %e -> !m {
    scf.yield %1 : !m
  } else {
    scf.yield %2 : !m
  }
  %4 = scf.if %f -> !m {
    scf.yield %2 : !m
  } else {
    scf.yield %3 : !m
  }
  %w = jit.overwrite %4, %v : (!m, !m) -> !m
  return %y : !m
}

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
  // CHECK: %[[THROUGH:.*]] = arith.andi %{{.*}}, %[[C]]
  // CHECK: %[[DIRECT:.*]] = arith.select %[[D]], %[[V]], %[[Y]]
  // CHECK: %[[FIRST:.*]] = arith.select %[[D]], %{{.*}}, %[[V]]
  // CHECK: %[[BOTH:.*]] = arith.select %[[THROUGH]], %[[V]], %[[DIRECT]]
  // CHECK: %[[Y2:.*]] = arith.select %[[THROUGH]], %[[FIRST]], %[[BOTH]]
  // CHECK: %[[FIRST2:.*]] = arith.select %[[C]], %[[Y2]], %[[FIRST]]
  // CHECK: return %[[FIRST2]], %[[Y2]]
  %w = jit.overwrite %second, %v : (!m, !m) -> !m
  return %first, %y : !m, !m
}

// RUN: jit-opt %s --jit-lower | FileCheck %s

!m = !jit.tensor<[?,?],f32>

// What is read for an open size has that size, or the call ends: it is not read behind its end.
// CHECK-LABEL: func.func @expanded
// CHECK: jit.guard %{{.*}}, "jit.UnequalSizes"
// CHECK: tensor.cast %{{.*}} : tensor<?x?xf32> to tensor<?x3xf32>
func.func @expanded(%x: !m) -> !jit.tensor<[?,3],f32> attributes {jit.symbolic} {
  %three = arith.constant 3 : i64
  %kept = arith.constant -1 : i64
  %implicit = arith.constant false
  %sizes = jit.list %kept, %three : (i64, i64) -> !jit.list<i64>
  %r = aten.expand %x, %sizes, %implicit : (!m, !jit.list<i64>, i1) -> !jit.tensor<[?,3],f32>
  return %r : !jit.tensor<[?,3],f32>
}

// CHECK-LABEL: func.func @added
// CHECK-SAME: (%[[S:.*]]: tensor<?x?xf32>, %[[A:.*]]: tensor<?x?xf32>, %[[B:.*]]: tensor<?x?xf32>)
// CHECK-COUNT-3: jit.guard %{{.*}}, "jit.UnequalSizes"
// CHECK: linalg.generic {{.*}} outs(%[[S]] : tensor<?x?xf32>)
func.func @added(%s: !m, %a: !m, %b: !m) -> !m attributes {jit.symbolic} {
  %one = arith.constant 1 : i64
  %r = aten.addmm %s, %a, %b, %one, %one : (!m, !m, !m, i64, i64) -> !m
  return %r : !m
}

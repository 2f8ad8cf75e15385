// RUN: jit-opt %s --jit-lower | FileCheck %s

!v = !jit.tensor<[?],f32>

// The offset of each part is the sum of the sizes before it.
// CHECK-LABEL: func.func @vectors
// CHECK-SAME: (%[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: tensor<3xf32>)
func.func @vectors(%x: !v, %y: !jit.tensor<[3],f32>) -> !v attributes {jit.symbolic} {
  // CHECK: %[[N:.*]] = tensor.dim %[[X]]
  // CHECK: %[[ALL:.*]] = arith.addi %[[N]], %{{.*}}
  // CHECK: %[[E:.*]] = tensor.empty(%[[ALL]]) : tensor<?xf32>
  // CHECK: %[[A:.*]] = tensor.insert_slice %[[X]] into %[[E]][0]
  // CHECK: tensor.insert_slice %[[Y]] into %[[A]][%{{.*}}] [3]
  %dim = arith.constant 0 : i64
  %l = jit.list %x, %y : (!v, !jit.tensor<[3],f32>) -> !jit.list<!jit.tensor>
  %r = aten.cat %l, %dim : (!jit.list<!jit.tensor>, i64) -> !v
  return %r : !v
}

// Other sizes have to be equal.
// CHECK-LABEL: func.func @guarded
func.func @guarded(%x: !jit.tensor<[?,?],f32>, %y: !jit.tensor<[2,?],f32>) -> !jit.tensor<[?,?],f32> attributes {jit.symbolic} {
  // CHECK: jit.guard %{{.*}}, "jit.UnequalSizes"
  // CHECK: tensor.insert_slice
  %dim = arith.constant 0 : i64
  %l = jit.list %x, %y : (!jit.tensor<[?,?],f32>, !jit.tensor<[2,?],f32>) -> !jit.list<!jit.tensor>
  %r = aten.cat %l, %dim : (!jit.list<!jit.tensor>, i64) -> !jit.tensor<[?,?],f32>
  return %r : !jit.tensor<[?,?],f32>
}

// A tensor without elements has rows nevertheless.
!o = !jit.tensor<[?,0],f32>
!s = !jit.tensor<[2,0],f32>
// CHECK-LABEL: func.func @no_elements
// CHECK: %[[ROWS:.*]] = tensor.dim %arg0, %c0
// CHECK: %[[SUM:.*]] = arith.addi %[[ROWS]], %c2
// CHECK: %[[RESULT:.*]] = tensor.empty(%[[SUM]]) : tensor<?x0xf32>
// CHECK-NOT: insert_slice
// CHECK: return %[[RESULT]]
func.func @no_elements(%x: !o, %y: !s) -> !o attributes {jit.symbolic} {
  %zero = arith.constant 0 : i64
  %list = jit.list %x, %y : (!o, !s) -> !jit.list<!jit.tensor>
  %r = aten.cat %list, %zero : (!jit.list<!jit.tensor>, i64) -> !o
  return %r : !o
}

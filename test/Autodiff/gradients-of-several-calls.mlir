// RUN: jit-opt %s --split-input-file --jit-expand-gradients | FileCheck %s

// Gradients of the same outputs by calls that differ in something else.

!t = !jit.tensor<[3],f32>
!l = !jit.list<!jit.tensor>
!w = !jit.list<!jit.optional<!jit.tensor>>
// By one input each.
// CHECK-LABEL: func.func @inputs
// CHECK: %[[A:.*]] = aten.mul.Tensor %arg2, %arg1
// CHECK: %[[GA:.*]] = aten.detach %[[A]]
// CHECK: %[[B:.*]] = aten.mul.Tensor %arg2, %arg0
// CHECK: %[[GB:.*]] = aten.detach %[[B]]
// CHECK: return %[[GA]], %[[GB]]
func.func @inputs(%x: !t, %y: !t, %v: !t) -> (!t, !t) {
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %a = aten._leaf %x : (!t) -> !t
  %b = aten._leaf %y : (!t) -> !t
  %p = aten.mul.Tensor %a, %b : (!t, !t) -> !t
  %outputs = jit.list %p : (!t) -> !l
  %one = jit.list %a : (!t) -> !l
  %other = jit.list %b : (!t) -> !l
  %weights = jit.list %v : (!t) -> !w
  %ga = aten._gradient %outputs, %one, %weights, %zero, %false, %false : (!l, !l, !w, i64, i1, i1) -> !t
  %gb = aten._gradient %outputs, %other, %weights, %zero, %false, %false : (!l, !l, !w, i64, i1, i1) -> !t
  return %ga, %gb : !t, !t
}

// -----

!t = !jit.tensor<[3],f32>
!l = !jit.list<!jit.tensor>
!w = !jit.list<!jit.optional<!jit.tensor>>
// By other weights.
// CHECK-LABEL: func.func @weights
// CHECK: %[[A:.*]] = aten.mul.Tensor %arg2, %arg1
// CHECK: %[[GA:.*]] = aten.detach %[[A]]
// CHECK: %[[B:.*]] = aten.mul.Tensor %arg3, %arg1
// CHECK: %[[GB:.*]] = aten.detach %[[B]]
// CHECK: return %[[GA]], %[[GB]]
func.func @weights(%x: !t, %y: !t, %v: !t, %u: !t) -> (!t, !t) {
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %a = aten._leaf %x : (!t) -> !t
  %p = aten.mul.Tensor %a, %y : (!t, !t) -> !t
  %outputs = jit.list %p : (!t) -> !l
  %inputs = jit.list %a : (!t) -> !l
  %one = jit.list %v : (!t) -> !w
  %other = jit.list %u : (!t) -> !w
  %ga = aten._gradient %outputs, %inputs, %one, %zero, %false, %false : (!l, !l, !w, i64, i1, i1) -> !t
  %gb = aten._gradient %outputs, %inputs, %other, %zero, %false, %false : (!l, !l, !w, i64, i1, i1) -> !t
  return %ga, %gb : !t, !t
}

// -----

!t = !jit.tensor<[3],f32>
!l = !jit.list<!jit.tensor>
!w = !jit.list<!jit.optional<!jit.tensor>>
// One of which has gradients of its own: that is not detached.
// CHECK-LABEL: func.func @graph
// CHECK: %[[G:.*]] = aten.mul.Tensor %arg2, %arg1
// CHECK: %[[CUT:.*]] = aten.detach %[[G]]
// CHECK: return %[[CUT]], %[[G]]
func.func @graph(%x: !t, %y: !t, %v: !t) -> (!t, !t) {
  %false = arith.constant false
  %true = arith.constant true
  %zero = arith.constant 0 : i64
  %a = aten._leaf %x : (!t) -> !t
  %p = aten.mul.Tensor %a, %y : (!t, !t) -> !t
  %outputs = jit.list %p : (!t) -> !l
  %inputs = jit.list %a : (!t) -> !l
  %weights = jit.list %v : (!t) -> !w
  %ga = aten._gradient %outputs, %inputs, %weights, %zero, %false, %false : (!l, !l, !w, i64, i1, i1) -> !t
  %gb = aten._gradient %outputs, %inputs, %weights, %zero, %true, %false : (!l, !l, !w, i64, i1, i1) -> !t
  return %ga, %gb : !t, !t
}

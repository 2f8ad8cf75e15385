// RUN: jit-opt %s --jit-expand-gradients | FileCheck %s

// Two gradients of one call of autograd.grad go back once; that of other outputs goes back by itself.

!t = !jit.tensor<[3],f32>
!s = !jit.tensor<[],f32>
!l = !jit.list<!jit.tensor>
!w = !jit.list<!jit.optional<!jit.tensor>>
// CHECK-LABEL: func.func @two
// CHECK: %[[ONE:.*]] = aten.full
// CHECK-NOT: aten.full
// CHECK: %[[SEED:.*]] = aten.expand
// CHECK-NOT: aten.expand
// CHECK: %[[A:.*]] = aten.mul.Tensor %[[SEED]], %arg1
// CHECK: %[[B:.*]] = aten.mul.Tensor %[[SEED]], %arg0
// CHECK: %[[GA:.*]] = aten.detach %[[A]]
// CHECK: %[[GB:.*]] = aten.detach %[[B]]
// CHECK: %[[E:.*]] = aten.exp %arg0
// CHECK: %[[C:.*]] = aten.mul.Tensor %{{.*}}, %[[E]]
// CHECK: %[[GC:.*]] = aten.detach %[[C]]
// CHECK: return %[[GA]], %[[GB]], %[[GC]]
func.func @two(%x: !t, %y: !t) -> (!t, !t, !t) {
  %none = jit.constant !jit.none = unit
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %true = arith.constant true
  %a = aten._leaf %x : (!t) -> !t
  %b = aten._leaf %y : (!t) -> !t
  %p = aten.mul.Tensor %a, %b : (!t, !t) -> !t
  %e = aten.sum %p, %none : (!t, !jit.none) -> !s
  %outputs = jit.list %e : (!s) -> !l
  %inputs = jit.list %a, %b : (!t, !t) -> !l
  %weights = jit.list %none : (!jit.none) -> !w
  %ga = aten._gradient %outputs, %inputs, %weights, %zero, %false, %false : (!l, !l, !w, i64, i1, i1) -> !t
  %gb = aten._gradient %outputs, %inputs, %weights, %one, %false, %false : (!l, !l, !w, i64, i1, i1) -> !t
  %other = aten.exp %a : (!t) -> !t
  %f = aten.sum %other, %none : (!t, !jit.none) -> !s
  %outputs2 = jit.list %f : (!s) -> !l
  %gc = aten._gradient %outputs2, %inputs, %weights, %zero, %false, %true : (!l, !l, !w, i64, i1, i1) -> !t
  return %ga, %gb, %gc : !t, !t, !t
}

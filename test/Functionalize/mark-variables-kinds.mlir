// RUN: jit-opt %s --jit-mark-variables | FileCheck %s

!s = !jit.tensor<[],f32>
!l = !jit.list<!jit.tensor>
!w = !jit.list<!jit.optional<!jit.tensor>>

// All reads of a slot are one variable, which stands before the first of them; another slot is read as it was.
jit.slot @w : !s = #jit.storage<"data/0", 0, []>
jit.slot @v : !s = #jit.storage<"data/1", 0, []>
// CHECK-LABEL: func.func @slots
// CHECK-NEXT: %[[READ:.*]] = jit.slot_get @w
// CHECK-NEXT: %[[VARIABLE:.*]] = aten._variable %[[READ]]
// CHECK-NOT: jit.slot_get @w
// CHECK: %[[V:.*]] = jit.slot_get @v
// CHECK: %[[A:.*]] = aten.mul.Tensor %[[VARIABLE]], %[[V]]
// CHECK-NOT: jit.slot_get @w
// CHECK: aten.mul.Tensor %[[A]], %[[VARIABLE]]
// CHECK: jit.list %[[VARIABLE]]
func.func @slots() -> !s {
  %none = jit.constant !jit.none = unit
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %w = jit.slot_get @w : !s
  %v = jit.slot_get @v : !s
  %a = aten.mul.Tensor %w, %v : (!s, !s) -> !s
  %again = jit.slot_get @w : !s
  %b = aten.mul.Tensor %a, %again : (!s, !s) -> !s
  %outputs = jit.list %b : (!s) -> !l
  %inputs = jit.list %again : (!s) -> !l
  %weights = jit.list %none : (!jit.none) -> !w
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %false, %false : (!l, !l, !w, i64, i1, i1) -> !s
  return %g : !s
}

// An argument of the function is apart from all that is computed, and so is what is a variable already; a loop's variable is not.
// CHECK-LABEL: func.func @apart
// CHECK: %[[VARIABLE:.*]] = aten._variable %arg0
// CHECK-NOT: aten._variable
// CHECK: scf.for {{.*}} iter_args(%[[T:.*]] = %{{.*}})
// CHECK: %[[MARKED:.*]] = aten._variable %[[T]]
// CHECK: aten.exp %[[MARKED]]
// CHECK: jit.list %[[VARIABLE]], %arg1, %[[MARKED]]
func.func @apart(%x: !s, %y: !s, %n: i64) -> !s {
  %none = jit.constant !jit.none = unit
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %v = aten._variable %x : (!s) -> !s
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %y) -> !s : i64 {
    %e = aten.exp %t : (!s) -> !s
    %outputs = jit.list %e : (!s) -> !l
    %inputs = jit.list %v, %y, %t : (!s, !s, !s) -> !l
    %weights = jit.list %none : (!jit.none) -> !w
    %g = aten._gradient %outputs, %inputs, %weights, %zero, %false, %false : (!l, !l, !w, i64, i1, i1) -> !s
    scf.yield %g : !s
  }
  return %r : !s
}

// Of a leaf what it was before stays apart, too: whether it is one is not known yet.
// CHECK-LABEL: func.func @leaf
// CHECK: %[[PRODUCT:.*]] = aten.mul.Tensor
// CHECK: %[[VARIABLE:.*]] = aten._variable %[[PRODUCT]]
// CHECK: aten._leaf %[[VARIABLE]]
// CHECK-NOT: aten._variable
func.func @leaf(%x: !s, %y: !s) -> !s {
  %none = jit.constant !jit.none = unit
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %p = aten.mul.Tensor %x, %y : (!s, !s) -> !s
  %leaf = aten._leaf %p : (!s) -> !s
  %e = aten.exp %leaf : (!s) -> !s
  %outputs = jit.list %e : (!s) -> !l
  %inputs = jit.list %leaf : (!s) -> !l
  %weights = jit.list %none : (!jit.none) -> !w
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %false, %false : (!l, !l, !w, i64, i1, i1) -> !s
  return %g : !s
}

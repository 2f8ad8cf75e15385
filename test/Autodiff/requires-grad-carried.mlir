// RUN: jit-opt %s --jit-expand-gradients --split-input-file | FileCheck %s

// What a loop gives after a number of trips that the call tells requires a gradient where what it begins with and each trip do. What a while
// loop's condition hands on is looked at by its own place, which need not be that of what the loop carries.

!t = !jit.tensor<[2],f32>
// CHECK-LABEL: func.func @for
// CHECK: return %{{true.*}}, %{{false.*}}
func.func @for(%x: !t, %y: !t {jit.requires_grad}, %n: i64) -> (i1, i1) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %y, %b = %x) -> (!t, !t) : i64 {
    %s = aten.sin %a : (!t) -> !t
    %t = aten.sin %b : (!t) -> !t
    scf.yield %s, %t : !t, !t
  }
  %0 = aten.requires_grad %r#0 : (!t) -> i1
  %1 = aten.requires_grad %r#1 : (!t) -> i1
  return %0, %1 : i1, i1
}

// -----

!t = !jit.tensor<[2],f32>
// CHECK-LABEL: func.func @while
// CHECK: scf.yield %{{.*}}, %{{.*}}, %{{false.*}}, %{{true.*}} :
// CHECK: return %{{.*}}#2, %{{.*}}#3
func.func @while(%x: !t, %y: !t {jit.requires_grad}, %c: i1) -> (i1, i1) {
  %no = arith.constant false
  %r:4 = scf.while (%a = %y, %b = %x, %p = %no, %q = %no) : (!t, !t, i1, i1) -> (!t, !t, i1, i1) {
    scf.condition(%c) %b, %a, %p, %q : !t, !t, i1, i1
  } do {
  ^bb0(%b: !t, %a: !t, %p: i1, %q: i1):
    %0 = aten.requires_grad %b : (!t) -> i1
    %1 = aten.requires_grad %a : (!t) -> i1
    %s = aten.sin %a : (!t) -> !t
    %t = aten.sin %b : (!t) -> !t
    scf.yield %s, %t, %0, %1 : !t, !t, i1, i1
  }
  return %r#2, %r#3 : i1, i1
}

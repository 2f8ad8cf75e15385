// RUN: jit-opt %s --jit-expand-gradients --split-input-file | FileCheck %s

// Whether what loops and branches give requires a gradient.

!t = !jit.tensor<[2],f32>

// A loop's variable does where it begins with what does; where each trip that is run gives what does, what the loop gives does, too.
// CHECK-LABEL: func.func @for
// CHECK: return %{{true.*}}, %{{true.*}}, %{{false.*}}, %{{true.*}}
func.func @for(%x: !t, %y: !t {jit.requires_grad}) -> (i1, i1, i1, i1) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %kept:3 = scf.for %i = %zero to %three step %one iter_args(%a = %y, %b = %x, %c = %x) -> (!t, !t, !t) : i64 {
    %s = aten.sin %a : (!t) -> !t
    %n = aten.neg %c : (!t) -> !t
    scf.yield %s, %y, %n : !t, !t, !t
  }
  %inside = scf.for %i = %zero to %three step %one iter_args(%r = %x) -> !t : i64 {
    %s = aten.mul.Tensor %r, %y : (!t, !t) -> !t
    scf.yield %s : !t
  }
  %0 = aten.requires_grad %kept#0 : (!t) -> i1
  %1 = aten.requires_grad %kept#1 : (!t) -> i1
  %2 = aten.requires_grad %kept#2 : (!t) -> i1
  %3 = aten.requires_grad %inside : (!t) -> i1
  return %0, %1, %2, %3 : i1, i1, i1, i1
}

// -----

!t = !jit.tensor<[2],f32>

// Inside, a variable that begins with what does, and goes on with it, does.
// CHECK-LABEL: func.func @inside
// CHECK: scf.for
// CHECK: scf.yield %{{.*}}, %{{true.*}} : !jit.tensor<[2],f32>, i1
func.func @inside(%y: !t {jit.requires_grad}, %n: i64) -> (!t, i1) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %no = arith.constant false
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %y, %was = %no) -> (!t, i1) : i64 {
    %asked = aten.requires_grad %a : (!t) -> i1
    %s = aten.sin %a : (!t) -> !t
    scf.yield %s, %asked : !t, i1
  }
  return %r#0, %r#1 : !t, i1
}

// -----

!t = !jit.tensor<[2],f32>

// Of a while loop the condition hands it on, to the body and out of the loop.
// CHECK-LABEL: func.func @while
// CHECK: scf.yield %{{.*}}, %{{.*}}, %{{true.*}}, %{{false.*}} :
// CHECK: return %{{true.*}}, %{{false.*}}
func.func @while(%x: !t, %y: !t {jit.requires_grad}, %c: i1) -> (i1, i1) {
  %no = arith.constant false
  %r:4 = scf.while (%a = %y, %b = %x, %p = %no, %q = %no) : (!t, !t, i1, i1) -> (!t, !t, i1, i1) {
    scf.condition(%c) %a, %b, %p, %q : !t, !t, i1, i1
  } do {
  ^bb0(%a: !t, %b: !t, %p: i1, %q: i1):
    %0 = aten.requires_grad %a : (!t) -> i1
    %1 = aten.requires_grad %b : (!t) -> i1
    %s = aten.sin %a : (!t) -> !t
    %t = aten.sin %b : (!t) -> !t
    scf.yield %s, %t, %0, %1 : !t, !t, i1, i1
  }
  %0 = aten.requires_grad %r#0 : (!t) -> i1
  %1 = aten.requires_grad %r#1 : (!t) -> i1
  return %0, %1 : i1, i1
}

// -----

!t = !jit.tensor<[2],f32>

// Of a branch both ways do, or neither.
// CHECK-LABEL: func.func @branch
// CHECK: return %{{true.*}}, %{{false.*}}
func.func @branch(%x: !t, %y: !t {jit.requires_grad}, %c: i1) -> (i1, i1) {
  %r:2 = scf.if %c -> (!t, !t) {
    %s = aten.sin %y : (!t) -> !t
    %n = aten.sin %x : (!t) -> !t
    scf.yield %s, %n : !t, !t
  } else {
    scf.yield %y, %x : !t, !t
  }
  %0 = aten.requires_grad %r#0 : (!t) -> i1
  %1 = aten.requires_grad %r#1 : (!t) -> i1
  return %0, %1 : i1, i1
}

// -----

!t = !jit.tensor<[2],f32>

// Joined of a list, one of whose tensors does; under a wider type; of state that is a parameter, and of other state.
jit.slot parameter @w : !t = #jit.storage<"data/0", 0, [1]>
jit.slot @s : !t = #jit.storage<"data/1", 0, [1]>
// CHECK-LABEL: func.func @others
// CHECK: return %{{true.*}}, %{{false.*}}, %{{true.*}}, %{{true.*}}, %{{false.*}}
func.func @others(%x: !t, %y: !t {jit.requires_grad}, %w: !t {jit.slot = "w"}, %s: !t {jit.slot = "s"}) -> (i1, i1, i1, i1, i1) {
  %zero = arith.constant 0 : i64
  %mixed = jit.list %x, %y, %x : (!t, !t, !t) -> !jit.list<!t>
  %plain = jit.list %x, %x : (!t, !t) -> !jit.list<!t>
  %a = aten.cat %mixed, %zero : (!jit.list<!t>, i64) -> !jit.tensor<[6],f32>
  %b = aten.cat %plain, %zero : (!jit.list<!t>, i64) -> !jit.tensor<[4],f32>
  %c = jit.derefine %y : !t to !jit.tensor<[?],f32>
  %0 = aten.requires_grad %a : (!jit.tensor<[6],f32>) -> i1
  %1 = aten.requires_grad %b : (!jit.tensor<[4],f32>) -> i1
  %2 = aten.requires_grad %c : (!jit.tensor<[?],f32>) -> i1
  %3 = aten.requires_grad %w : (!t) -> i1
  %4 = aten.requires_grad %s : (!t) -> i1
  return %0, %1, %2, %3, %4 : i1, i1, i1, i1, i1
}

// RUN: jit-opt %s --jit-functionalize-tensors | FileCheck %s

// What is written before alone is one of several memories that nothing more is asked of: no flags are carried, and no places known.

!m = !jit.tensor<[2,2],f32>

// CHECK-LABEL: func.func @branch(
// CHECK: scf.if %{{.*}} -> (!jit.tensor<[2,2],f32>) {
// CHECK-NOT: arith.xori
func.func @branch(%x: !m, %v: !m, %c: i1) -> (!m, !m) {
  %y = aten.relu %x : (!m) -> !m
  %z = aten.tanh %x : (!m) -> !m
  %w = jit.overwrite %y, %v : (!m, !m) -> !m
  %b = scf.if %c -> !m {
    %t = aten.t %y : (!m) -> !m
    scf.yield %t : !m
  } else {
    %t = aten.t %z : (!m) -> !m
    scf.yield %t : !m
  }
  return %y, %b : !m, !m
}

// CHECK-LABEL: func.func @for(
// CHECK: scf.for {{.*}} iter_args(%{{[a-z0-9]+}} = %{{[a-z0-9]+}}) ->
func.func @for(%x: !m, %v: !m, %n: i64) -> (!m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %w = jit.overwrite %y, %v : (!m, !m) -> !m
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %y) -> !m : i64 {
    %u = aten.t %t : (!m) -> !m
    scf.yield %u : !m
  }
  return %y, %r : !m, !m
}

// CHECK-LABEL: func.func @while(
// CHECK: scf.while (%{{[a-z0-9]+}} = %{{[a-z0-9]+}}, %{{[a-z0-9]+}} = %{{[a-z0-9]+}}) :
func.func @while(%x: !m, %v: !m, %c: i1) -> (!m, !m) {
  %y = aten.relu %x : (!m) -> !m
  %w = jit.overwrite %y, %v : (!m, !m) -> !m
  %r:2 = scf.while (%t = %y, %go = %c) : (!m, i1) -> (!m, i1) {
    scf.condition(%go) %t, %go : !m, i1
  } do {
  ^bb0(%t: !m, %go: i1):
    %u = aten.t %t : (!m) -> !m
    %no = arith.constant false
    scf.yield %u, %no : !m, i1
  }
  return %y, %r#0 : !m, !m
}

// CHECK-LABEL: func.func @element(
// CHECK-NOT: arith.cmpi
func.func @element(%x: !m, %v: !m, %n: i64) -> (!m, !m) {
  %y = aten.relu %x : (!m) -> !m
  %z = aten.tanh %x : (!m) -> !m
  %w = jit.overwrite %y, %v : (!m, !m) -> !m
  %l = jit.list %y, %z : (!m, !m) -> !jit.list<!m>
  %e = aten.__getitem__.t %l, %n : (!jit.list<!m>, i64) -> !m
  return %y, %e : !m, !m
}

// CHECK-LABEL: func.func @unpacked(
// CHECK: jit.list_unpack
func.func @unpacked(%x: !m, %v: !m, %l: !jit.list<!m>, %c: i1) -> (!m, !m, !m) {
  %y = aten.relu %x : (!m) -> !m
  %w = jit.overwrite %y, %v : (!m, !m) -> !m
  %b = scf.if %c -> !jit.list<!m> {
    %k = jit.list %y, %y : (!m, !m) -> !jit.list<!m>
    scf.yield %k : !jit.list<!m>
  } else {
    scf.yield %l : !jit.list<!m>
  }
  %p, %q = jit.list_unpack %b : (!jit.list<!m>) -> (!m, !m)
  return %y, %p, %q : !m, !m, !m
}

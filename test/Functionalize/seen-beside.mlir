// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --cse | FileCheck %s

// A branch gives a tensor that is used beside it, or is not: where it is, both names see what is written.

!m = !jit.tensor<[2,2],f32>

// Nothing reads the first name, but it is what is written.
// CHECK-LABEL: func.func @written_beside(
// CHECK-SAME: %[[X:[a-z0-9]+]]:{{.*}}%[[V:[a-z0-9]+]]:{{.*}}%[[C:[a-z0-9]+]]: i1
// CHECK: %[[Z:.*]] = aten.tanh %[[X]]
// CHECK: %[[B:.*]] = arith.select %[[C]], %[[V]], %[[Z]]
// CHECK: return %[[B]]
func.func @written_beside(%x: !m, %v: !m, %c: i1) -> !m {
  %y = aten.relu %x : (!m) -> !m
  %z = aten.tanh %x : (!m) -> !m
  %b = scf.if %c -> !m {
    scf.yield %y : !m
  } else {
    scf.yield %z : !m
  }
  %w = jit.overwrite %y, %v : (!m, !m) -> !m
  return %b : !m
}

// Sizes stay what they were: only they are asked for, so nothing tells the names apart.
// CHECK-LABEL: func.func @sizes_beside(
// CHECK-SAME: %[[X:[a-z0-9]+]]:{{.*}}%[[V:[a-z0-9]+]]:
// CHECK: %[[Y:.*]] = aten.relu %[[X]]
// CHECK-NOT: arith.xori
// CHECK: %[[N:.*]] = aten.numel %[[Y]]
// CHECK: return %{{.*}}, %[[N]]
func.func @sizes_beside(%x: !jit.tensor<[?,?],f32>, %v: !jit.tensor<[?,?],f32>, %c: i1) -> (!jit.tensor<[?,?],f32>, i64) {
  %y = aten.relu %x : (!jit.tensor<[?,?],f32>) -> !jit.tensor<[?,?],f32>
  %z = aten.tanh %x : (!jit.tensor<[?,?],f32>) -> !jit.tensor<[?,?],f32>
  %b = scf.if %c -> !jit.tensor<[?,?],f32> {
    scf.yield %y : !jit.tensor<[?,?],f32>
  } else {
    scf.yield %z : !jit.tensor<[?,?],f32>
  }
  %w = jit.overwrite %b, %v : (!jit.tensor<[?,?],f32>, !jit.tensor<[?,?],f32>) -> !jit.tensor<[?,?],f32>
  %n = aten.numel %y : (!jit.tensor<[?,?],f32>) -> i64
  return %b, %n : !jit.tensor<[?,?],f32>, i64
}

// An operator that other ones make up, and that gives a tensor, reads elements.
// CHECK-LABEL: func.func @elements_beside(
// CHECK-SAME: %[[X:[a-z0-9]+]]:{{.*}}%[[V:[a-z0-9]+]]:{{.*}}%[[C:[a-z0-9]+]]: i1
// CHECK: %[[Y:.*]] = aten.relu %[[X]]
// CHECK: %[[Y2:.*]] = arith.select %[[C]], %[[V]], %[[Y]]
// CHECK: aten.silu %[[Y2]]
func.func @elements_beside(%x: !m, %v: !m, %c: i1) -> (!m, !m) {
  %y = aten.relu %x : (!m) -> !m
  %z = aten.tanh %x : (!m) -> !m
  %b = scf.if %c -> !m {
    scf.yield %y : !m
  } else {
    scf.yield %z : !m
  }
  %w = jit.overwrite %b, %v : (!m, !m) -> !m
  %s = aten.silu %y : (!m) -> !m
  return %b, %s : !m, !m
}

// What a loop begins with is one of two, which are used behind it; nothing but the loop uses the name of the one.
// CHECK-LABEL: func.func @name_of_a_branch(
// CHECK-SAME: %[[X:[a-z0-9]+]]:{{.*}}%[[V:[a-z0-9]+]]:{{.*}}%[[C:[a-z0-9]+]]: i1
// CHECK: %[[OTHER:.*]] = arith.xori %[[C]], %true
// CHECK: scf.for {{.*}} iter_args(%{{[a-z0-9]+}} = %{{[a-z0-9]+}}, %{{[a-z0-9]+}} = %true,
func.func @name_of_a_branch(%x: !m, %v: !m, %c: i1, %n: i64) -> (!m, !m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %z = aten.tanh %x : (!m) -> !m
  %b = scf.if %c -> !m {
    scf.yield %y : !m
  } else {
    scf.yield %z : !m
  }
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %b) -> !m : i64 {
    %w = jit.overwrite %t, %v : (!m, !m) -> !m
    %u = aten.sigmoid %t : (!m) -> !m
    scf.yield %u : !m
  }
  return %r, %y, %z : !m, !m, !m
}

// Two variables that begin as nothing are not one because of it.
// CHECK-LABEL: func.func @begins_as_nothing(
// CHECK: scf.for {{.*}} iter_args(%{{[a-z0-9]+}} = %{{[a-z0-9]+}}, %{{[a-z0-9]+}} = %{{[a-z0-9]+}}) ->
func.func @begins_as_nothing(%x: !m, %v: !m, %n: i64) -> (!m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %p = jit.poison : !m
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %p, %b = %p) -> (!m, !m) : i64 {
    %w = jit.overwrite %a, %v : (!m, !m) -> !m
    %s = aten.tanh %a : (!m) -> !m
    %k = aten.sigmoid %b : (!m) -> !m
    scf.yield %s, %k : !m, !m
  }
  return %r#0, %r#1 : !m, !m
}

// Nor two that become nothing.
// CHECK-LABEL: func.func @becomes_nothing(
// CHECK: scf.for {{.*}} iter_args(%{{[a-z0-9]+}} = %{{[a-z0-9]+}}, %{{[a-z0-9]+}} = %{{[a-z0-9]+}}) ->
func.func @becomes_nothing(%x: !m, %v: !m, %n: i64) -> (!m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %z = aten.tanh %x : (!m) -> !m
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %y, %b = %z) -> (!m, !m) : i64 {
    %w = jit.overwrite %a, %v : (!m, !m) -> !m
    %p = jit.poison : !m
    scf.yield %p, %p : !m, !m
  }
  return %r#0, %r#1 : !m, !m
}

// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --cse | FileCheck %s

// How many places a tensor of open sizes has follows from what it is made of: as many as the largest of what that may be.

!s = !jit.tensor<[2,3],f32>
!q = !jit.tensor<[3,3],f32>
!o = !jit.tensor<[?,?],f32>

// Two of a list one after the other: four or six rows of three.
// CHECK-LABEL: func.func @of_a_list(
// CHECK: aten.zeros {{.*}} -> !jit.tensor<[18],f32>
// CHECK: scf.for
func.func @of_a_list(%x: !s, %z: !q, %c: i1, %n: i64) -> (!o, !o) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %bs = aten.relu %x : (!s) -> !s
  %bq = aten.relu %z : (!q) -> !q
  %b0 = jit.derefine %bs : !s to !o
  %b1 = jit.derefine %bq : !q to !o
  %bl = jit.list %b0, %b1 : (!o, !o) -> !jit.list<!o>
  %b = aten.__getitem__.t %bl, %n : (!jit.list<!o>, i64) -> !o
  %l = jit.list %b, %b : (!o, !o) -> !jit.list<!o>
  %k = aten.cat %l, %zero : (!jit.list<!o>, i64) -> !o
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %k) -> !o : i64 {
    %e = aten.tanh %t : (!o) -> !o
    %w = jit.overwrite %t, %e : (!o, !o) -> !o
    %u = aten.t %t : (!o) -> !o
    scf.yield %u : !o
  }
  return %k, %r : !o, !o
}

// One of a list, by a number.
// CHECK-LABEL: func.func @picked(
// CHECK: aten.zeros {{.*}} -> !jit.tensor<[9],f32>
// CHECK: scf.for
func.func @picked(%x: !s, %z: !q, %c: i1, %n: i64) -> (!o, !o) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %bs = aten.relu %x : (!s) -> !s
  %bq = aten.relu %z : (!q) -> !q
  %b0 = jit.derefine %bs : !s to !o
  %b1 = jit.derefine %bq : !q to !o
  %bl = jit.list %b0, %b1 : (!o, !o) -> !jit.list<!o>
  %b = aten.__getitem__.t %bl, %n : (!jit.list<!o>, i64) -> !o
  %ds = aten.tanh %x : (!s) -> !s
  %dq = aten.tanh %z : (!q) -> !q
  %d0 = jit.derefine %ds : !s to !o
  %d1 = jit.derefine %dq : !q to !o
  %dl = jit.list %d0, %d1 : (!o, !o) -> !jit.list<!o>
  %d = aten.__getitem__.t %dl, %n : (!jit.list<!o>, i64) -> !o
  %l = jit.list %b, %d : (!o, !o) -> !jit.list<!o>
  %p = aten.__getitem__.t %l, %n : (!jit.list<!o>, i64) -> !o
  %k = aten.sigmoid %p : (!o) -> !o
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %k) -> !o : i64 {
    %e = aten.tanh %t : (!o) -> !o
    %w = jit.overwrite %t, %e : (!o, !o) -> !o
    %u = aten.t %t : (!o) -> !o
    scf.yield %u : !o
  }
  return %k, %r : !o, !o
}

// Three rows do not go together with two, so there are two.
// CHECK-LABEL: func.func @misfit(
// CHECK: aten.zeros {{.*}} -> !jit.tensor<[6],f32>
// CHECK: scf.for
func.func @misfit(%x: !s, %z: !q, %c: i1, %n: i64) -> (!o, !o) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %bs = aten.relu %x : (!s) -> !s
  %bq = aten.relu %z : (!q) -> !q
  %b0 = jit.derefine %bs : !s to !o
  %b1 = jit.derefine %bq : !q to !o
  %bl = jit.list %b0, %b1 : (!o, !o) -> !jit.list<!o>
  %b = aten.__getitem__.t %bl, %n : (!jit.list<!o>, i64) -> !o
  %k = aten.add.Tensor %b, %x, %one : (!o, !s, i64) -> !o
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %k) -> !o : i64 {
    %e = aten.tanh %t : (!o) -> !o
    %w = jit.overwrite %t, %e : (!o, !o) -> !o
    %u = aten.t %t : (!o) -> !o
    scf.yield %u : !o
  }
  return %k, %r : !o, !o
}

// Two of which each may be either go together where they are alike.
// CHECK-LABEL: func.func @combined(
// CHECK: aten.zeros {{.*}} -> !jit.tensor<[9],f32>
// CHECK: scf.for
func.func @combined(%x: !s, %z: !q, %c: i1, %n: i64) -> (!o, !o) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %bs = aten.relu %x : (!s) -> !s
  %bq = aten.relu %z : (!q) -> !q
  %b0 = jit.derefine %bs : !s to !o
  %b1 = jit.derefine %bq : !q to !o
  %bl = jit.list %b0, %b1 : (!o, !o) -> !jit.list<!o>
  %b = aten.__getitem__.t %bl, %n : (!jit.list<!o>, i64) -> !o
  %ds = aten.tanh %x : (!s) -> !s
  %dq = aten.tanh %z : (!q) -> !q
  %d0 = jit.derefine %ds : !s to !o
  %d1 = jit.derefine %dq : !q to !o
  %dl = jit.list %d0, %d1 : (!o, !o) -> !jit.list<!o>
  %d = aten.__getitem__.t %dl, %n : (!jit.list<!o>, i64) -> !o
  %k = aten.add.Tensor %b, %d, %one : (!o, !o, i64) -> !o
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %k) -> !o : i64 {
    %e = aten.tanh %t : (!o) -> !o
    %w = jit.overwrite %t, %e : (!o, !o) -> !o
    %u = aten.t %t : (!o) -> !o
    scf.yield %u : !o
  }
  return %k, %r : !o, !o
}

// What a trip makes of the variable, or of one row, has as many elements as the variable may have by then: six, as what the loop begins with, one row, what a trip makes, and what it hands on.
// CHECK-LABEL: func.func @grows(
// CHECK: aten.zeros {{.*}} -> !jit.tensor<[21],f32>
// CHECK: scf.for
func.func @grows(%x: !s, %q: !jit.tensor<[1,3],f32>, %n: i64) -> (!o, !o) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!s) -> !s
  %z = aten.relu %q : (!jit.tensor<[1,3],f32>) -> !jit.tensor<[1,3],f32>
  %first = jit.derefine %y : !s to !o
  %row = jit.derefine %z : !jit.tensor<[1,3],f32> to !o
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %first) -> !o : i64 {
    %either = jit.list %t, %row : (!o, !o) -> !jit.list<!o>
    %p = aten.__getitem__.t %either, %i : (!jit.list<!o>, i64) -> !o
    %made = aten.tanh %p : (!o) -> !o
    %e = aten.sigmoid %t : (!o) -> !o
    %w = jit.overwrite %t, %e : (!o, !o) -> !o
    %turned = aten.t %t : (!o) -> !o
    %both = jit.list %turned, %made : (!o, !o) -> !jit.list<!o>
    %u = aten.__getitem__.t %both, %i : (!jit.list<!o>, i64) -> !o
    scf.yield %u : !o
  }
  return %first, %r : !o, !o
}

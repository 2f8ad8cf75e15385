// RUN: jit-opt %s --jit-specialize="args=f32[5,4],?int" --split-input-file | FileCheck %s

// What trips do with a list but append to it once: it is carried packed, with its length, and has as many elements as were appended.

!l = !jit.list<!jit.tensor>

// Only where data say so.
// CHECK-LABEL: func.func @forward
// CHECK: scf.for {{.*}} iter_args(%[[T:.*]] = %{{.*}}) -> (!jit.tensor<[?,5,4],f32>)
// CHECK: %[[B:.*]] = scf.if
// CHECK: %[[MORE:.*]] = aten.cat
// CHECK: scf.yield %[[MORE]]
// CHECK: scf.yield %[[T]]
// CHECK: scf.yield %[[B]]
func.func @forward(%x: !jit.tensor, %n: i64) -> (!jit.tensor, i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %none = jit.constant !jit.none = unit
  %s = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %d = aten.Bool.Tensor %s : (!jit.tensor) -> i1
  %start = jit.list %x : (!jit.tensor) -> !l
  %all, %count = scf.for %i = %zero to %n step %one iter_args(%list = %start, %k = %zero) -> (!l, i64) : i64 {
    %row = aten.mul.Scalar %x, %i : (!jit.tensor, i64) -> !jit.tensor
    %longer = scf.if %d -> !l {
      %more = jit.list_append %list, %row : (!l, !jit.tensor) -> !l
      scf.yield %more : !l
    } else {
      scf.yield %list : !l
    }
    scf.yield %longer, %k : !l, i64
  }
  %r = aten.stack %all, %zero : (!l, i64) -> !jit.tensor
  return %r, %count : !jit.tensor, i64
}

// -----

!l = !jit.list<!jit.tensor>

// Twice.
// CHECK-LABEL: func.func @forward
// CHECK: scf.for {{.*}} iter_args(%[[T:.*]] = %{{.*}}) -> (!jit.tensor<[?,5,4],f32>)
// CHECK: %[[ONE:.*]] = jit.list %[[T]],
// CHECK: %[[MORE:.*]] = aten.cat %[[ONE]]
// CHECK: %[[TWO:.*]] = jit.list %[[MORE]],
// CHECK: %[[LONGER:.*]] = aten.cat %[[TWO]]
// CHECK: scf.yield %[[LONGER]]
func.func @forward(%x: !jit.tensor, %n: i64) -> (!jit.tensor, i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %none = jit.constant !jit.none = unit
  %s = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %d = aten.Bool.Tensor %s : (!jit.tensor) -> i1
  %start = jit.list %x : (!jit.tensor) -> !l
  %all, %count = scf.for %i = %zero to %n step %one iter_args(%list = %start, %k = %zero) -> (!l, i64) : i64 {
    %row = aten.mul.Scalar %x, %i : (!jit.tensor, i64) -> !jit.tensor
    %more = jit.list_append %list, %row : (!l, !jit.tensor) -> !l
    %longer = jit.list_append %more, %row : (!l, !jit.tensor) -> !l
    scf.yield %longer, %k : !l, i64
  }
  %r = aten.stack %all, %zero : (!l, i64) -> !jit.tensor
  return %r, %count : !jit.tensor, i64
}

// -----

!l = !jit.list<!jit.tensor>

// Each trip asks how long it is.
// CHECK-LABEL: func.func @forward
// CHECK: scf.for {{.*}} iter_args(%[[T:.*]] = %{{.*}}, %[[K:.*]] = %{{.*}}) -> (!jit.tensor<[?,5,4],f32>, i64)
// CHECK: %[[LONGER:.*]] = aten.cat
// CHECK: %[[LENGTH:.*]] = aten.size.int %[[T]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[K]], %[[LENGTH]]
// CHECK: scf.yield %[[LONGER]], %[[NEXT]]
func.func @forward(%x: !jit.tensor, %n: i64) -> (!jit.tensor, i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %none = jit.constant !jit.none = unit
  %s = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %d = aten.Bool.Tensor %s : (!jit.tensor) -> i1
  %start = jit.list %x : (!jit.tensor) -> !l
  %all, %count = scf.for %i = %zero to %n step %one iter_args(%list = %start, %k = %zero) -> (!l, i64) : i64 {
    %row = aten.mul.Scalar %x, %i : (!jit.tensor, i64) -> !jit.tensor
    %longer = jit.list_append %list, %row : (!l, !jit.tensor) -> !l
    %length = aten.len.t %list : (!l) -> i64
    %next = arith.addi %k, %length : i64
    scf.yield %longer, %next : !l, i64
  }
  %r = aten.stack %all, %zero : (!l, i64) -> !jit.tensor
  return %r, %count : !jit.tensor, i64
}

// -----

!l = !jit.list<!jit.tensor>

// To the list that the loop began with, again and again.
// CHECK-LABEL: func.func @forward
// CHECK: scf.for {{.*}} -> (!jit.tensor<[?,5,4],f32>)
// CHECK: %[[ROW:.*]] = aten.mul.Scalar
// CHECK: %[[TWO:.*]] = jit.list %arg0, %[[ROW]]
// CHECK: %[[LONGER:.*]] = aten.stack %{{.*}} -> !jit.tensor<[2,5,4],f32>
// CHECK: %[[OPEN:.*]] = jit.derefine %[[LONGER]]
// CHECK: scf.yield %[[OPEN]]
func.func @forward(%x: !jit.tensor, %n: i64) -> (!jit.tensor, i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %none = jit.constant !jit.none = unit
  %s = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %d = aten.Bool.Tensor %s : (!jit.tensor) -> i1
  %start = jit.list %x : (!jit.tensor) -> !l
  %all, %count = scf.for %i = %zero to %n step %one iter_args(%list = %start, %k = %zero) -> (!l, i64) : i64 {
    %row = aten.mul.Scalar %x, %i : (!jit.tensor, i64) -> !jit.tensor
    %longer = jit.list_append %start, %row : (!l, !jit.tensor) -> !l
    scf.yield %longer, %k : !l, i64
  }
  %r = aten.stack %all, %zero : (!l, i64) -> !jit.tensor
  return %r, %count : !jit.tensor, i64
}

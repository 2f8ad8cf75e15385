// RUN: jit-opt %s --split-input-file --jit-specialize="args=f32[2,3],f32[4],?bool,?bool" | FileCheck %s

// What the ways of a branch on data give together.

!l = !jit.list<!jit.tensor>
// Each way ends the call with an exception: what follows is not there.
// CHECK-LABEL: func.func @forward
// CHECK: scf.if %arg2
// CHECK: jit.guard
// CHECK: } else {
// CHECK: jit.guard
// CHECK-NOT: aten.exp
func.func @forward(%x: !jit.tensor, %y: !jit.tensor, %c: i1, %d: i1) -> !jit.tensor {
  %one = arith.constant 1 : i64
  %r = scf.if %c -> !jit.tensor {
    %a = aten.add.Tensor %x, %y, %one : (!jit.tensor, !jit.tensor, i64) -> !jit.tensor
    scf.yield %a : !jit.tensor
  } else {
    %a = aten.mul.Tensor %x, %y : (!jit.tensor, !jit.tensor) -> !jit.tensor
    scf.yield %a : !jit.tensor
  }
  %e = aten.exp %r : (!jit.tensor) -> !jit.tensor
  return %e : !jit.tensor
}

// -----

!l = !jit.list<!jit.tensor>
// A list that one way alone gives is made after the branch, of what that gives.
// CHECK-LABEL: func.func @forward
// CHECK-SAME: jit.outputs = [{value = ["list", 0, 1]}, {value = 2 : i64}]
// CHECK: %[[E:.*]] = scf.if %arg2 -> (!jit.tensor<[2,3],f32>)
// CHECK: %[[GIVEN:.*]] = aten.exp %arg0
// CHECK: scf.yield %[[GIVEN]]
// CHECK: } else {
// CHECK: %[[NONE:.*]] = jit.poison : !jit.tensor<[2,3],f32>
// CHECK: scf.yield %[[NONE]]
// CHECK: return %[[E]], %arg0, %c2_i64
func.func @forward(%x: !jit.tensor, %y: !jit.tensor, %c: i1, %d: i1) -> (!l, i64) {
  %one = arith.constant 1 : i64
  %p = jit.poison : !l
  %r = scf.if %c -> !l {
    %e = aten.exp %x : (!jit.tensor) -> !jit.tensor
    %k = jit.list %e, %x : (!jit.tensor, !jit.tensor) -> !l
    scf.yield %k : !l
  } else {
    scf.yield %p : !l
  }
  %n = aten.len.t %r : (!l) -> i64
  return %r, %n : !l, i64
}

// -----

!l = !jit.list<!jit.tensor>
// The same where it is the other way.
// CHECK-LABEL: func.func @forward
// CHECK-SAME: jit.outputs = [{value = ["list", 0]}, {value = 1 : i64}]
// CHECK: %[[E:.*]] = scf.if %arg2 -> (!jit.tensor<[2,3],f32>)
// CHECK: %[[NONE:.*]] = jit.poison : !jit.tensor<[2,3],f32>
// CHECK: scf.yield %[[NONE]]
// CHECK: } else {
// CHECK: %[[GIVEN:.*]] = aten.exp %arg0
// CHECK: scf.yield %[[GIVEN]]
// CHECK: return %[[E]], %c1_i64
func.func @forward(%x: !jit.tensor, %y: !jit.tensor, %c: i1, %d: i1) -> (!l, i64) {
  %p = jit.poison : !l
  %r = scf.if %c -> !l {
    scf.yield %p : !l
  } else {
    %e = aten.exp %x : (!jit.tensor) -> !jit.tensor
    %k = jit.list %e : (!jit.tensor) -> !l
    scf.yield %k : !l
  }
  %n = aten.len.t %r : (!l) -> i64
  return %r, %n : !l, i64
}

// -----

!l = !jit.list<!jit.tensor>
// What neither way gives is no result of the branch.
// CHECK-LABEL: func.func @forward
// CHECK: %[[R:.*]] = scf.if %arg2 -> (!jit.tensor<[2,3],f32>)
// CHECK: return %[[R]]
func.func @forward(%x: !jit.tensor, %y: !jit.tensor, %c: i1, %d: i1) -> !jit.tensor {
  %p = jit.poison : !jit.tensor
  %r:2 = scf.if %c -> (!jit.tensor, !jit.tensor) {
    %e = aten.exp %x : (!jit.tensor) -> !jit.tensor
    scf.yield %p, %e : !jit.tensor, !jit.tensor
  } else {
    scf.yield %p, %x : !jit.tensor, !jit.tensor
  }
  return %r#1 : !jit.tensor
}

// -----

!l = !jit.list<!jit.tensor>
// Constants that are equal are one, which is known after the branch.
// CHECK-LABEL: func.func @forward
// CHECK: %[[R:.*]] = scf.if %arg2 -> (i64)
// CHECK: return %c7_i64, %[[R]], %cst
func.func @forward(%x: !jit.tensor, %y: !jit.tensor, %c: i1, %d: i1) -> (i64, i64, f64) {
  %r:3 = scf.if %c -> (i64, i64, f64) {
    %a = arith.constant 7 : i64
    %b = arith.constant 8 : i64
    %f = arith.constant 1.0 : f64
    scf.yield %a, %b, %f : i64, i64, f64
  } else {
    %a = arith.constant 7 : i64
    %b = arith.constant 9 : i64
    %f = arith.constant 1.0 : f64
    scf.yield %a, %b, %f : i64, i64, f64
  }
  return %r#0, %r#1, %r#2 : i64, i64, f64
}

// RUN: jit-opt %s --jit-specialize="args=f32[2,3]" --canonicalize | FileCheck %s

// Where what follows a branch is evaluated in each of its ways, the negation of its condition is known, too: a loop that ends where a branch in it returned has no second trip there.
// CHECK-LABEL: func.func @forward
// CHECK: %[[C:.*]] = arith.cmpf
// CHECK-NOT: arith.xori
// CHECK: scf.if %[[C]]
// CHECK-NOT: scf.if
// CHECK: aten.relu
// CHECK-NOT: scf.if
// CHECK: return
func.func @forward(%x: !jit.tensor) -> (!jit.tensor, i64) {
  %zero = arith.constant 0 : i64
  %true = arith.constant true
  %none = jit.constant !jit.none = unit
  %sum = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %returns = aten.Bool.Tensor %sum : (!jit.tensor) -> i1
  %goesOn = arith.xori %returns, %true : i1
  %y = scf.if %returns -> !jit.tensor {
    %row = aten.select.int %x, %zero, %zero : (!jit.tensor, i64, i64) -> !jit.tensor
    scf.yield %row : !jit.tensor
  } else {
    scf.yield %x : !jit.tensor
  }
  %z = scf.if %goesOn -> !jit.tensor {
    %next = aten.relu %y : (!jit.tensor) -> !jit.tensor
    scf.yield %next : !jit.tensor
  } else {
    scf.yield %y : !jit.tensor
  }
  %rank = aten.dim %z : (!jit.tensor) -> i64
  return %z, %rank : !jit.tensor, i64
}

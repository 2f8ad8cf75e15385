// RUN: jit-opt %s --jit-propagate-absent --canonicalize | FileCheck %s

!t = !jit.tensor<[4],f32>

// A backward function is linear in its gradients: of operators of any kind, and of loops, nothing is left that depends on absent ones alone.
// CHECK-LABEL: func.func @operators
// CHECK-SAME: %[[G:[a-z0-9]+]]: !jit.tensor<[4],f32> {jit.grad_of = 0
// CHECK-NEXT: return %[[G]]
func.func @operators(%g: !t {jit.grad_of = 0}, %x: !t {jit.residual = 0}, %n: index) -> !t {
  %u = jit.absent : !t
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %none = jit.constant !jit.none = unit
  %first = arith.constant 0 : index
  %next = arith.constant 1 : index
  %sums = aten.cumsum %u, %zero, %none : (!t, i64, !jit.none) -> !t
  %dims = jit.list %zero : (i64) -> !jit.list<i64>
  %flipped = aten.flip %sums, %dims : (!t, !jit.list<i64>) -> !t
  %zeros = aten.zeros_like %x, %none, %none, %none, %none, %none : (!t, !jit.none, !jit.none, !jit.none, !jit.none, !jit.none) -> !t
  %loop = scf.for %i = %first to %n step %next iter_args(%sum = %zeros) -> !t {
    %product = aten.mul.Tensor %flipped, %x : (!t, !t) -> !t
    %added = aten.add.Tensor %sum, %product, %one : (!t, !t, i64) -> !t
    scf.yield %added : !t
  }
  %0 = aten.add.Tensor %g, %loop, %one : (!t, !t, i64) -> !t
  return %0 : !t
}

// Beside a gradient that is there the other one is zeros.
// CHECK-LABEL: func.func @lists
// CHECK: %[[ZEROS:.*]] = aten.zeros
// CHECK: jit.list %arg0, %[[ZEROS]]
func.func @lists(%g: !t {jit.grad_of = 0}) -> !jit.tensor<[8],f32> {
  %u = jit.absent : !t
  %zero = arith.constant 0 : i64
  %list = jit.list %g, %u : (!t, !t) -> !jit.list<!t>
  %0 = aten.cat %list, %zero : (!jit.list<!t>, i64) -> !jit.tensor<[8],f32>
  return %0 : !jit.tensor<[8],f32>
}

// What is asked of zeros is not what is asked of no gradient.
// CHECK-LABEL: func.func @integers
// CHECK: aten.eq.Scalar
func.func @integers(%g: !t {jit.grad_of = 0}) -> !t {
  %u = jit.absent : !t
  %zero = arith.constant 0 : i64
  %zeros = aten.eq.Scalar %u, %zero : (!t, i64) -> !jit.tensor<[4],i1>
  %0 = aten.where.self %zeros, %g, %g : (!jit.tensor<[4],i1>, !t, !t) -> !t
  %1 = aten.mul.Tensor %0, %zeros : (!t, !jit.tensor<[4],i1>) -> !t
  return %1 : !t
}

// RUN: jit-opt %s --split-input-file --jit-batch-products=min-summands=2 | FileCheck %s

// Products and sums that a loop adds to were made once before it: they stay there, as what is added. So do products of linear layers,
// whose weights are transposed.

// CHECK-LABEL: func.func @made_before
// CHECK-COUNT-3: aten.mm
//       CHECK: aten.add.Tensor
//       CHECK: scf.for
//   CHECK-NOT: aten.cat
//       CHECK: return
func.func @made_before(%a: !jit.tensor<[32,2],f32>, %b: !jit.tensor<[2,32],f32>, %x: !jit.tensor<[32,32],f32>, %y: !jit.tensor<[32,32],f32>) -> !jit.tensor<[32,32],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %p = aten.mm %a, %b : (!jit.tensor<[32,2],f32>, !jit.tensor<[2,32],f32>) -> !jit.tensor<[32,32],f32>
  %q = aten.mm %a, %b : (!jit.tensor<[32,2],f32>, !jit.tensor<[2,32],f32>) -> !jit.tensor<[32,32],f32>
  %p1 = aten.mm %a, %b : (!jit.tensor<[32,2],f32>, !jit.tensor<[2,32],f32>) -> !jit.tensor<[32,32],f32>
  %q1 = aten.add.Tensor %q, %x, %1 : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>, i64) -> !jit.tensor<[32,32],f32>
  %r = scf.for %i = %0 to %10 step %1 iter_args(%s = %x) -> !jit.tensor<[32,32],f32> : i64 {
    %t = aten.tanh %s : (!jit.tensor<[32,32],f32>) -> !jit.tensor<[32,32],f32>
    %u = aten.add.Tensor %p, %p1, %1 : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>, i64) -> !jit.tensor<[32,32],f32>
    %u1 = aten.add.Tensor %u, %q1, %1 : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>, i64) -> !jit.tensor<[32,32],f32>
    %v = aten.mul.Tensor %t, %u1 : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>) -> !jit.tensor<[32,32],f32>
    scf.yield %v : !jit.tensor<[32,32],f32>
  }
  return %r : !jit.tensor<[32,32],f32>
}

// -----

// CHECK-LABEL: func.func @layers
//   CHECK-NOT: aten.cat
//       CHECK: return
func.func @layers(%a: !jit.tensor<[32,2],f32>, %b: !jit.tensor<[32,2],f32>) -> !jit.tensor<[32,32],f32> {
  %one = arith.constant 1 : i64
  %none = jit.constant !jit.none = unit
  %0 = aten.linear %a, %b, %none : (!jit.tensor<[32,2],f32>, !jit.tensor<[32,2],f32>, !jit.none) -> !jit.tensor<[32,32],f32>
  %1 = aten.linear %b, %a, %none : (!jit.tensor<[32,2],f32>, !jit.tensor<[32,2],f32>, !jit.none) -> !jit.tensor<[32,32],f32>
  %2 = aten.add.Tensor %0, %1, %one : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>, i64) -> !jit.tensor<[32,32],f32>
  return %2 : !jit.tensor<[32,32],f32>
}

// -----

// A sum of a function's that a loop adds to is a tree of its own, and one that another sum takes scaled is, too.

// CHECK-LABEL: func.func @sums_of_sums
// CHECK-COUNT-2: aten.mm %{{.*}} : (!jit.tensor<[32,4],f32>, !jit.tensor<[4,32],f32>)
//       CHECK: aten.mul.Tensor
func.func @sums_of_sums(%a: !jit.tensor<[32,2],f32>, %b: !jit.tensor<[2,32],f32>, %x: !jit.tensor<[32,32],f32>, %y: !jit.tensor<[32,32],f32>)
    -> (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %10 = arith.constant 10 : i64
  %p = aten.mm %a, %b : (!jit.tensor<[32,2],f32>, !jit.tensor<[2,32],f32>) -> !jit.tensor<[32,32],f32>
  %q = aten.mm %a, %b : (!jit.tensor<[32,2],f32>, !jit.tensor<[2,32],f32>) -> !jit.tensor<[32,32],f32>
  %pq = aten.add.Tensor %p, %q, %1 : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>, i64) -> !jit.tensor<[32,32],f32>
  %u = aten.mm %a, %b : (!jit.tensor<[32,2],f32>, !jit.tensor<[2,32],f32>) -> !jit.tensor<[32,32],f32>
  %v = aten.mm %a, %b : (!jit.tensor<[32,2],f32>, !jit.tensor<[2,32],f32>) -> !jit.tensor<[32,32],f32>
  %uv = aten.add.Tensor %u, %v, %1 : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>, i64) -> !jit.tensor<[32,32],f32>
  %twice = aten.add.Tensor %y, %uv, %2 : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>, i64) -> !jit.tensor<[32,32],f32>
  %r = scf.for %i = %0 to %10 step %1 iter_args(%s = %x) -> !jit.tensor<[32,32],f32> : i64 {
    %t = aten.mul.Tensor %s, %s : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>) -> !jit.tensor<[32,32],f32>
    %w = aten.add.Tensor %t, %pq, %1 : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>, i64) -> !jit.tensor<[32,32],f32>
    scf.yield %w : !jit.tensor<[32,32],f32>
  }
  return %r, %twice : !jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>
}

// -----

// A sum of two products and a third one are one product; one that is seen by itself is no part of the next sum.

// CHECK-LABEL: func.func @once
// CHECK-COUNT-2: aten.cat
//   CHECK-NOT: aten.cat
//       CHECK: aten.mm %{{.*}} : (!jit.tensor<[32,6],f32>, !jit.tensor<[6,32],f32>)
// CHECK-COUNT-2: aten.cat
//   CHECK-NOT: aten.cat
//       CHECK: %[[SUM:.*]] = aten.mm %{{.*}} : (!jit.tensor<[32,4],f32>, !jit.tensor<[4,32],f32>)
//       CHECK: aten.exp %[[SUM]]
//       CHECK: aten.add.Tensor %[[SUM]]
func.func @once(%a: !jit.tensor<[32,2],f32>, %b: !jit.tensor<[2,32],f32>, %x: !jit.tensor<[32,32],f32>)
    -> (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>) {
  %1 = arith.constant 1 : i64
  %p = aten.mm %a, %b : (!jit.tensor<[32,2],f32>, !jit.tensor<[2,32],f32>) -> !jit.tensor<[32,32],f32>
  %q = aten.mm %a, %b : (!jit.tensor<[32,2],f32>, !jit.tensor<[2,32],f32>) -> !jit.tensor<[32,32],f32>
  %r = aten.mm %a, %b : (!jit.tensor<[32,2],f32>, !jit.tensor<[2,32],f32>) -> !jit.tensor<[32,32],f32>
  %pq = aten.add.Tensor %p, %q, %1 : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>, i64) -> !jit.tensor<[32,32],f32>
  %pqr = aten.add.Tensor %pq, %r, %1 : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>, i64) -> !jit.tensor<[32,32],f32>
  %s = aten.mm %a, %b : (!jit.tensor<[32,2],f32>, !jit.tensor<[2,32],f32>) -> !jit.tensor<[32,32],f32>
  %t = aten.mm %a, %b : (!jit.tensor<[32,2],f32>, !jit.tensor<[2,32],f32>) -> !jit.tensor<[32,32],f32>
  %st = aten.add.Tensor %s, %t, %1 : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>, i64) -> !jit.tensor<[32,32],f32>
  %e = aten.exp %st : (!jit.tensor<[32,32],f32>) -> !jit.tensor<[32,32],f32>
  %f = aten.add.Tensor %st, %x, %1 : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>, i64) -> !jit.tensor<[32,32],f32>
  return %pqr, %e, %f : !jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>
}

// -----

// A sum with a product that was made before the loop is no part of the sum in it.

// CHECK-LABEL: func.func @sum_before
//   CHECK-NOT: aten.cat
//       CHECK: return
func.func @sum_before(%a: !jit.tensor<[32,2],f32>, %b: !jit.tensor<[2,32],f32>, %x: !jit.tensor<[32,32],f32>) -> !jit.tensor<[32,32],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %q = aten.mm %a, %b : (!jit.tensor<[32,2],f32>, !jit.tensor<[2,32],f32>) -> !jit.tensor<[32,32],f32>
  %q1 = aten.add.Tensor %q, %x, %1 : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>, i64) -> !jit.tensor<[32,32],f32>
  %r = scf.for %i = %0 to %10 step %1 iter_args(%s = %a) -> !jit.tensor<[32,2],f32> : i64 {
    %p = aten.mm %s, %b : (!jit.tensor<[32,2],f32>, !jit.tensor<[2,32],f32>) -> !jit.tensor<[32,32],f32>
    %u = aten.add.Tensor %p, %q1, %1 : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>, i64) -> !jit.tensor<[32,32],f32>
    %v = aten.mm %u, %a : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,2],f32>) -> !jit.tensor<[32,2],f32>
    scf.yield %v : !jit.tensor<[32,2],f32>
  }
  %w = aten.mm %r, %b : (!jit.tensor<[32,2],f32>, !jit.tensor<[2,32],f32>) -> !jit.tensor<[32,32],f32>
  return %w : !jit.tensor<[32,32],f32>
}

// RUN: jit-opt %s --jit-unroll-loops=pointwise-only=true --canonicalize | FileCheck %s

// Trips of pointwise operators become one pass over the elements; a loop with a product stays as it is.

// CHECK-LABEL: func.func @forward
//   CHECK-NOT: scf.for
// CHECK-COUNT-3: aten.tanh
//       CHECK: scf.for
//       CHECK: aten.mm
//   CHECK-NOT: aten.mm
//       CHECK: return
func.func @forward(%x: !jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %3 = arith.constant 3 : i64
  %r = scf.for %i = %0 to %3 step %1 iter_args(%c = %x) -> !jit.tensor<[4,4],f32> : i64 {
    %t = aten.tanh %c : (!jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
    scf.yield %t : !jit.tensor<[4,4],f32>
  }
  %s = scf.for %i = %0 to %3 step %1 iter_args(%c = %r) -> !jit.tensor<[4,4],f32> : i64 {
    %p = aten.mm %c, %x : (!jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
    scf.yield %p : !jit.tensor<[4,4],f32>
  }
  return %s : !jit.tensor<[4,4],f32>
}

// A loop of numbers alone has no elements to pass over, and one with a branch is no pass.

// CHECK-LABEL: func.func @others
// CHECK-COUNT-2: scf.for
//       CHECK: return
func.func @others(%x: !jit.tensor<[4],f32>, %n: i64, %is: i1) -> (i64, !jit.tensor<[4],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %3 = arith.constant 3 : i64
  %r = scf.for %i = %0 to %3 step %1 iter_args(%c = %n) -> i64 : i64 {
    %s = arith.muli %c, %n : i64
    scf.yield %s : i64
  }
  %q = scf.for %i = %0 to %3 step %1 iter_args(%c = %x) -> !jit.tensor<[4],f32> : i64 {
    %t = scf.if %is -> !jit.tensor<[4],f32> {
      %u = aten.tanh %c : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
      scf.yield %u : !jit.tensor<[4],f32>
    } else {
      scf.yield %c : !jit.tensor<[4],f32>
    }
    scf.yield %t : !jit.tensor<[4],f32>
  }
  return %r, %q : i64, !jit.tensor<[4],f32>
}

// RUN: jit-opt %s --split-input-file --jit-hoist-products | FileCheck %s

// Which slices the trips see is not known by the counter of another loop, by one that is multiplied by 0, or by products that 64 bits do
// not hold.

// CHECK-LABEL: func.func @indices
//       CHECK: scf.for
//       CHECK: scf.for
// CHECK-COUNT-3: aten.mm
//       CHECK: scf.yield
//       CHECK: scf.yield
//   CHECK-NOT: aten.mm
func.func @indices(%x: !jit.tensor<[10,4,3],f32>, %w: !jit.tensor<[3,5],f32>, %h: !jit.tensor<[4,5],f32>) -> !jit.tensor<[4,5],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %large = arith.constant 4611686018427387904 : i64
  %r = scf.for %i = %0 to %10 step %1 iter_args(%c = %h) -> !jit.tensor<[4,5],f32> : i64 {
    %q = scf.for %j = %0 to %10 step %1 iter_args(%d = %c) -> !jit.tensor<[4,5],f32> : i64 {
      %a = aten.select.int %x, %0, %i : (!jit.tensor<[10,4,3],f32>, i64, i64) -> !jit.tensor<[4,3],f32>
      %da = aten.mul.Tensor %a, %a : (!jit.tensor<[4,3],f32>, !jit.tensor<[4,3],f32>) -> !jit.tensor<[4,3],f32>
      %zero = arith.muli %j, %0 : i64
      %b = aten.select.int %x, %0, %zero : (!jit.tensor<[10,4,3],f32>, i64, i64) -> !jit.tensor<[4,3],f32>
      %p = aten.mm %b, %w : (!jit.tensor<[4,3],f32>, !jit.tensor<[3,5],f32>) -> !jit.tensor<[4,5],f32>
      %far = arith.muli %j, %large : i64
      %f = aten.select.int %x, %0, %far : (!jit.tensor<[10,4,3],f32>, i64, i64) -> !jit.tensor<[4,3],f32>
      %s = aten.mm %f, %w : (!jit.tensor<[4,3],f32>, !jit.tensor<[3,5],f32>) -> !jit.tensor<[4,5],f32>
      %both = arith.addi %i, %j : i64
      %g = aten.select.int %x, %0, %both : (!jit.tensor<[10,4,3],f32>, i64, i64) -> !jit.tensor<[4,3],f32>
      %t = aten.mm %g, %w : (!jit.tensor<[4,3],f32>, !jit.tensor<[3,5],f32>) -> !jit.tensor<[4,5],f32>
      %u = aten.mul.Tensor %p, %s : (!jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>) -> !jit.tensor<[4,5],f32>
      %v = aten.mul.Tensor %t, %u : (!jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>) -> !jit.tensor<[4,5],f32>
      scf.yield %v : !jit.tensor<[4,5],f32>
    }
    scf.yield %q : !jit.tensor<[4,5],f32>
  }
  return %r : !jit.tensor<[4,5],f32>
}

// -----

// The counter of the outer loop: the product is the same in each trip of the inner one, and leaves that; from the outer one all go.

// CHECK-LABEL: func.func @outer_counter
//       CHECK: aten.mm %{{.*}} -> !jit.tensor<[40,5],f32>
//       CHECK: scf.for
//       CHECK: aten.select.int
//       CHECK: scf.for
//   CHECK-NOT: aten.mm
func.func @outer_counter(%x: !jit.tensor<[10,4,3],f32>, %w: !jit.tensor<[3,5],f32>, %h: !jit.tensor<[4,5],f32>) -> !jit.tensor<[4,5],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %r = scf.for %i = %0 to %10 step %1 iter_args(%c = %h) -> !jit.tensor<[4,5],f32> : i64 {
    %q = scf.for %j = %0 to %10 step %1 iter_args(%d = %c) -> !jit.tensor<[4,5],f32> : i64 {
      %a = aten.select.int %x, %0, %i : (!jit.tensor<[10,4,3],f32>, i64, i64) -> !jit.tensor<[4,3],f32>
      %p = aten.mm %a, %w : (!jit.tensor<[4,3],f32>, !jit.tensor<[3,5],f32>) -> !jit.tensor<[4,5],f32>
      %s = aten.mul.Tensor %p, %d : (!jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>) -> !jit.tensor<[4,5],f32>
      scf.yield %s : !jit.tensor<[4,5],f32>
    }
    scf.yield %q : !jit.tensor<[4,5],f32>
  }
  return %r : !jit.tensor<[4,5],f32>
}

// RUN: jit-opt %s --split-input-file --jit-hoist-products | FileCheck %s

// Loops that may have no trip at all, or that have none: nothing of them is needed before them.

// CHECK-LABEL: func.func @bounds
//   CHECK-NOT: aten.
//       CHECK: scf.for
//       CHECK: aten.exp
//       CHECK: aten.mm
//       CHECK: scf.for
//       CHECK: aten.exp
//       CHECK: aten.mm
//       CHECK: scf.for
//       CHECK: aten.exp
//       CHECK: aten.mm
//       CHECK: scf.for
//       CHECK: aten.exp
//       CHECK: aten.mm
//       CHECK: scf.for
//       CHECK: aten.exp
//       CHECK: aten.mm
//       CHECK: scf.for
//       CHECK: aten.exp
//       CHECK: aten.mm
func.func @bounds(%x: !jit.tensor<[10,4,3],f32>, %w: !jit.tensor<[3,5],f32>, %h: !jit.tensor<[4,5],f32>, %n: i64) -> !jit.tensor<[4,5],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %5 = arith.constant 5 : i64
  %10 = arith.constant 10 : i64
  %least = arith.constant -9223372036854775808 : i64
  %most = arith.constant 9223372036854775807 : i64
  %r0 = scf.for %i = %n to %10 step %1 iter_args(%c = %h) -> !jit.tensor<[4,5],f32> : i64 {
    %e = aten.exp %w : (!jit.tensor<[3,5],f32>) -> !jit.tensor<[3,5],f32>
    %a = aten.select.int %x, %0, %i : (!jit.tensor<[10,4,3],f32>, i64, i64) -> !jit.tensor<[4,3],f32>
    %p = aten.mm %a, %e : (!jit.tensor<[4,3],f32>, !jit.tensor<[3,5],f32>) -> !jit.tensor<[4,5],f32>
    scf.yield %p : !jit.tensor<[4,5],f32>
  }
  %r1 = scf.for %i = %0 to %n step %1 iter_args(%c = %r0) -> !jit.tensor<[4,5],f32> : i64 {
    %e = aten.exp %w : (!jit.tensor<[3,5],f32>) -> !jit.tensor<[3,5],f32>
    %a = aten.select.int %x, %0, %i : (!jit.tensor<[10,4,3],f32>, i64, i64) -> !jit.tensor<[4,3],f32>
    %p = aten.mm %a, %e : (!jit.tensor<[4,3],f32>, !jit.tensor<[3,5],f32>) -> !jit.tensor<[4,5],f32>
    scf.yield %p : !jit.tensor<[4,5],f32>
  }
  %r2 = scf.for %i = %0 to %10 step %n iter_args(%c = %r1) -> !jit.tensor<[4,5],f32> : i64 {
    %e = aten.exp %w : (!jit.tensor<[3,5],f32>) -> !jit.tensor<[3,5],f32>
    %a = aten.select.int %x, %0, %i : (!jit.tensor<[10,4,3],f32>, i64, i64) -> !jit.tensor<[4,3],f32>
    %p = aten.mm %a, %e : (!jit.tensor<[4,3],f32>, !jit.tensor<[3,5],f32>) -> !jit.tensor<[4,5],f32>
    scf.yield %p : !jit.tensor<[4,5],f32>
  }
  %r3 = scf.for %i = %5 to %5 step %1 iter_args(%c = %r2) -> !jit.tensor<[4,5],f32> : i64 {
    %e = aten.exp %w : (!jit.tensor<[3,5],f32>) -> !jit.tensor<[3,5],f32>
    %a = aten.select.int %x, %0, %i : (!jit.tensor<[10,4,3],f32>, i64, i64) -> !jit.tensor<[4,3],f32>
    %p = aten.mm %a, %e : (!jit.tensor<[4,3],f32>, !jit.tensor<[3,5],f32>) -> !jit.tensor<[4,5],f32>
    scf.yield %p : !jit.tensor<[4,5],f32>
  }
  %r4 = scf.for %i = %5 to %0 step %1 iter_args(%c = %r3) -> !jit.tensor<[4,5],f32> : i64 {
    %e = aten.exp %w : (!jit.tensor<[3,5],f32>) -> !jit.tensor<[3,5],f32>
    %a = aten.select.int %x, %0, %i : (!jit.tensor<[10,4,3],f32>, i64, i64) -> !jit.tensor<[4,3],f32>
    %p = aten.mm %a, %e : (!jit.tensor<[4,3],f32>, !jit.tensor<[3,5],f32>) -> !jit.tensor<[4,5],f32>
    scf.yield %p : !jit.tensor<[4,5],f32>
  }
  %r5 = scf.for %i = %most to %least step %1 iter_args(%c = %r4) -> !jit.tensor<[4,5],f32> : i64 {
    %e = aten.exp %w : (!jit.tensor<[3,5],f32>) -> !jit.tensor<[3,5],f32>
    %a = aten.select.int %x, %0, %i : (!jit.tensor<[10,4,3],f32>, i64, i64) -> !jit.tensor<[4,3],f32>
    %p = aten.mm %a, %e : (!jit.tensor<[4,3],f32>, !jit.tensor<[3,5],f32>) -> !jit.tensor<[4,5],f32>
    scf.yield %p : !jit.tensor<[4,5],f32>
  }
  return %r5 : !jit.tensor<[4,5],f32>
}

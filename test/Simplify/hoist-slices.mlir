// RUN: jit-opt %s --split-input-file --jit-hoist-products --canonicalize | FileCheck %s

// Two rows of each trip, side by side with those of the next one: one product. Three of them overlap: they would be multiplied again.

// CHECK-LABEL: func.func @rows_of_trips
//       CHECK: aten.mm %{{.*}} : (!jit.tensor<[20,3],f32>, !jit.tensor<[3,5],f32>) -> !jit.tensor<[20,5],f32>
//       CHECK: scf.for
//       CHECK: aten.slice.Tensor %{{.*}} -> !jit.tensor<[2,5],f32>
//       CHECK: aten.mm %{{.*}} : (!jit.tensor<[3,3],f32>, !jit.tensor<[3,5],f32>) -> !jit.tensor<[3,5],f32>
//   CHECK-NOT: aten.mm
func.func @rows_of_trips(%x: !jit.tensor<[20,3],f32>, %y: !jit.tensor<[21,3],f32>, %w: !jit.tensor<[3,5],f32>, %h: !jit.tensor<[2,5],f32>, %k: !jit.tensor<[3,5],f32>)
    -> (!jit.tensor<[2,5],f32>, !jit.tensor<[3,5],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %3 = arith.constant 3 : i64
  %19 = arith.constant 19 : i64
  %r:2 = scf.for %i = %0 to %19 step %2 iter_args(%c = %h, %d = %k) -> (!jit.tensor<[2,5],f32>, !jit.tensor<[3,5],f32>) : i64 {
    %end = arith.addi %i, %2 : i64
    %step = aten.slice.Tensor %x, %0, %i, %end, %1 : (!jit.tensor<[20,3],f32>, i64, i64, i64, i64) -> !jit.tensor<[2,3],f32>
    %p = aten.mm %step, %w : (!jit.tensor<[2,3],f32>, !jit.tensor<[3,5],f32>) -> !jit.tensor<[2,5],f32>
    %s = aten.mul.Tensor %p, %c : (!jit.tensor<[2,5],f32>, !jit.tensor<[2,5],f32>) -> !jit.tensor<[2,5],f32>
    %after = arith.addi %i, %3 : i64
    %wide = aten.slice.Tensor %y, %0, %i, %after, %1 : (!jit.tensor<[21,3],f32>, i64, i64, i64, i64) -> !jit.tensor<[3,3],f32>
    %q = aten.mm %wide, %w : (!jit.tensor<[3,3],f32>, !jit.tensor<[3,5],f32>) -> !jit.tensor<[3,5],f32>
    %t = aten.mul.Tensor %q, %d : (!jit.tensor<[3,5],f32>, !jit.tensor<[3,5],f32>) -> !jit.tensor<[3,5],f32>
    scf.yield %s, %t : !jit.tensor<[2,5],f32>, !jit.tensor<[3,5],f32>
  }
  return %r#0, %r#1 : !jit.tensor<[2,5],f32>, !jit.tensor<[3,5],f32>
}

// -----

// Every other row, which is half of them; every third is too few.

// CHECK-LABEL: func.func @some_rows
//       CHECK: aten.mm %{{.*}} : (!jit.tensor<[80,3],f32>, !jit.tensor<[3,5],f32>)
//       CHECK: scf.for
//       CHECK: scf.for
//       CHECK: aten.mm %{{.*}} : (!jit.tensor<[4,3],f32>, !jit.tensor<[3,5],f32>)
//   CHECK-NOT: aten.mm
func.func @some_rows(%x: !jit.tensor<[20,4,3],f32>, %w: !jit.tensor<[3,5],f32>, %h: !jit.tensor<[4,5],f32>) -> (!jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>) {
  %0 = arith.constant 0 : i64
  %2 = arith.constant 2 : i64
  %3 = arith.constant 3 : i64
  %20 = arith.constant 20 : i64
  %r = scf.for %i = %0 to %20 step %2 iter_args(%c = %h) -> !jit.tensor<[4,5],f32> : i64 {
    %step = aten.select.int %x, %0, %i : (!jit.tensor<[20,4,3],f32>, i64, i64) -> !jit.tensor<[4,3],f32>
    %p = aten.mm %step, %w : (!jit.tensor<[4,3],f32>, !jit.tensor<[3,5],f32>) -> !jit.tensor<[4,5],f32>
    %s = aten.mul.Tensor %p, %c : (!jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>) -> !jit.tensor<[4,5],f32>
    scf.yield %s : !jit.tensor<[4,5],f32>
  }
  %q = scf.for %i = %0 to %20 step %3 iter_args(%c = %h) -> !jit.tensor<[4,5],f32> : i64 {
    %step = aten.select.int %x, %0, %i : (!jit.tensor<[20,4,3],f32>, i64, i64) -> !jit.tensor<[4,3],f32>
    %p = aten.mm %step, %w : (!jit.tensor<[4,3],f32>, !jit.tensor<[3,5],f32>) -> !jit.tensor<[4,5],f32>
    %s = aten.mul.Tensor %p, %c : (!jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>) -> !jit.tensor<[4,5],f32>
    scf.yield %s : !jit.tensor<[4,5],f32>
  }
  return %r, %q : !jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>
}

// RUN: jit-opt %s --split-input-file --jit-hoist-products | FileCheck %s
// RUN: jit-opt %s --split-input-file --jit-hoist-products=max-bytes=100 | FileCheck %s --check-prefix=SMALL

// The weight changes from trip to trip.

// CHECK-LABEL: func.func @weight_changes
//       CHECK: scf.for
//       CHECK: aten.mm
func.func @weight_changes(%x: !jit.tensor<[10,4,5],f32>, %w: !jit.tensor<[5,5],f32>) -> !jit.tensor<[5,5],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %r = scf.for %i = %0 to %10 step %1 iter_args(%c = %w) -> !jit.tensor<[5,5],f32> : i64 {
    %step = aten.select.int %x, %0, %i : (!jit.tensor<[10,4,5],f32>, i64, i64) -> !jit.tensor<[4,5],f32>
    %p = aten.mm %step, %c : (!jit.tensor<[4,5],f32>, !jit.tensor<[5,5],f32>) -> !jit.tensor<[4,5],f32>
    %s = aten.slice_scatter %c, %p, %0, %1, %10, %1 : (!jit.tensor<[5,5],f32>, !jit.tensor<[4,5],f32>, i64, i64, i64, i64) -> !jit.tensor<[5,5],f32>
    scf.yield %s : !jit.tensor<[5,5],f32>
  }
  return %r : !jit.tensor<[5,5],f32>
}

// -----

// The index is carried, not the counter: which slices are seen is not known.

// CHECK-LABEL: func.func @other_index
//       CHECK: scf.for
//       CHECK: aten.mm
func.func @other_index(%x: !jit.tensor<[10,4,3],f32>, %w: !jit.tensor<[3,5],f32>, %h: !jit.tensor<[4,5],f32>, %k: i64)
    -> !jit.tensor<[4,5],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %r:2 = scf.for %i = %0 to %10 step %1 iter_args(%c = %h, %at = %k) -> (!jit.tensor<[4,5],f32>, i64) : i64 {
    %step = aten.select.int %x, %0, %at : (!jit.tensor<[10,4,3],f32>, i64, i64) -> !jit.tensor<[4,3],f32>
    %p = aten.mm %step, %w : (!jit.tensor<[4,3],f32>, !jit.tensor<[3,5],f32>) -> !jit.tensor<[4,5],f32>
    %s = aten.mul.Tensor %p, %c : (!jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>) -> !jit.tensor<[4,5],f32>
    %next = arith.muli %at, %at : i64
    scf.yield %s, %next : !jit.tensor<[4,5],f32>, i64
  }
  return %r#0 : !jit.tensor<[4,5],f32>
}

// -----

// The loop writes what it reads.

// CHECK-LABEL: func.func @written_inside
//       CHECK: scf.for
//       CHECK: aten.mm
func.func @written_inside(%x: !jit.tensor<[10,4,4],f32>, %w: !jit.tensor<[4,4],f32>) -> !jit.tensor<[10,4,4],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %9 = arith.constant 9 : i64
  %r = scf.for %i = %0 to %9 step %1 iter_args(%c = %x) -> !jit.tensor<[10,4,4],f32> : i64 {
    %next = arith.addi %i, %1 : i64
    %step = aten.select.int %c, %0, %i : (!jit.tensor<[10,4,4],f32>, i64, i64) -> !jit.tensor<[4,4],f32>
    %p = aten.mm %step, %w : (!jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
    %s = aten.select_scatter %c, %p, %0, %next : (!jit.tensor<[10,4,4],f32>, !jit.tensor<[4,4],f32>, i64, i64) -> !jit.tensor<[10,4,4],f32>
    scf.yield %s : !jit.tensor<[10,4,4],f32>
  }
  return %r : !jit.tensor<[10,4,4],f32>
}

// -----

// Three trips of ten slices would do three times the work.

// CHECK-LABEL: func.func @few_trips
//       CHECK: scf.for
//       CHECK: aten.mm
func.func @few_trips(%x: !jit.tensor<[10,4,3],f32>, %w: !jit.tensor<[3,5],f32>, %h: !jit.tensor<[4,5],f32>) -> !jit.tensor<[4,5],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %3 = arith.constant 3 : i64
  %r = scf.for %i = %0 to %3 step %1 iter_args(%c = %h) -> !jit.tensor<[4,5],f32> : i64 {
    %step = aten.select.int %x, %0, %i : (!jit.tensor<[10,4,3],f32>, i64, i64) -> !jit.tensor<[4,3],f32>
    %p = aten.mm %step, %w : (!jit.tensor<[4,3],f32>, !jit.tensor<[3,5],f32>) -> !jit.tensor<[4,5],f32>
    %s = aten.mul.Tensor %p, %c : (!jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>) -> !jit.tensor<[4,5],f32>
    scf.yield %s : !jit.tensor<[4,5],f32>
  }
  return %r : !jit.tensor<[4,5],f32>
}

// -----

// The result of 800 bytes is within the limit, or not.

// CHECK-LABEL: func.func @too_large
//       CHECK: aten.mm
//       CHECK: scf.for
// SMALL-LABEL: func.func @too_large
//       SMALL: scf.for
//       SMALL: aten.mm
func.func @too_large(%x: !jit.tensor<[10,4,3],f32>, %w: !jit.tensor<[3,5],f32>, %h: !jit.tensor<[4,5],f32>) -> !jit.tensor<[4,5],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %r = scf.for %i = %0 to %10 step %1 iter_args(%c = %h) -> !jit.tensor<[4,5],f32> : i64 {
    %step = aten.select.int %x, %0, %i : (!jit.tensor<[10,4,3],f32>, i64, i64) -> !jit.tensor<[4,3],f32>
    %p = aten.mm %step, %w : (!jit.tensor<[4,3],f32>, !jit.tensor<[3,5],f32>) -> !jit.tensor<[4,5],f32>
    %s = aten.mul.Tensor %p, %c : (!jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>) -> !jit.tensor<[4,5],f32>
    scf.yield %s : !jit.tensor<[4,5],f32>
  }
  return %r : !jit.tensor<[4,5],f32>
}

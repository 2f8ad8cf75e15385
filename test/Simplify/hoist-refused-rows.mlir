// RUN: jit-opt %s --split-input-file --jit-hoist-products 2>&1 | FileCheck %s

// CHECK-NOT: error:

// A bias of its own for each row does not fit all rows; one for all does.

// CHECK-LABEL: func.func @biases
// CHECK-COUNT-2: aten.addmm %{{.*}} -> !jit.tensor<[40,5],f32>
//       CHECK: scf.for
//       CHECK: aten.addmm %{{.*}} -> !jit.tensor<[4,5],f32>
//       CHECK: aten.linear %{{.*}} -> !jit.tensor<[4,5],f32>
//   CHECK-NOT: aten.addmm
func.func @biases(%wide: !jit.tensor<[5,3],f32>, %five: !jit.tensor<[5],f32>, %x: !jit.tensor<[10,4,3],f32>, %w: !jit.tensor<[3,5],f32>, %each: !jit.tensor<[4,5],f32>, %row: !jit.tensor<[1,5],f32>,
                  %h: !jit.tensor<[4,5],f32>) -> (!jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %r:2 = scf.for %i = %0 to %10 step %1 iter_args(%c = %h, %d = %h) -> (!jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>) : i64 {
    %step = aten.select.int %x, %0, %i : (!jit.tensor<[10,4,3],f32>, i64, i64) -> !jit.tensor<[4,3],f32>
    %p = aten.addmm %each, %step, %w, %1, %1 : (!jit.tensor<[4,5],f32>, !jit.tensor<[4,3],f32>, !jit.tensor<[3,5],f32>, i64, i64) -> !jit.tensor<[4,5],f32>
    %q = aten.addmm %row, %step, %w, %1, %1 : (!jit.tensor<[1,5],f32>, !jit.tensor<[4,3],f32>, !jit.tensor<[3,5],f32>, i64, i64) -> !jit.tensor<[4,5],f32>
    %m = aten.addmm %five, %step, %w, %1, %1 : (!jit.tensor<[5],f32>, !jit.tensor<[4,3],f32>, !jit.tensor<[3,5],f32>, i64, i64) -> !jit.tensor<[4,5],f32>
    %l = aten.linear %step, %wide, %each : (!jit.tensor<[4,3],f32>, !jit.tensor<[5,3],f32>, !jit.tensor<[4,5],f32>) -> !jit.tensor<[4,5],f32>
    %ml = aten.mul.Tensor %m, %l : (!jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>) -> !jit.tensor<[4,5],f32>
    %s = aten.mul.Tensor %p, %ml : (!jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>) -> !jit.tensor<[4,5],f32>
    %t = aten.mul.Tensor %q, %d : (!jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>) -> !jit.tensor<[4,5],f32>
    scf.yield %s, %t : !jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>
  }
  return %r#0, %r#1 : !jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>
}

// -----

// A part of each row, and matrices that are chosen along the dimension which is summed over.

// CHECK-LABEL: func.func @parts_of_rows
//       CHECK: scf.for
// CHECK-COUNT-2: aten.mm
//       CHECK: scf.yield
//   CHECK-NOT: aten.mm
func.func @parts_of_rows(%x: !jit.tensor<[4,10],f32>, %y: !jit.tensor<[4,10,10],f32>, %w: !jit.tensor<[1,5],f32>, %v: !jit.tensor<[10,5],f32>, %h: !jit.tensor<[4,5],f32>)
    -> (!jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %10 = arith.constant 10 : i64
  %r:2 = scf.for %i = %0 to %10 step %1 iter_args(%c = %h, %d = %h) -> (!jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>) : i64 {
    %end = arith.addi %i, %1 : i64
    %step = aten.slice.Tensor %x, %1, %i, %end, %1 : (!jit.tensor<[4,10],f32>, i64, i64, i64, i64) -> !jit.tensor<[4,1],f32>
    %p = aten.mm %step, %w : (!jit.tensor<[4,1],f32>, !jit.tensor<[1,5],f32>) -> !jit.tensor<[4,5],f32>
    %s = aten.mul.Tensor %p, %c : (!jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>) -> !jit.tensor<[4,5],f32>
    %matrix = aten.select.int %y, %2, %i : (!jit.tensor<[4,10,10],f32>, i64, i64) -> !jit.tensor<[4,10],f32>
    %q = aten.mm %matrix, %v : (!jit.tensor<[4,10],f32>, !jit.tensor<[10,5],f32>) -> !jit.tensor<[4,5],f32>
    %t = aten.mul.Tensor %q, %d : (!jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>) -> !jit.tensor<[4,5],f32>
    scf.yield %s, %t : !jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>
  }
  return %r#0, %r#1 : !jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>
}

// -----

// A loop whose trips only the call knows may have none; a product in a branch may not be needed.

// CHECK-LABEL: func.func @not_needed
//   CHECK-NOT: aten.mm
//       CHECK: scf.for
//       CHECK: aten.mm
//       CHECK: scf.for
//       CHECK: scf.if
//       CHECK: aten.mm
func.func @not_needed(%x: !jit.tensor<[10,4,3],f32>, %w: !jit.tensor<[3,5],f32>, %h: !jit.tensor<[4,5],f32>, %n: i64, %is: i1)
    -> (!jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %r = scf.for %i = %0 to %n step %1 iter_args(%c = %h) -> (!jit.tensor<[4,5],f32>) : i64 {
    %step = aten.select.int %x, %0, %i : (!jit.tensor<[10,4,3],f32>, i64, i64) -> !jit.tensor<[4,3],f32>
    %p = aten.mm %step, %w : (!jit.tensor<[4,3],f32>, !jit.tensor<[3,5],f32>) -> !jit.tensor<[4,5],f32>
    %s = aten.mul.Tensor %p, %c : (!jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>) -> !jit.tensor<[4,5],f32>
    scf.yield %s : !jit.tensor<[4,5],f32>
  }
  %q = scf.for %i = %0 to %10 step %1 iter_args(%c = %h) -> (!jit.tensor<[4,5],f32>) : i64 {
    %t = scf.if %is -> !jit.tensor<[4,5],f32> {
      %step = aten.select.int %x, %0, %i : (!jit.tensor<[10,4,3],f32>, i64, i64) -> !jit.tensor<[4,3],f32>
      %p = aten.mm %step, %w : (!jit.tensor<[4,3],f32>, !jit.tensor<[3,5],f32>) -> !jit.tensor<[4,5],f32>
      scf.yield %p : !jit.tensor<[4,5],f32>
    } else {
      scf.yield %c : !jit.tensor<[4,5],f32>
    }
    scf.yield %t : !jit.tensor<[4,5],f32>
  }
  return %r, %q : !jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>
}

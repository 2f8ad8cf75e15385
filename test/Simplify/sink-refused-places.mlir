// RUN: jit-opt %s --split-input-file --jit-sink-sums | FileCheck %s

// No stack holds a slice at one place in all trips, at the counter of another loop, or of a tensor that the loop carries; new ones are made.

// CHECK-LABEL: func.func @places
//       CHECK: scf.for
//       CHECK: scf.for
// CHECK-COUNT-3: aten.select_scatter
//   CHECK-NOT: aten.select_scatter
//       CHECK: scf.yield
// CHECK-COUNT-3: aten.mm
//       CHECK: scf.yield
func.func @places(%h: !jit.tensor<[10,2,5],f32>, %g: !jit.tensor<[10,2,4],f32>, %start: !jit.tensor<[5,4],f32>) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[10,2,5],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %r:4 = scf.for %i = %0 to %10 step %1 iter_args(%s9 = %start, %v9 = %start, %z9 = %start, %x9 = %h) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[10,2,5],f32>) : i64 {
    %q0:4 = scf.for %j = %0 to %10 step %1 iter_args(%s0 = %s9, %v0 = %v9, %z0 = %z9, %x0 = %x9) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[10,2,5],f32>) : i64 {
      %b = aten.select.int %g, %0, %j : (!jit.tensor<[10,2,4],f32>, i64, i64) -> !jit.tensor<[2,4],f32>
      %zero = arith.muli %j, %0 : i64
      %a = aten.select.int %h, %0, %zero : (!jit.tensor<[10,2,5],f32>, i64, i64) -> !jit.tensor<[2,5],f32>
      %t = aten.t %a : (!jit.tensor<[2,5],f32>) -> !jit.tensor<[5,2],f32>
      %p = aten.mm %t, %b : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
      %s = aten.add.Tensor %s0, %p, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
      %c = aten.select.int %h, %0, %i : (!jit.tensor<[10,2,5],f32>, i64, i64) -> !jit.tensor<[2,5],f32>
      %u = aten.t %c : (!jit.tensor<[2,5],f32>) -> !jit.tensor<[5,2],f32>
      %q = aten.mm %u, %b : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
      %v = aten.add.Tensor %v0, %q, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
      %d = aten.select.int %x0, %0, %j : (!jit.tensor<[10,2,5],f32>, i64, i64) -> !jit.tensor<[2,5],f32>
      %w = aten.t %d : (!jit.tensor<[2,5],f32>) -> !jit.tensor<[5,2],f32>
      %y = aten.mm %w, %b : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
      %z = aten.add.Tensor %z0, %y, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
      %x1 = aten.tanh %x0 : (!jit.tensor<[10,2,5],f32>) -> !jit.tensor<[10,2,5],f32>
      scf.yield %s, %v, %z, %x1 : !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[10,2,5],f32>
    }
    scf.yield %q0#0, %q0#1, %q0#2, %q0#3 : !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[10,2,5],f32>
  }
  return %r#0, %r#1, %r#2, %r#3 : !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[10,2,5],f32>
}

// -----

// Nor does one that what is summed is written into, or that is written on the way to another tensor, outside of the loop's variables or
// twice in a trip.

// CHECK-LABEL: func.func @writes
//       CHECK: scf.for
// CHECK-COUNT-6: aten.select_scatter
//   CHECK-NOT: aten.select_scatter
//       CHECK: scf.yield
func.func @writes(%h: !jit.tensor<[10,2,5],f32>, %g: !jit.tensor<[2,4],f32>, %row: !jit.tensor<[4],f32>, %k: !jit.tensor<[10,2,4],f32>, %start: !jit.tensor<[5,4],f32>) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[10,2,4],f32>, !jit.tensor<[10,2,4],f32>, !jit.tensor<[2,4],f32>, !jit.tensor<[10,2,4],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %zero = arith.constant 0 : i64
  %r:5 = scf.for %i = %0 to %10 step %1 iter_args(%sum = %start, %c = %k, %d = %k, %m = %g, %o0 = %k) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[10,2,4],f32>, !jit.tensor<[10,2,4],f32>, !jit.tensor<[2,4],f32>, !jit.tensor<[10,2,4],f32>) : i64 {
    %a = aten.select.int %h, %0, %i : (!jit.tensor<[10,2,5],f32>, i64, i64) -> !jit.tensor<[2,5],f32>
    %b = aten.tanh %m : (!jit.tensor<[2,4],f32>) -> !jit.tensor<[2,4],f32>
    %t = aten.t %a : (!jit.tensor<[2,5],f32>) -> !jit.tensor<[5,2],f32>
    %p = aten.mm %t, %b : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
    %s = aten.add.Tensor %sum, %p, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    %o = aten.select_scatter %k, %b, %0, %i : (!jit.tensor<[10,2,4],f32>, !jit.tensor<[2,4],f32>, i64, i64) -> !jit.tensor<[10,2,4],f32>
    %c1 = aten.select_scatter %c, %b, %0, %i : (!jit.tensor<[10,2,4],f32>, !jit.tensor<[2,4],f32>, i64, i64) -> !jit.tensor<[10,2,4],f32>
    %c2 = aten.select_scatter %c1, %b, %0, %zero : (!jit.tensor<[10,2,4],f32>, !jit.tensor<[2,4],f32>, i64, i64) -> !jit.tensor<[10,2,4],f32>
    %d1 = aten.select_scatter %d, %b, %0, %i : (!jit.tensor<[10,2,4],f32>, !jit.tensor<[2,4],f32>, i64, i64) -> !jit.tensor<[10,2,4],f32>
    %n = aten.select_scatter %b, %row, %0, %zero : (!jit.tensor<[2,4],f32>, !jit.tensor<[4],f32>, i64, i64) -> !jit.tensor<[2,4],f32>
    scf.yield %s, %c2, %o, %n, %d1 : !jit.tensor<[5,4],f32>, !jit.tensor<[10,2,4],f32>, !jit.tensor<[10,2,4],f32>, !jit.tensor<[2,4],f32>, !jit.tensor<[10,2,4],f32>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4 : !jit.tensor<[5,4],f32>, !jit.tensor<[10,2,4],f32>, !jit.tensor<[10,2,4],f32>, !jit.tensor<[2,4],f32>, !jit.tensor<[10,2,4],f32>
}

// -----

// A variable of the loop that is a factor, and that the trip writes into: the stack is another one.

// CHECK-LABEL: func.func @written_into
//       CHECK: jit.poison : !jit.tensor<[2,2,4],f32>
//       CHECK: scf.for
func.func @written_into(%h: !jit.tensor<[2,2,5],f32>, %g: !jit.tensor<[2,4],f32>, %row: !jit.tensor<[4],f32>, %start: !jit.tensor<[5,4],f32>) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[2,4],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %r:2 = scf.for %i = %0 to %2 step %1 iter_args(%sum = %start, %m = %g) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[2,4],f32>) : i64 {
    %a = aten.select.int %h, %0, %i : (!jit.tensor<[2,2,5],f32>, i64, i64) -> !jit.tensor<[2,5],f32>
    %t = aten.t %a : (!jit.tensor<[2,5],f32>) -> !jit.tensor<[5,2],f32>
    %p = aten.mm %t, %m : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
    %s = aten.add.Tensor %sum, %p, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    %n = aten.select_scatter %m, %row, %0, %i : (!jit.tensor<[2,4],f32>, !jit.tensor<[4],f32>, i64, i64) -> !jit.tensor<[2,4],f32>
    scf.yield %s, %n : !jit.tensor<[5,4],f32>, !jit.tensor<[2,4],f32>
  }
  return %r#0, %r#1 : !jit.tensor<[5,4],f32>, !jit.tensor<[2,4],f32>
}

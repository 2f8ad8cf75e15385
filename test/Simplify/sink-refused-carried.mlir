// RUN: jit-opt %s --split-input-file --jit-sink-sums | FileCheck %s

// The loop reads the sum before it adds to it.

// CHECK-LABEL: func.func @read_before
//       CHECK: scf.for
//       CHECK: aten.mm
//       CHECK: scf.yield
//   CHECK-NOT: aten.mm
func.func @read_before(%h: !jit.tensor<[10,2,5],f32>, %g: !jit.tensor<[10,2,4],f32>, %start: !jit.tensor<[5,4],f32>) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %r:2 = scf.for %i = %0 to %10 step %1 iter_args(%sum = %start, %last = %start) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>) : i64 {
    %a = aten.select.int %h, %0, %i : (!jit.tensor<[10,2,5],f32>, i64, i64) -> !jit.tensor<[2,5],f32>
    %b = aten.select.int %g, %0, %i : (!jit.tensor<[10,2,4],f32>, i64, i64) -> !jit.tensor<[2,4],f32>
    %tanh = aten.tanh %sum : (!jit.tensor<[5,4],f32>) -> !jit.tensor<[5,4],f32>
    %t = aten.t %a : (!jit.tensor<[2,5],f32>) -> !jit.tensor<[5,2],f32>
    %p = aten.mm %t, %b : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
    %s = aten.add.Tensor %sum, %p, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    scf.yield %s, %tanh : !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>
  }
  return %r#0, %r#1 : !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>
}

// -----

// Each of two variables begins a trip as the other one's sum; and one is yielded as it was, with its sum in another's place.

// CHECK-LABEL: func.func @crossed
//       CHECK: scf.for
// CHECK-COUNT-3: aten.mm
//       CHECK: scf.yield
//   CHECK-NOT: aten.mm
func.func @crossed(%h: !jit.tensor<[10,2,5],f32>, %g: !jit.tensor<[10,2,4],f32>, %start: !jit.tensor<[5,4],f32>, %begin: !jit.tensor<[5,4],f32>) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %r:4 = scf.for %i = %0 to %10 step %1 iter_args(%sum = %start, %other = %begin, %third = %start, %fourth = %begin) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>) : i64 {
    %a = aten.select.int %h, %0, %i : (!jit.tensor<[10,2,5],f32>, i64, i64) -> !jit.tensor<[2,5],f32>
    %b = aten.select.int %g, %0, %i : (!jit.tensor<[10,2,4],f32>, i64, i64) -> !jit.tensor<[2,4],f32>
    %t = aten.t %a : (!jit.tensor<[2,5],f32>) -> !jit.tensor<[5,2],f32>
    %p = aten.mm %t, %b : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
    %s = aten.add.Tensor %sum, %p, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    %q = aten.mm %t, %b : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
    %u = aten.add.Tensor %other, %q, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    %v = aten.mm %t, %b : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
    %w = aten.add.Tensor %third, %v, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    scf.yield %u, %s, %fourth, %w : !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>
  }
  return %r#0, %r#1, %r#2, %r#3 : !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>
}

// -----

// A row that is broadcast to the sum, as the first and as the second operand, and sums of sizes that are not known.

// CHECK-LABEL: func.func @types
//       CHECK: scf.for
// CHECK-COUNT-3: aten.mm
//       CHECK: scf.yield
//   CHECK-NOT: aten.mm
func.func @types(%h: !jit.tensor<[10,2,1],f32>, %f: !jit.tensor<[10,2,5],f32>, %g: !jit.tensor<[10,2,4],f32>, %start: !jit.tensor<[5,4],f32>, %open: !jit.tensor<[?,4],f32>) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[?,4],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %r:3 = scf.for %i = %0 to %10 step %1 iter_args(%sum = %start, %other = %start, %third = %open) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[?,4],f32>) : i64 {
    %a = aten.select.int %h, %0, %i : (!jit.tensor<[10,2,1],f32>, i64, i64) -> !jit.tensor<[2,1],f32>
    %b = aten.select.int %g, %0, %i : (!jit.tensor<[10,2,4],f32>, i64, i64) -> !jit.tensor<[2,4],f32>
    %t = aten.t %a : (!jit.tensor<[2,1],f32>) -> !jit.tensor<[1,2],f32>
    %p = aten.mm %t, %b : (!jit.tensor<[1,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[1,4],f32>
    %q = aten.mm %t, %b : (!jit.tensor<[1,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[1,4],f32>
    %s = aten.add.Tensor %sum, %p, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[1,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    %u = aten.add.Tensor %q, %other, %1 : (!jit.tensor<[1,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    %c = aten.select.int %f, %0, %i : (!jit.tensor<[10,2,5],f32>, i64, i64) -> !jit.tensor<[2,5],f32>
    %d = aten.t %c : (!jit.tensor<[2,5],f32>) -> !jit.tensor<[5,2],f32>
    %v = aten.mm %d, %b : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[?,4],f32>
    %w = aten.add.Tensor %third, %v, %1 : (!jit.tensor<[?,4],f32>, !jit.tensor<[?,4],f32>, i64) -> !jit.tensor<[?,4],f32>
    scf.yield %s, %u, %w : !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[?,4],f32>
  }
  return %r#0, %r#1, %r#2 : !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[?,4],f32>
}

// RUN: jit-opt %s --split-input-file --jit-sink-sums | FileCheck %s

// What is added twice over is no sum of the products.

// CHECK-LABEL: func.func @scaled
//       CHECK: scf.for
//       CHECK: aten.mm
//       CHECK: scf.yield
//   CHECK-NOT: aten.mm
func.func @scaled(%h: !jit.tensor<[10,2,5],f32>, %g: !jit.tensor<[10,2,4],f32>, %start: !jit.tensor<[5,4],f32>) -> !jit.tensor<[5,4],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %10 = arith.constant 10 : i64
  %r = scf.for %i = %0 to %10 step %1 iter_args(%sum = %start) -> (!jit.tensor<[5,4],f32>) : i64 {
    %a = aten.select.int %h, %0, %i : (!jit.tensor<[10,2,5],f32>, i64, i64) -> !jit.tensor<[2,5],f32>
    %b = aten.select.int %g, %0, %i : (!jit.tensor<[10,2,4],f32>, i64, i64) -> !jit.tensor<[2,4],f32>
    %t = aten.t %a : (!jit.tensor<[2,5],f32>) -> !jit.tensor<[5,2],f32>
    %p = aten.mm %t, %b : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
    %s = aten.add.Tensor %sum, %p, %2 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    scf.yield %s : !jit.tensor<[5,4],f32>
  }
  return %r : !jit.tensor<[5,4],f32>
}

// -----

// The sum so far is carried to another place, too.

// CHECK-LABEL: func.func @seen_between
//       CHECK: scf.for
//       CHECK: aten.mm
//       CHECK: scf.yield
//   CHECK-NOT: aten.mm
func.func @seen_between(%h: !jit.tensor<[10,2,5],f32>, %g: !jit.tensor<[10,2,4],f32>, %start: !jit.tensor<[5,4],f32>)
    -> (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %r:2 = scf.for %i = %0 to %10 step %1 iter_args(%sum = %start, %last = %start) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>) : i64 {
    %a = aten.select.int %h, %0, %i : (!jit.tensor<[10,2,5],f32>, i64, i64) -> !jit.tensor<[2,5],f32>
    %b = aten.select.int %g, %0, %i : (!jit.tensor<[10,2,4],f32>, i64, i64) -> !jit.tensor<[2,4],f32>
    %t = aten.t %a : (!jit.tensor<[2,5],f32>) -> !jit.tensor<[5,2],f32>
    %p = aten.mm %t, %b : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
    %s = aten.add.Tensor %sum, %p, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    scf.yield %s, %s : !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>
  }
  return %r#0, %r#1 : !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>
}

// -----

// The product is a result of the trip as well as a summand; another one is of what the loop did not make.

// CHECK-LABEL: func.func @product_used
//       CHECK: scf.for
// CHECK-COUNT-2: aten.mm
//       CHECK: scf.yield
//   CHECK-NOT: aten.mm
func.func @product_used(%h: !jit.tensor<[10,2,5],f32>, %g: !jit.tensor<[10,2,4],f32>, %start: !jit.tensor<[5,4],f32>, %a: !jit.tensor<[5,2],f32>)
    -> (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %r:3 = scf.for %i = %0 to %10 step %1 iter_args(%sum = %start, %last = %start, %other = %start)
      -> (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>) : i64 {
    %step = aten.select.int %h, %0, %i : (!jit.tensor<[10,2,5],f32>, i64, i64) -> !jit.tensor<[2,5],f32>
    %b = aten.select.int %g, %0, %i : (!jit.tensor<[10,2,4],f32>, i64, i64) -> !jit.tensor<[2,4],f32>
    %t = aten.t %step : (!jit.tensor<[2,5],f32>) -> !jit.tensor<[5,2],f32>
    %p = aten.mm %t, %b : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
    %s = aten.add.Tensor %sum, %p, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    %q = aten.mm %a, %b : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
    %u = aten.add.Tensor %other, %q, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    scf.yield %s, %p, %u : !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>
  }
  return %r#0, %r#1, %r#2 : !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>
}

// -----

// A product of elements that is none of a column and a row.

// CHECK-LABEL: func.func @pointwise
//       CHECK: scf.for
// CHECK-COUNT-2: aten.mul.Tensor
//       CHECK: scf.yield
//   CHECK-NOT: aten.mm
func.func @pointwise(%h: !jit.tensor<[10,5,4],f32>, %g: !jit.tensor<[10,5,4],f32>, %c: !jit.tensor<[10,5,1],f32>, %start: !jit.tensor<[5,4],f32>)
    -> (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %r:2 = scf.for %i = %0 to %10 step %1 iter_args(%sum = %start, %other = %start) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>) : i64 {
    %a = aten.select.int %h, %0, %i : (!jit.tensor<[10,5,4],f32>, i64, i64) -> !jit.tensor<[5,4],f32>
    %b = aten.select.int %g, %0, %i : (!jit.tensor<[10,5,4],f32>, i64, i64) -> !jit.tensor<[5,4],f32>
    %column = aten.select.int %c, %0, %i : (!jit.tensor<[10,5,1],f32>, i64, i64) -> !jit.tensor<[5,1],f32>
    %p = aten.mul.Tensor %a, %b : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>) -> !jit.tensor<[5,4],f32>
    %s = aten.add.Tensor %sum, %p, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    %q = aten.mul.Tensor %column, %b : (!jit.tensor<[5,1],f32>, !jit.tensor<[5,4],f32>) -> !jit.tensor<[5,4],f32>
    %u = aten.add.Tensor %other, %q, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    scf.yield %s, %u : !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>
  }
  return %r#0, %r#1 : !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>
}

// -----

// One trip, and as many as the call says.

// CHECK-LABEL: func.func @trips
//       CHECK: scf.for
//       CHECK: aten.mm
//       CHECK: scf.yield
//       CHECK: scf.for
//       CHECK: aten.mm
//       CHECK: scf.yield
//   CHECK-NOT: aten.mm
func.func @trips(%h: !jit.tensor<[10,2,5],f32>, %g: !jit.tensor<[10,2,4],f32>, %start: !jit.tensor<[5,4],f32>, %n: i64)
    -> (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %r = scf.for %i = %0 to %1 step %1 iter_args(%sum = %start) -> (!jit.tensor<[5,4],f32>) : i64 {
    %a = aten.select.int %h, %0, %i : (!jit.tensor<[10,2,5],f32>, i64, i64) -> !jit.tensor<[2,5],f32>
    %b = aten.select.int %g, %0, %i : (!jit.tensor<[10,2,4],f32>, i64, i64) -> !jit.tensor<[2,4],f32>
    %t = aten.t %a : (!jit.tensor<[2,5],f32>) -> !jit.tensor<[5,2],f32>
    %p = aten.mm %t, %b : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
    %s = aten.add.Tensor %sum, %p, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    scf.yield %s : !jit.tensor<[5,4],f32>
  }
  %q = scf.for %i = %0 to %n step %1 iter_args(%sum = %start) -> (!jit.tensor<[5,4],f32>) : i64 {
    %a = aten.select.int %h, %0, %i : (!jit.tensor<[10,2,5],f32>, i64, i64) -> !jit.tensor<[2,5],f32>
    %b = aten.select.int %g, %0, %i : (!jit.tensor<[10,2,4],f32>, i64, i64) -> !jit.tensor<[2,4],f32>
    %t = aten.t %a : (!jit.tensor<[2,5],f32>) -> !jit.tensor<[5,2],f32>
    %p = aten.mm %t, %b : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
    %s = aten.add.Tensor %sum, %p, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    scf.yield %s : !jit.tensor<[5,4],f32>
  }
  return %r, %q : !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>
}

// RUN: jit-opt %s --split-input-file --jit-sink-sums | FileCheck %s

// Linear layers take their second operand transposed, a maximum is no product, and a product with a vector none of matrices.

// CHECK-LABEL: func.func @kinds
//       CHECK: scf.for
//       CHECK: aten.linear
//       CHECK: aten.maximum
//       CHECK: aten.matmul
//       CHECK: scf.yield
//   CHECK-NOT: aten.mm
func.func @kinds(%h: !jit.tensor<[10,2,5],f32>, %w: !jit.tensor<[10,4,2],f32>, %k: !jit.tensor<[10,5,2],f32>, %y: !jit.tensor<[10,2],f32>, %start: !jit.tensor<[5,4],f32>, %m: !jit.tensor<[5,2],f32>, %l: !jit.tensor<[5],f32>) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[5,2],f32>, !jit.tensor<[5],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %none = jit.constant !jit.none = unit
  %r:3 = scf.for %i = %0 to %10 step %1 iter_args(%sum = %start, %other = %m, %third = %l) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[5,2],f32>, !jit.tensor<[5],f32>) : i64 {
    %a = aten.select.int %h, %0, %i : (!jit.tensor<[10,2,5],f32>, i64, i64) -> !jit.tensor<[2,5],f32>
    %t = aten.t %a : (!jit.tensor<[2,5],f32>) -> !jit.tensor<[5,2],f32>
    %b = aten.select.int %w, %0, %i : (!jit.tensor<[10,4,2],f32>, i64, i64) -> !jit.tensor<[4,2],f32>
    %p = aten.linear %t, %b, %none : (!jit.tensor<[5,2],f32>, !jit.tensor<[4,2],f32>, !jit.none) -> !jit.tensor<[5,4],f32>
    %s = aten.add.Tensor %sum, %p, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    %c = aten.select.int %k, %0, %i : (!jit.tensor<[10,5,2],f32>, i64, i64) -> !jit.tensor<[5,2],f32>
    %q = aten.maximum %t, %c : (!jit.tensor<[5,2],f32>, !jit.tensor<[5,2],f32>) -> !jit.tensor<[5,2],f32>
    %u = aten.add.Tensor %other, %q, %1 : (!jit.tensor<[5,2],f32>, !jit.tensor<[5,2],f32>, i64) -> !jit.tensor<[5,2],f32>
    %d = aten.select.int %y, %0, %i : (!jit.tensor<[10,2],f32>, i64, i64) -> !jit.tensor<[2],f32>
    %v = aten.matmul %t, %d : (!jit.tensor<[5,2],f32>, !jit.tensor<[2],f32>) -> !jit.tensor<[5],f32>
    %x = aten.add.Tensor %third, %v, %1 : (!jit.tensor<[5],f32>, !jit.tensor<[5],f32>, i64) -> !jit.tensor<[5],f32>
    scf.yield %s, %u, %x : !jit.tensor<[5,4],f32>, !jit.tensor<[5,2],f32>, !jit.tensor<[5],f32>
  }
  return %r#0, %r#1, %r#2 : !jit.tensor<[5,4],f32>, !jit.tensor<[5,2],f32>, !jit.tensor<[5],f32>
}

// -----

// A row of a matrix times all of another one, a column times a vector, and one times a row of another type.

// CHECK-LABEL: func.func @elements
//       CHECK: scf.for
// CHECK-COUNT-4: aten.mul.Tensor
//       CHECK: scf.yield
//   CHECK-NOT: aten.mm
func.func @elements(%k: !jit.tensor<[10,5,4],f32>, %x: !jit.tensor<[10,1,4],f32>, %y: !jit.tensor<[10,5,1],f32>, %z: !jit.tensor<[10,4],f32>, %w: !jit.tensor<[10,1,4],f64>, %start: !jit.tensor<[5,4],f32>, %wide: !jit.tensor<[5,4],f64>) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f64>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %r:4 = scf.for %i = %0 to %10 step %1 iter_args(%sum = %start, %other = %start, %third = %start, %fourth = %wide) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f64>) : i64 {
    %a = aten.select.int %k, %0, %i : (!jit.tensor<[10,5,4],f32>, i64, i64) -> !jit.tensor<[5,4],f32>
    %b = aten.select.int %x, %0, %i : (!jit.tensor<[10,1,4],f32>, i64, i64) -> !jit.tensor<[1,4],f32>
    %c = aten.select.int %y, %0, %i : (!jit.tensor<[10,5,1],f32>, i64, i64) -> !jit.tensor<[5,1],f32>
    %d = aten.select.int %z, %0, %i : (!jit.tensor<[10,4],f32>, i64, i64) -> !jit.tensor<[4],f32>
    %e = aten.select.int %w, %0, %i : (!jit.tensor<[10,1,4],f64>, i64, i64) -> !jit.tensor<[1,4],f64>
    %p = aten.mul.Tensor %a, %b : (!jit.tensor<[5,4],f32>, !jit.tensor<[1,4],f32>) -> !jit.tensor<[5,4],f32>
    %s = aten.add.Tensor %sum, %p, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    %q = aten.mul.Tensor %c, %d : (!jit.tensor<[5,1],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[5,4],f32>
    %u = aten.add.Tensor %other, %q, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    %f = aten.mul.Tensor %d, %c : (!jit.tensor<[4],f32>, !jit.tensor<[5,1],f32>) -> !jit.tensor<[5,4],f32>
    %v = aten.add.Tensor %third, %f, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    %g = aten.mul.Tensor %c, %e : (!jit.tensor<[5,1],f32>, !jit.tensor<[1,4],f64>) -> !jit.tensor<[5,4],f64>
    %n = aten.add.Tensor %fourth, %g, %1 : (!jit.tensor<[5,4],f64>, !jit.tensor<[5,4],f64>, i64) -> !jit.tensor<[5,4],f64>
    scf.yield %s, %u, %v, %n : !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f64>
  }
  return %r#0, %r#1, %r#2, %r#3 : !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f64>
}

// -----

// Factors of open sizes.

// CHECK-LABEL: func.func @open
//       CHECK: scf.for
// CHECK-COUNT-2: aten.mm
// CHECK-COUNT-2: aten.mul.Tensor
//       CHECK: scf.yield
//   CHECK-NOT: aten.mm
func.func @open(%h: !jit.tensor<[10,?,5],f32>, %g: !jit.tensor<[10,?,4],f32>, %k: !jit.tensor<[10,2,5],f32>, %m: !jit.tensor<[10,2,4],f32>, %y: !jit.tensor<[10,?,1],f32>, %x: !jit.tensor<[10,1,4],f32>, %start: !jit.tensor<[5,4],f32>) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %r:4 = scf.for %i = %0 to %10 step %1 iter_args(%sum = %start, %other = %start, %third = %start, %fourth = %start) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>) : i64 {
    %a = aten.select.int %h, %0, %i : (!jit.tensor<[10,?,5],f32>, i64, i64) -> !jit.tensor<[?,5],f32>
    %b = aten.select.int %m, %0, %i : (!jit.tensor<[10,2,4],f32>, i64, i64) -> !jit.tensor<[2,4],f32>
    %t = aten.t %a : (!jit.tensor<[?,5],f32>) -> !jit.tensor<[5,?],f32>
    %p = aten.mm %t, %b : (!jit.tensor<[5,?],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
    %s = aten.add.Tensor %sum, %p, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    %c = aten.select.int %k, %0, %i : (!jit.tensor<[10,2,5],f32>, i64, i64) -> !jit.tensor<[2,5],f32>
    %d = aten.select.int %g, %0, %i : (!jit.tensor<[10,?,4],f32>, i64, i64) -> !jit.tensor<[?,4],f32>
    %u = aten.t %c : (!jit.tensor<[2,5],f32>) -> !jit.tensor<[5,2],f32>
    %q = aten.mm %u, %d : (!jit.tensor<[5,2],f32>, !jit.tensor<[?,4],f32>) -> !jit.tensor<[5,4],f32>
    %v = aten.add.Tensor %other, %q, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    %e = aten.select.int %y, %0, %i : (!jit.tensor<[10,?,1],f32>, i64, i64) -> !jit.tensor<[?,1],f32>
    %f = aten.select.int %x, %0, %i : (!jit.tensor<[10,1,4],f32>, i64, i64) -> !jit.tensor<[1,4],f32>
    %n = aten.mul.Tensor %e, %f : (!jit.tensor<[?,1],f32>, !jit.tensor<[1,4],f32>) -> !jit.tensor<[5,4],f32>
    %w = aten.add.Tensor %third, %n, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    %o = aten.mul.Tensor %f, %e : (!jit.tensor<[1,4],f32>, !jit.tensor<[?,1],f32>) -> !jit.tensor<[5,4],f32>
    %ow = aten.add.Tensor %fourth, %o, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    scf.yield %s, %v, %w, %ow : !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>
  }
  return %r#0, %r#1, %r#2, %r#3 : !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>
}

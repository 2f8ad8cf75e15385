// RUN: jit-opt %s --split-input-file --jit-peephole | FileCheck %s

// Factors of less than 1 may lose bits of small numbers that the product of both has; 2^200 is an infinity of f32.

// CHECK-LABEL: func.func @between
// CHECK-COUNT-6: aten.mul.Scalar
//       CHECK: return
func.func @between(%x: !jit.tensor<[4],f32>) -> (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],f32>) {
  %half = arith.constant 0.5 : f64
  %four = arith.constant 4.0 : f64
  %large = arith.constant 1.2676506002282294e+30 : f64
  %0 = aten.mul.Scalar %x, %half : (!jit.tensor<[4],f32>, f64) -> !jit.tensor<[4],f32>
  %1 = aten.mul.Scalar %0, %four : (!jit.tensor<[4],f32>, f64) -> !jit.tensor<[4],f32>
  %2 = aten.mul.Scalar %x, %four : (!jit.tensor<[4],f32>, f64) -> !jit.tensor<[4],f32>
  %3 = aten.mul.Scalar %2, %half : (!jit.tensor<[4],f32>, f64) -> !jit.tensor<[4],f32>
  %4 = aten.mul.Scalar %x, %large : (!jit.tensor<[4],f32>, f64) -> !jit.tensor<[4],f32>
  %5 = aten.mul.Scalar %4, %large : (!jit.tensor<[4],f32>, f64) -> !jit.tensor<[4],f32>
  return %1, %3, %5 : !jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],f32>
}

// -----

// Numbers that only the call knows.

// CHECK-LABEL: func.func @unknown
// CHECK-COUNT-8: aten.mul.Scalar
//       CHECK: aten.div.Scalar
func.func @unknown(%x: !jit.tensor<[4],f32>, %i: !jit.tensor<[4],i64>, %number: f64, %int: i64)
    -> (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],i64>, !jit.tensor<[4],i64>, !jit.tensor<[4],f32>) {
  %two = arith.constant 2 : i64
  %0 = aten.mul.Scalar %x, %number : (!jit.tensor<[4],f32>, f64) -> !jit.tensor<[4],f32>
  %1 = aten.mul.Scalar %0, %two : (!jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
  %2 = aten.mul.Scalar %x, %two : (!jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
  %3 = aten.mul.Scalar %2, %number : (!jit.tensor<[4],f32>, f64) -> !jit.tensor<[4],f32>
  %4 = aten.mul.Scalar %i, %int : (!jit.tensor<[4],i64>, i64) -> !jit.tensor<[4],i64>
  %5 = aten.mul.Scalar %4, %two : (!jit.tensor<[4],i64>, i64) -> !jit.tensor<[4],i64>
  %6 = aten.mul.Scalar %i, %two : (!jit.tensor<[4],i64>, i64) -> !jit.tensor<[4],i64>
  %7 = aten.mul.Scalar %6, %int : (!jit.tensor<[4],i64>, i64) -> !jit.tensor<[4],i64>
  %8 = aten.div.Scalar %x, %number : (!jit.tensor<[4],f32>, f64) -> !jit.tensor<[4],f32>
  return %1, %3, %5, %7, %8 : !jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],i64>, !jit.tensor<[4],i64>, !jit.tensor<[4],f32>
}

// -----

// An integer that becomes a float between or at the end: 3 * 2 is exact, 2^24 + 1 as f32 is not.

// CHECK-LABEL: func.func @converted
// CHECK-COUNT-4: aten.mul.Scalar
//       CHECK: return
func.func @converted(%i: !jit.tensor<[4],i64>) -> (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) {
  %two = arith.constant 2 : i64
  %float = arith.constant 2.0 : f64
  %0 = aten.mul.Scalar %i, %float : (!jit.tensor<[4],i64>, f64) -> !jit.tensor<[4],f32>
  %1 = aten.mul.Scalar %0, %two : (!jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
  %2 = aten.mul.Scalar %i, %two : (!jit.tensor<[4],i64>, i64) -> !jit.tensor<[4],i64>
  %3 = aten.mul.Scalar %2, %float : (!jit.tensor<[4],i64>, f64) -> !jit.tensor<[4],f32>
  return %1, %3 : !jit.tensor<[4],f32>, !jit.tensor<[4],f32>
}

// -----

// The inverse of 2^127 has no bits left in f32, and a tensor of unknown type may be one of integers.

// CHECK-LABEL: func.func @divided
// CHECK-COUNT-2: aten.div.Scalar
//       CHECK: return
func.func @divided(%x: !jit.tensor<[4],f32>, %y: !jit.tensor) -> (!jit.tensor<[4],f32>, !jit.tensor) {
  %large = arith.constant 1.7014118346046923e+38 : f64
  %two = arith.constant 2 : i64
  %0 = aten.div.Scalar %x, %large : (!jit.tensor<[4],f32>, f64) -> !jit.tensor<[4],f32>
  %1 = aten.div.Scalar %y, %two : (!jit.tensor, i64) -> !jit.tensor
  return %0, %1 : !jit.tensor<[4],f32>, !jit.tensor
}

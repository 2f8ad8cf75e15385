// RUN: jit-opt %s --jit-lower --canonicalize --split-input-file | FileCheck %s

// Bin after bin adds to what its pixels have.
// CHECK-LABEL: func.func @ofSamples(
//  CHECK-SAME:   %[[G:.*]]: tensor<4x2x2x2xf32>
//       CHECK:   jit.guard
//       CHECK:   %[[Z:.*]] = linalg.fill {{.*}} -> tensor<1x2x5x6xf32>
//       CHECK:   scf.for {{.*}} iter_args(%{{.*}} = %[[Z]])
// CHECK-COUNT-4:   tensor.insert
func.func @ofSamples(%g: !jit.tensor<[4,2,2,2],f32>, %r: !jit.tensor<[4,5],f32>) -> !jit.tensor<[1,2,5,6],f32> {
  %scale = arith.constant 5.0e-01 : f64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %5 = arith.constant 5 : i64
  %6 = arith.constant 6 : i64
  %no = arith.constant false
  %0 = aten._roi_align_backward %g, %r, %scale, %2, %2, %1, %2, %5, %6, %2, %no : (!jit.tensor<[4,2,2,2],f32>, !jit.tensor<[4,5],f32>, f64, i64, i64, i64, i64, i64, i64, i64, i1) -> !jit.tensor<[1,2,5,6],f32>
  return %0 : !jit.tensor<[1,2,5,6],f32>
}

// -----

// The places that an argument names are looked over before they are written to.
// CHECK-LABEL: func.func @ofMaxima(
//       CHECK:   jit.guard %{{.*}}, "builtins.RuntimeError", "expected boxes
//       CHECK:   jit.guard %{{.*}}, "builtins.IndexError", "an index is out of range
//       CHECK:   scf.for
//       CHECK:     scf.if
//       CHECK:       tensor.insert
func.func @ofMaxima(%g: !jit.tensor<[4,2,2,2],f32>, %r: !jit.tensor<[4,5],f32>, %at: !jit.tensor<[4,2,2,2],i32>) -> !jit.tensor<[1,2,5,6],f32> {
  %scale = arith.constant 5.0e-01 : f64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %5 = arith.constant 5 : i64
  %6 = arith.constant 6 : i64
  %0 = aten._roi_pool_backward %g, %r, %at, %scale, %2, %2, %1, %2, %5, %6 : (!jit.tensor<[4,2,2,2],f32>, !jit.tensor<[4,5],f32>, !jit.tensor<[4,2,2,2],i32>, f64, i64, i64, i64, i64, i64, i64) -> !jit.tensor<[1,2,5,6],f32>
  return %0 : !jit.tensor<[1,2,5,6],f32>
}

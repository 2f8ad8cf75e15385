// RUN: jit-opt %s --split-input-file --jit-differentiate --canonicalize --cse | FileCheck %s

// The gradient of a step is zeros, which become NaN where an infinite slope comes before it; and another gradient of the same tensor takes
// the place of zeros, whichever comes first.

// CHECK-LABEL: func.func @forward
//       CHECK: %[[EXP:.*]] = aten.exp
//       CHECK: %[[ZEROS:.*]] = aten.zeros_like
//       CHECK: %[[GRADIENT:.*]] = aten.mul.Tensor %[[ZEROS]], %[[EXP]]
//       CHECK: return %{{.*}}, %[[GRADIENT]]
func.func @forward(%x: !jit.tensor<[2],f32> {jit.requires_grad}) -> !jit.tensor<[2],f32> {
  %exp = aten.exp %x : (!jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  %floor = aten.floor %exp : (!jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  return %floor : !jit.tensor<[2],f32>
}

// -----

// CHECK-LABEL: func.func @forward
//       CHECK: %[[SEED:.*]] = aten.ones_like
//   CHECK-NOT: aten.
//       CHECK: return %{{.*}}, %{{.*}}, %[[SEED]]
func.func @forward(%x: !jit.tensor<[2],f32> {jit.requires_grad}) -> (!jit.tensor<[2],f32>, !jit.tensor<[2],f32>) {
  %floor = aten.floor %x : (!jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  %frac = aten.frac %x : (!jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  return %floor, %frac : !jit.tensor<[2],f32>, !jit.tensor<[2],f32>
}

// -----

// What a part is written over with gives the part no other gradient than the zeros that its whole has there.
// CHECK-LABEL: func.func @forward
//       CHECK: %[[SCATTER:.*]] = aten.slice_scatter
//       CHECK: %[[GRADIENT:.*]] = aten.slice_scatter
//   CHECK-NOT: aten.slice_scatter
//       CHECK: return %[[SCATTER]], %[[GRADIENT]]
func.func @forward(%x: !jit.tensor<[4],f32> {jit.requires_grad}, %y: !jit.tensor<[2],f32>) -> !jit.tensor<[4],f32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %false = arith.constant false
  %0 = aten.slice.Tensor %x, %c0, %c0, %c2, %c1 : (!jit.tensor<[4],f32>, i64, i64, i64, i64) -> !jit.tensor<[2],f32>
  %1 = aten.copy %0, %y, %false : (!jit.tensor<[2],f32>, !jit.tensor<[2],f32>, i1) -> !jit.tensor<[2],f32>
  %2 = aten.slice_scatter %x, %1, %c0, %c0, %c2, %c1 : (!jit.tensor<[4],f32>, !jit.tensor<[2],f32>, i64, i64, i64, i64) -> !jit.tensor<[4],f32>
  return %2 : !jit.tensor<[4],f32>
}

// -----

// The same of a part that is filled: it is one number then, and nothing of what it was.
// CHECK-LABEL: func.func @forward
//   CHECK-NOT: aten.fill
//       CHECK: %[[FULL:.*]] = aten.full
//       CHECK: %[[SCATTER:.*]] = aten.slice_scatter %{{.*}}, %[[FULL]]
//       CHECK: %[[GRADIENT:.*]] = aten.slice_scatter
//   CHECK-NOT: aten.slice_scatter
//       CHECK: return %[[SCATTER]], %[[GRADIENT]]
func.func @forward(%x: !jit.tensor<[4],f32> {jit.requires_grad}) -> !jit.tensor<[4],f32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %two = arith.constant 2.0 : f64
  %0 = aten.slice.Tensor %x, %c0, %c0, %c2, %c1 : (!jit.tensor<[4],f32>, i64, i64, i64, i64) -> !jit.tensor<[2],f32>
  %1 = aten.fill.Scalar %0, %two : (!jit.tensor<[2],f32>, f64) -> !jit.tensor<[2],f32>
  %2 = aten.slice_scatter %x, %1, %c0, %c0, %c2, %c1 : (!jit.tensor<[4],f32>, !jit.tensor<[2],f32>, i64, i64, i64, i64) -> !jit.tensor<[4],f32>
  return %2 : !jit.tensor<[4],f32>
}

// RUN: jit-opt %s --split-input-file --jit-differentiate --canonicalize --cse | FileCheck %s

// An end that counts from the back lies behind a start that counts from the front: x[0:-3] and x[0:5] of eight elements meet.

// CHECK-LABEL: func.func @forward
//       CHECK: %[[ONE:.*]] = aten.slice_scatter
//       CHECK: aten.slice.Tensor %[[ONE]],
//       CHECK: aten.add.Tensor
//       CHECK: aten.slice_scatter %[[ONE]],
func.func @forward(%x: !jit.tensor<[8],f32> {jit.requires_grad}) -> !jit.tensor<[5],f32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c5 = arith.constant 5 : i64
  %back = arith.constant -3 : i64
  %0 = aten.slice.Tensor %x, %c0, %c0, %c5, %c1 : (!jit.tensor<[8],f32>, i64, i64, i64, i64) -> !jit.tensor<[5],f32>
  %1 = aten.slice.Tensor %x, %c0, %c0, %back, %c1 : (!jit.tensor<[8],f32>, i64, i64, i64, i64) -> !jit.tensor<[5],f32>
  %2 = aten.mul.Tensor %0, %1 : (!jit.tensor<[5],f32>, !jit.tensor<[5],f32>) -> !jit.tensor<[5],f32>
  return %2 : !jit.tensor<[5],f32>
}

// -----

// x[-4:8] and x[4:8] are the same four elements.

// CHECK-LABEL: func.func @forward
//       CHECK: %[[ONE:.*]] = aten.slice_scatter
//       CHECK: aten.slice.Tensor %[[ONE]],
//       CHECK: aten.add.Tensor
//       CHECK: aten.slice_scatter %[[ONE]],
func.func @forward(%x: !jit.tensor<[8],f32> {jit.requires_grad}) -> !jit.tensor<[4],f32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %c8 = arith.constant 8 : i64
  %back = arith.constant -4 : i64
  %0 = aten.slice.Tensor %x, %c0, %back, %c8, %c1 : (!jit.tensor<[8],f32>, i64, i64, i64, i64) -> !jit.tensor<[4],f32>
  %1 = aten.slice.Tensor %x, %c0, %c4, %c8, %c1 : (!jit.tensor<[8],f32>, i64, i64, i64, i64) -> !jit.tensor<[4],f32>
  %2 = aten.mul.Tensor %0, %1 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  return %2 : !jit.tensor<[4],f32>
}

// -----

// Rows 2 and 3 and columns 0 and 1 meet.

// CHECK-LABEL: func.func @forward
//       CHECK: %[[ONE:.*]] = aten.slice_scatter
//       CHECK: aten.slice.Tensor %[[ONE]],
//       CHECK: aten.add.Tensor
//       CHECK: aten.slice_scatter %[[ONE]],
func.func @forward(%x: !jit.tensor<[4,4],f32> {jit.requires_grad}) -> !jit.tensor<[4,4],f32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c4 = arith.constant 4 : i64
  %0 = aten.slice.Tensor %x, %c0, %c2, %c4, %c1 : (!jit.tensor<[4,4],f32>, i64, i64, i64, i64) -> !jit.tensor<[2,4],f32>
  %1 = aten.slice.Tensor %x, %c1, %c0, %c2, %c1 : (!jit.tensor<[4,4],f32>, i64, i64, i64, i64) -> !jit.tensor<[4,2],f32>
  %2 = aten.mm %1, %0 : (!jit.tensor<[4,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[4,4],f32>
  return %2 : !jit.tensor<[4,4],f32>
}

// -----

// Which slice one is, only the call knows; a row that was written is no slice.

// CHECK-LABEL: func.func @forward
//       CHECK: %[[ONE:.*]] = aten.slice_scatter
//       CHECK: aten.slice.Tensor %[[ONE]],
//       CHECK: aten.add.Tensor
//       CHECK: %[[TWO:.*]] = aten.slice_scatter %[[ONE]],
//       CHECK: aten.select.int %[[TWO]],
//       CHECK: aten.add.Tensor
func.func @forward(%x: !jit.tensor<[4],f32> {jit.requires_grad}, %k: i64) -> !jit.tensor<[?],f32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c4 = arith.constant 4 : i64
  %r = aten.select.int %x, %c0, %c1 : (!jit.tensor<[4],f32>, i64, i64) -> !jit.tensor<[],f32>
  %0 = aten.slice.Tensor %x, %c0, %k, %c4, %c1 : (!jit.tensor<[4],f32>, i64, i64, i64, i64) -> !jit.tensor<[?],f32>
  %1 = aten.slice.Tensor %x, %c0, %c0, %c1, %c1 : (!jit.tensor<[4],f32>, i64, i64, i64, i64) -> !jit.tensor<[1],f32>
  %2 = aten.mul.Tensor %0, %1 : (!jit.tensor<[?],f32>, !jit.tensor<[1],f32>) -> !jit.tensor<[?],f32>
  %3 = aten.mul.Tensor %2, %r : (!jit.tensor<[?],f32>, !jit.tensor<[],f32>) -> !jit.tensor<[?],f32>
  return %3 : !jit.tensor<[?],f32>
}

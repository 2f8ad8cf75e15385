// RUN: jit-opt %s --jit-lower | FileCheck %s

// Nothing is left behind the end: no place in the tensor is taken.
// CHECK-LABEL: func.func @slice_behind_the_end
// CHECK-NEXT: %[[EMPTY:.*]] = tensor.empty() : tensor<0x4xf32>
// CHECK-NEXT: return %[[EMPTY]]
func.func @slice_behind_the_end(%x: !jit.tensor<[3,4],f32>) -> !jit.tensor<[0,4],f32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i64
  %none = jit.constant !jit.none = unit
  %r = aten.slice.Tensor %x, %c0, %c3, %none, %c1 : (!jit.tensor<[3,4],f32>, i64, i64, !jit.none, i64) -> !jit.tensor<[0,4],f32>
  return %r : !jit.tensor<[0,4],f32>
}

// CHECK-LABEL: func.func @write_behind_the_end
// CHECK-SAME: (%[[X:.*]]: tensor<3x4xf32>,
// CHECK-NEXT: return %[[X]]
func.func @write_behind_the_end(%x: !jit.tensor<[3,4],f32>, %y: !jit.tensor<[0,4],f32>) -> !jit.tensor<[3,4],f32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i64
  %none = jit.constant !jit.none = unit
  %r = aten.slice_scatter %x, %y, %c0, %c3, %none, %c1 : (!jit.tensor<[3,4],f32>, !jit.tensor<[0,4],f32>, i64, i64, !jit.none, i64) -> !jit.tensor<[3,4],f32>
  return %r : !jit.tensor<[3,4],f32>
}

// CHECK-LABEL: func.func @all_padding
// CHECK: %[[R:.*]] = linalg.fill
// CHECK-NEXT: return %[[R]]
func.func @all_padding(%x: !jit.tensor<[0],f32>) -> !jit.tensor<[2],f32> {
  %c0 = arith.constant 0 : i64
  %c2 = arith.constant 2 : i64
  %pad = jit.list %c2, %c0 : (i64, i64) -> !jit.list<i64>
  %r = aten.constant_pad_nd %x, %pad, %c0 : (!jit.tensor<[0],f32>, !jit.list<i64>, i64) -> !jit.tensor<[2],f32>
  return %r : !jit.tensor<[2],f32>
}

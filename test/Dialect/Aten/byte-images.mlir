// RUN: jit-opt %s --jit-decompose | FileCheck %s

// Bytes are made along the last dimension first, by whole weights of 16 bits (half of 1 << 15 each here), and rounded before the other dimension takes them.

// CHECK-LABEL: func.func @bilinear(
// CHECK-DAG: %[[HALF:.*]] = arith.constant 16384 : i64
// CHECK-DAG: %[[DIGITS:.*]] = arith.constant 15 : i64
// CHECK-DAG: %[[MOST:.*]] = arith.constant 255 : i64
// CHECK: %[[SUM:.*]] = aten.sum.dim_IntList
// CHECK: %[[MORE:.*]] = aten.add.Scalar %[[SUM]], %[[HALF]]
// CHECK: %[[BYTES:.*]] = aten.bitwise_right_shift.Tensor_Scalar %[[MORE]], %[[DIGITS]]
// CHECK: aten.clamp %[[BYTES]], %{{.*}}, %[[MOST]]
// CHECK: aten.to.dtype
// CHECK: aten.sum.dim_IntList
// CHECK: aten.clamp
func.func @bilinear(%x: !jit.tensor<[1,3,4,4],ui8>) -> !jit.tensor<[1,3,2,2],ui8> {
  %two = arith.constant 2 : i64
  %false = arith.constant false
  %none = jit.constant !jit.none = unit
  %size = jit.list %two, %two : (i64, i64) -> !jit.list<i64>
  %r = aten.upsample_bilinear2d %x, %size, %false, %none, %none : (!jit.tensor<[1,3,4,4],ui8>, !jit.list<i64>, i1, !jit.none, !jit.none) -> !jit.tensor<[1,3,2,2],ui8>
  return %r : !jit.tensor<[1,3,2,2],ui8>
}

// RUN: jit-opt %s --jit-infer-types | FileCheck %s

// A size that no int64 holds is not known.
func.func @too_large(%x: !jit.tensor<[1,1,3,4],f32>, %w: !jit.tensor<[1,1,2,2],f32>) -> (!jit.tensor, !jit.tensor, !jit.tensor) {
  %max = arith.constant 9223372036854775807 : i64
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %false = arith.constant false
  %none = jit.constant !jit.none = unit
  %zeros = jit.list %c0 : (i64) -> !jit.list<i64>
  %ones = jit.list %c1 : (i64) -> !jit.list<i64>
  %large = jit.list %max, %c1 : (i64, i64) -> !jit.list<i64>
  // CHECK: aten.constant_pad_nd {{.*}} -> !jit.tensor<[1,1,3,?],f32>{{$}}
  %0 = aten.constant_pad_nd %x, %large, %c0 : (!jit.tensor<[1,1,3,4],f32>, !jit.list<i64>, i64) -> !jit.tensor
  // CHECK: aten.conv2d {{.*}} -> !jit.tensor<[1,1,?,?],f32>{{$}}
  %1 = aten.conv2d %x, %w, %none, %ones, %zeros, %large, %c1 : (!jit.tensor<[1,1,3,4],f32>, !jit.tensor<[1,1,2,2],f32>, !jit.none, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor
  // CHECK: aten.conv_transpose2d.input {{.*}} -> !jit.tensor<[1,1,?,?],f32>{{$}}
  %2 = aten.conv_transpose2d.input %x, %w, %none, %large, %zeros, %zeros, %c1, %ones : (!jit.tensor<[1,1,3,4],f32>, !jit.tensor<[1,1,2,2],f32>, !jit.none, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, i64, !jit.list<i64>) -> !jit.tensor
  return %0, %1, %2 : !jit.tensor, !jit.tensor, !jit.tensor
}

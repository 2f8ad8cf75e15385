// RUN: jit-opt %s --jit-lower | FileCheck %s

// How far the last window reaches over the end only the call tells: there is padding for as far as it may, and one window less where the last would
// begin beyond the end.

//      CHECK: tensor.pad %{{.*}} low[0, 0, 0] high[0, 0, 2]
//      CHECK: linalg.generic
func.func @ceil(%x: !jit.tensor<[2,2,?],f32>) -> !jit.tensor<[2,2,?],f32> attributes {jit.symbolic} {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %3 = arith.constant 3 : i64
  %ceil = arith.constant true
  %size = jit.list %3 : (i64) -> !jit.list<i64>
  %zeros = jit.list %0 : (i64) -> !jit.list<i64>
  %ones = jit.list %1 : (i64) -> !jit.list<i64>
  %r = aten.max_pool1d %x, %size, %size, %zeros, %ones, %ceil : (!jit.tensor<[2,2,?],f32>, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, i1) -> !jit.tensor<[2,2,?],f32>
  return %r : !jit.tensor<[2,2,?],f32>
}

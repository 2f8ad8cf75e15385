// RUN: jit-opt %s --jit-lower | FileCheck %s

// What flows back through windows of a side that the call tells: as many windows as fit in it, of which a guard makes sure.

//      CHECK: arith.divsi
//      CHECK: %[[WINDOWS:.*]] = tensor.dim %arg0, %{{.*}} : tensor<2x2x3x?xf32>
//      CHECK: jit.guard {{.*}}"expected equal sizes
//      CHECK: linalg.generic
//      CHECK: linalg.index 5
//      CHECK: arith.cmpi ult, %{{.*}}, %[[WINDOWS]] : index
func.func @side(%grad: !jit.tensor<[2,2,3,?],f32>, %x: !jit.tensor<[2,2,6,?],f32>) -> !jit.tensor<[2,2,6,?],f32> attributes {jit.symbolic} {
  %0 = arith.constant 0 : i64
  %2 = arith.constant 2 : i64
  %no = arith.constant false
  %none = jit.constant !jit.none = unit
  %size = jit.list %2 : (i64) -> !jit.list<i64>
  %zeros = jit.list %0 : (i64) -> !jit.list<i64>
  %r = aten.avg_pool2d_backward %grad, %x, %size, %size, %zeros, %no, %no, %none : (!jit.tensor<[2,2,3,?],f32>, !jit.tensor<[2,2,6,?],f32>, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, i1, i1, !jit.none) -> !jit.tensor<[2,2,6,?],f32>
  return %r : !jit.tensor<[2,2,6,?],f32>
}

// RUN: jit-opt %s --jit-lower --verify-diagnostics

// What flows back through windows goes along known sizes; there may be any number of images.
func.func @side(%grad: !jit.tensor<[2,2,3,?],f32>, %x: !jit.tensor<[2,2,6,?],f32>) -> !jit.tensor<[2,2,6,?],f32> attributes {jit.symbolic} {
  %0 = arith.constant 0 : i64
  %2 = arith.constant 2 : i64
  %no = arith.constant false
  %none = jit.constant !jit.none = unit
  %size = jit.list %2 : (i64) -> !jit.list<i64>
  %zeros = jit.list %0 : (i64) -> !jit.list<i64>
  // expected-error @below {{expected static sizes in the last 2 dimensions in aten.avg_pool2d_backward, got '!jit.tensor<[2,2,3,?],f32>'}}
  // expected-error @below {{expected an operator with a lowering, got aten.avg_pool2d_backward}}
  %r = aten.avg_pool2d_backward %grad, %x, %size, %size, %zeros, %no, %no, %none : (!jit.tensor<[2,2,3,?],f32>, !jit.tensor<[2,2,6,?],f32>, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, i1, i1, !jit.none) -> !jit.tensor<[2,2,6,?],f32>
  return %r : !jit.tensor<[2,2,6,?],f32>
}

// RUN: jit-opt %s --jit-lower --verify-diagnostics

// How far the last window reaches over the end only the call would tell.
func.func @ceil(%x: !jit.tensor<[2,2,?],f32>) -> !jit.tensor<[2,2,?],f32> attributes {jit.symbolic} {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %3 = arith.constant 3 : i64
  %ceil = arith.constant true
  %size = jit.list %3 : (i64) -> !jit.list<i64>
  %zeros = jit.list %0 : (i64) -> !jit.list<i64>
  %ones = jit.list %1 : (i64) -> !jit.list<i64>
  // expected-error @below {{expected static sizes in the last 1 dimensions in aten.max_pool1d_with_indices, got '!jit.tensor<[2,2,?],f32>'}}
  // expected-error @below {{expected an operator with a lowering, got aten.max_pool1d_with_indices}}
  %r = aten.max_pool1d %x, %size, %size, %zeros, %ones, %ceil : (!jit.tensor<[2,2,?],f32>, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, i1) -> !jit.tensor<[2,2,?],f32>
  return %r : !jit.tensor<[2,2,?],f32>
}

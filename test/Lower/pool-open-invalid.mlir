// RUN: jit-opt %s --jit-lower --verify-diagnostics

func.func @height(%x: !jit.tensor<[2,2,?],f32>) -> !jit.tensor<[2,2,3],f32> attributes {jit.symbolic} {
  %3 = arith.constant 3 : i64
  %size = jit.list %3 : (i64) -> !jit.list<i64>
  // expected-error @below {{expected an operator with a lowering, got aten.adaptive_avg_pool1d}}
  // expected-error @below {{expected static sizes in the last 1 dimensions in aten.adaptive_avg_pool1d, got '!jit.tensor<[2,2,?],f32>'}}
  %r = aten.adaptive_avg_pool1d %x, %size : (!jit.tensor<[2,2,?],f32>, !jit.list<i64>) -> !jit.tensor<[2,2,3],f32>
  return %r : !jit.tensor<[2,2,3],f32>
}

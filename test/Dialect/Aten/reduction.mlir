// RUN: jit-opt %s --split-input-file --verify-diagnostics

// Types that follow from the operands are accepted; others are not.
func.func @keepdim(%x: !jit.tensor<[2,?],i32>) {
  %last = arith.constant -1 : i64
  %dims = jit.list %last : (i64) -> !jit.list<i64>
  %keep = arith.constant true
  %none = jit.constant !jit.none = unit
  %r = aten.sum.dim_IntList %x, %dims, %keep, %none : (!jit.tensor<[2,?],i32>, !jit.list<i64>, i1, !jit.none) -> !jit.tensor<[2,1],i64>
  return
}

// -----

func.func @range(%x: !jit.tensor<[2,3],f32>) {
  %dim = arith.constant 2 : i64
  %keep = arith.constant true
  // expected-error @+2 {{expected a dimension from -2 to 1, got 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %v, %i = aten.max.dim %x, %dim, %keep : (!jit.tensor<[2,3],f32>, i64, i1) -> (!jit.tensor, !jit.tensor)
  return
}

// -----

func.func @dtype(%x: !jit.tensor<[2,3],i32>) {
  %none = jit.constant !jit.none = unit
  // expected-error @+2 {{incompatible with return type(s)}}
  // expected-error @+1 {{failed to infer returned types}}
  %r = aten.sum %x, %none : (!jit.tensor<[2,3],i32>, !jit.none) -> !jit.tensor<[],i32>
  return
}

// RUN: jit-opt %s --split-input-file --verify-diagnostics

func.func @channels(%x: !jit.tensor<[1,3,8],f32>, %w: !jit.tensor<[4,2,3],f32>) {
  %1 = arith.constant 1 : i64
  %none = jit.constant !jit.none = unit
  %ones = jit.list %1 : (i64) -> !jit.list<i64>
  // expected-error @+2 {{expected an input of 2 channels, got 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %r = aten.conv1d %x, %w, %none, %ones, %ones, %ones, %1 : (!jit.tensor<[1,3,8],f32>, !jit.tensor<[4,2,3],f32>, !jit.none, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor
  return
}

// -----

func.func @sizes(%x: !jit.tensor<[1,2,?],f32>, %w: !jit.tensor<[4,2,3],f32>) {
  %1 = arith.constant 1 : i64
  %none = jit.constant !jit.none = unit
  %ones = jit.list %1 : (i64) -> !jit.list<i64>
  %r = aten.conv1d %x, %w, %none, %ones, %ones, %ones, %1 : (!jit.tensor<[1,2,?],f32>, !jit.tensor<[4,2,3],f32>, !jit.none, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[1,4,?],f32>
  return
}

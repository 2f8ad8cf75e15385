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

// -----

// As many columns as there are windows.
func.func @columns(%x: !jit.tensor<[8,11],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %4 = arith.constant 4 : i64
  %5 = arith.constant 5 : i64
  %sizes = jit.list %4, %5 : (i64, i64) -> !jit.list<i64>
  %kernel = jit.list %2, %2 : (i64, i64) -> !jit.list<i64>
  %ones = jit.list %1, %1 : (i64, i64) -> !jit.list<i64>
  %zeros = jit.list %0, %0 : (i64, i64) -> !jit.list<i64>
  // expected-error @+2 {{expected 12 columns, got 11}}
  // expected-error @+1 {{failed to infer returned types}}
  %r = aten.col2im %x, %sizes, %kernel, %ones, %zeros, %ones : (!jit.tensor<[8,11],f32>, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>) -> !jit.tensor
  return
}

// -----

// Each column has all taps of all channels.
func.func @taps(%x: !jit.tensor<[6,12],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %4 = arith.constant 4 : i64
  %5 = arith.constant 5 : i64
  %sizes = jit.list %4, %5 : (i64, i64) -> !jit.list<i64>
  %kernel = jit.list %2, %2 : (i64, i64) -> !jit.list<i64>
  %ones = jit.list %1, %1 : (i64, i64) -> !jit.list<i64>
  %zeros = jit.list %0, %0 : (i64, i64) -> !jit.list<i64>
  // expected-error @+2 {{expected columns of a multiple of 4 elements, got 6}}
  // expected-error @+1 {{failed to infer returned types}}
  %r = aten.col2im %x, %sizes, %kernel, %ones, %zeros, %ones : (!jit.tensor<[6,12],f32>, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>) -> !jit.tensor
  return
}

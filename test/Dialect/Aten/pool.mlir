// RUN: jit-opt %s --split-input-file --verify-diagnostics

// With ceil_mode no window starts in the padding after the input.
func.func @ceil(%x: !jit.tensor<[1,6],f32>) {
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %ceil = arith.constant true
  %twos = jit.list %2 : (i64) -> !jit.list<i64>
  %ones = jit.list %1 : (i64) -> !jit.list<i64>
  %r = aten.max_pool1d %x, %twos, %twos, %ones, %ones, %ceil : (!jit.tensor<[1,6],f32>, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, i1) -> !jit.tensor<[1,4],f32>
  return
}

// -----

func.func @rank(%x: !jit.tensor<[6],f32>) {
  %2 = arith.constant 2 : i64
  %twos = jit.list %2 : (i64) -> !jit.list<i64>
  // expected-error @+2 {{expected a tensor of rank 2 or 3, got rank 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %r = aten.adaptive_avg_pool1d %x, %twos : (!jit.tensor<[6],f32>, !jit.list<i64>) -> !jit.tensor
  return
}

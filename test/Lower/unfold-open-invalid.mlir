// RUN: jit-opt %s --jit-lower --verify-diagnostics

// A number has one window, whose size nobody knows here.
func.func @forward(%x: !jit.tensor<[],f32>, %n: i64) -> !jit.tensor<[?],f32> attributes {jit.symbolic} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  // expected-error @below {{expected an operator with a lowering, got aten.unfold}}
  %d = aten.unfold %x, %zero, %n, %one : (!jit.tensor<[],f32>, i64, i64, i64) -> !jit.tensor<[?],f32>
  return %d : !jit.tensor<[?],f32>
}

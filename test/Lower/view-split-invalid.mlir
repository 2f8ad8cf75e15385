// RUN: jit-opt %s --jit-lower --verify-diagnostics

// PyTorch refuses sizes of pieces that are negative, even where their sum is right.
func.func @negative(%x: !jit.tensor<[3,4],f32>) -> !jit.tensor<[3,4],f32> {
  %m1 = arith.constant -1 : i64
  %c0 = arith.constant 0 : i64
  %c4 = arith.constant 4 : i64
  %sizes = jit.list %m1, %c4 : (i64, i64) -> !jit.list<i64>
  // expected-error @+2 {{expected split sizes that add up to 3}}
  // expected-error @+1 {{expected an operator with a lowering, got aten.split_with_sizes}}
  %list = aten.split_with_sizes %x, %sizes, %c0 : (!jit.tensor<[3,4],f32>, !jit.list<i64>, i64) -> !jit.list<!jit.tensor<[3,4],f32>>
  %a, %b = jit.list_unpack %list : (!jit.list<!jit.tensor<[3,4],f32>>) -> (!jit.tensor<[3,4],f32>, !jit.tensor<[3,4],f32>)
  return %b : !jit.tensor<[3,4],f32>
}

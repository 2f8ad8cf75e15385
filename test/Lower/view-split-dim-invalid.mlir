// RUN: jit-opt %s --jit-lower --split-input-file --verify-diagnostics

// A dimension that a tensor has not is an error of the calls that get there, and no size is asked of it.
func.func @sections(%x: !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32> {
  %c2 = arith.constant 2 : i64
  %dim = arith.constant -2 : i64
  // expected-error @+2 {{expected a dimension of a tensor of 1 dimensions, got -2}}
  // expected-error @+1 {{expected an operator with a lowering, got aten.tensor_split.sections}}
  %list = aten.tensor_split.sections %x, %c2, %dim : (!jit.tensor<[4],f32>, i64, i64) -> !jit.list<!jit.tensor<[4],f32>>
  %a, %b = jit.list_unpack %list : (!jit.list<!jit.tensor<[4],f32>>) -> (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>)
  return %a : !jit.tensor<[4],f32>
}

// -----

func.func @sizes(%x: !jit.tensor<[],f32>) -> !jit.tensor<[],f32> {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i64
  %sizes = jit.list %c1 : (i64) -> !jit.list<i64>
  // expected-error @+2 {{expected a dimension of a tensor of 0 dimensions, got 0}}
  // expected-error @+1 {{expected an operator with a lowering, got aten.split_with_sizes}}
  %list = aten.split_with_sizes %x, %sizes, %c0 : (!jit.tensor<[],f32>, !jit.list<i64>, i64) -> !jit.list<!jit.tensor<[],f32>>
  %a = jit.list_unpack %list : (!jit.list<!jit.tensor<[],f32>>) -> !jit.tensor<[],f32>
  return %a : !jit.tensor<[],f32>
}

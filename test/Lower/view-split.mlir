// RUN: jit-opt %s --jit-specialize="args=f32[4,6]" --jit-lower | FileCheck %s

// The pieces of a split are known to whoever unpacks them, with the dialects of later stages loaded too.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %[[X:.*]]: tensor<4x6xf32>{{.*}} -> (tensor<4x4xf32>, tensor<4x2xf32>)
// CHECK-DAG: tensor.extract_slice %[[X]][0, 0] [4, 4] [1, 1]
// CHECK-DAG: tensor.extract_slice %[[X]][0, 4] [4, 2] [1, 1]
func.func @forward(%x: !jit.tensor) -> (!jit.tensor, !jit.tensor) {
  %c4 = arith.constant 4 : i64
  %c1 = arith.constant 1 : i64
  %list = aten.split.Tensor %x, %c4, %c1 : (!jit.tensor, i64, i64) -> !jit.list<!jit.tensor>
  %a, %b = jit.list_unpack %list : (!jit.list<!jit.tensor>) -> (!jit.tensor, !jit.tensor)
  return %a, %b : !jit.tensor, !jit.tensor
}

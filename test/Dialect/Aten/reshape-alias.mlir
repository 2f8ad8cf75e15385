// RUN: jit-opt %s --jit-specialize="args=f32[3,4]" --jit-functionalize-tensors | FileCheck %s

// A write through the reshaped tensor is one to the tensor that it shows.
// CHECK: %[[WRITTEN:.*]] = aten.add
// CHECK: return %{{[^a].*}}
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %6 = arith.constant 6 : i64
  %sizes = jit.list %2, %6 : (i64, i64) -> !jit.list<i64>
  %strides = jit.list %6, %1 : (i64, i64) -> !jit.list<i64>
  %y = aten.mul.Scalar %x, %2 : (!jit.tensor, i64) -> !jit.tensor
  %v = aten._reshape_alias %y, %sizes, %strides : (!jit.tensor, !jit.list<i64>, !jit.list<i64>) -> !jit.tensor
  %sum = aten.add.Scalar %v, %1, %1 : (!jit.tensor, i64, i64) -> !jit.tensor
  %w = jit.overwrite %v, %sum : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %y : !jit.tensor
}

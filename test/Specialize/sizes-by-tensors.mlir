// RUN: jit-opt %s --jit-specialize="args=f32[6,4]" --canonicalize | FileCheck %s

// What a traced program computes of sizes by way of tensors of rank 0 is a number again.
// CHECK-LABEL: func.func @forward
// CHECK: aten.reshape {{.*}} -> !jit.tensor<[3,8],f32>
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %none = jit.constant !jit.none = unit
  %long = arith.constant 4 : i64
  %n = aten.size.int %x, %zero : (!jit.tensor, i64) -> i64
  %m = aten.size.int %x, %one : (!jit.tensor, i64) -> i64
  %nt = aten.NumToTensor.Scalar %n : (i64) -> !jit.tensor
  %mt = aten.NumToTensor.Scalar %m : (i64) -> !jit.tensor
  %half = aten.scalar_tensor %two, %long, %none, %none, %none : (i64, i64, !jit.none, !jit.none, !jit.none) -> !jit.tensor
  %rows = aten.floor_divide %nt, %half : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %all = aten.mul.Tensor %nt, %mt : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %same = aten.detach %all : (!jit.tensor) -> !jit.tensor
  %columns = aten.floor_divide %same, %rows : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %a = aten.Int.Tensor %rows : (!jit.tensor) -> i64
  %b = aten.Int.Tensor %columns : (!jit.tensor) -> i64
  %sizes = jit.list %a, %b : (i64, i64) -> !jit.list<i64>
  %r = aten.reshape %x, %sizes : (!jit.tensor, !jit.list<i64>) -> !jit.tensor
  return %r : !jit.tensor
}

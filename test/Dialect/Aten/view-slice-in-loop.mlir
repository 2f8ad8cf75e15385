// RUN: jit-opt %s --jit-specialize="args=f32[1,64]" | FileCheck %s

// A window that moves with the loop's counter has a constant size and stays inside of the tensor.
// CHECK-LABEL: func.func @forward
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i64
  %c16 = arith.constant 16 : i64
  %c24 = arith.constant 24 : i64
  %init = aten.slice.Tensor %x, %c1, %c0, %c24, %c1 : (!jit.tensor, i64, i64, i64, i64) -> !jit.tensor
  // CHECK: scf.for
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%sum = %init) -> (!jit.tensor) : i64 {
    %start = arith.muli %i, %c16 : i64
    %end = arith.addi %start, %c24 : i64
    // CHECK: aten.slice.Tensor {{.*}} -> !jit.tensor<[1,24],f32>
    %part = aten.slice.Tensor %x, %c1, %start, %end, %c1 : (!jit.tensor, i64, i64, i64, i64) -> !jit.tensor
    %next = aten.add.Tensor %sum, %part, %c1 : (!jit.tensor, !jit.tensor, i64) -> !jit.tensor
    scf.yield %next : !jit.tensor
  }
  return %r : !jit.tensor
}

// RUN: jit-opt %s --jit-lower --canonicalize | FileCheck %s

// An index from outside is checked, a loop's counter that stays inside is not.
// CHECK-LABEL: func.func @open(
// CHECK: jit.guard %{{.*}}, "builtins.IndexError"
// CHECK: tensor.extract_slice %{{.*}}[%{{.*}}, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
func.func @open(%x: !jit.tensor<[4,8],f32>, %i: i64) -> !jit.tensor<[8],f32> {
  %c0 = arith.constant 0 : i64
  %r = aten.select.int %x, %c0, %i : (!jit.tensor<[4,8],f32>, i64, i64) -> !jit.tensor<[8],f32>
  return %r : !jit.tensor<[8],f32>
}

// CHECK-LABEL: func.func @counted(
// CHECK-NOT: jit.guard
// CHECK: tensor.extract_slice
func.func @counted(%x: !jit.tensor<[4,8],f32>, %init: !jit.tensor<[8],f32>) -> !jit.tensor<[8],f32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%sum = %init) -> (!jit.tensor<[8],f32>) : i64 {
    %row = aten.select.int %x, %c0, %i : (!jit.tensor<[4,8],f32>, i64, i64) -> !jit.tensor<[8],f32>
    %next = aten.add.Tensor %sum, %row, %c1 : (!jit.tensor<[8],f32>, !jit.tensor<[8],f32>, i64) -> !jit.tensor<[8],f32>
    scf.yield %next : !jit.tensor<[8],f32>
  }
  return %r : !jit.tensor<[8],f32>
}

// RUN: jit-opt %s --jit-lower --canonicalize | FileCheck %s

// Sizes that the type of a transposed tensor alone knows are its operand's.
// CHECK-LABEL: func.func @forward
// CHECK-SAME: %[[X:.*]]: tensor<?x?xf32>
// CHECK: jit.guard {{.*}} "jit.UnequalSizes"
// CHECK: jit.guard {{.*}} "jit.UnequalSizes"
// CHECK: %[[KNOWN:.*]] = tensor.cast %[[X]] : tensor<?x?xf32> to tensor<5x6xf32>
// CHECK: linalg.transpose ins(%[[KNOWN]] : tensor<5x6xf32>) outs(%{{.*}} : tensor<6x5xf32>) permutation = [1, 0]
func.func @forward(%x: !jit.tensor<[?,?],f32>) -> !jit.tensor<[6,5],f32> attributes {jit.symbolic} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %order = jit.list %one, %zero : (i64, i64) -> !jit.list<i64>
  %0 = aten.permute %x, %order : (!jit.tensor<[?,?],f32>, !jit.list<i64>) -> !jit.tensor<[6,5],f32>
  return %0 : !jit.tensor<[6,5],f32>
}

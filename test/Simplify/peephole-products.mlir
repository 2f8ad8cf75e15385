// RUN: jit-opt %s --jit-peephole --canonicalize | FileCheck %s

// The gradient of `w` in `x @ w.t()`: a transposed product is a product of transposed operands, and of the
// two transposes of %x none is left.

// CHECK-LABEL: func.func @forward
//  CHECK-SAME: (%[[X:.*]]: !jit.tensor<[8,3],f32>, %[[G:.*]]: !jit.tensor<[8,5],f32>)
//       CHECK: %[[T:.*]] = aten.transpose.int %[[G]], {{.*}} -> !jit.tensor<[5,8],f32>
//       CHECK: %[[R:.*]] = aten.mm %[[T]], %[[X]] : {{.*}} -> !jit.tensor<[5,3],f32>
//       CHECK: return %[[R]]
func.func @forward(%x: !jit.tensor<[8,3],f32>, %g: !jit.tensor<[8,5],f32>) -> !jit.tensor<[5,3],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %xt = aten.transpose.int %x, %0, %1 : (!jit.tensor<[8,3],f32>, i64, i64) -> !jit.tensor<[3,8],f32>
  %p = aten.matmul %xt, %g : (!jit.tensor<[3,8],f32>, !jit.tensor<[8,5],f32>) -> !jit.tensor<[3,5],f32>
  %r = aten.t %p : (!jit.tensor<[3,5],f32>) -> !jit.tensor<[5,3],f32>
  return %r : !jit.tensor<[5,3],f32>
}

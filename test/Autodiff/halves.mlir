// RUN: jit-opt %s --jit-differentiate="entry=forward" --canonicalize --cse | FileCheck %s
// RUN: jit-opt %s --jit-differentiate="entry=converted" --canonicalize --cse | FileCheck %s --check-prefix=CONVERTED
// RUN: jit-opt %s --jit-differentiate="entry=single" --canonicalize --cse | FileCheck %s --check-prefix=SINGLE

// The rule computes in float32 what it is given as halves, and rounds once. The result is that of the forward pass.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %[[X:.*]]: !jit.tensor<[4],f16> {jit.requires_grad}
// CHECK: %[[R:.*]] = aten.sigmoid %[[X]]
// CHECK: %[[WIDE:.*]] = aten.to.dtype %[[R]], %{{.*}} -> !jit.tensor<[4],f32>
// CHECK: %[[REST:.*]] = aten.rsub.Scalar %[[WIDE]], %{{.*}} -> !jit.tensor<[4],f32>
// CHECK: %[[SLOPE:.*]] = aten.mul.Tensor %[[WIDE]], %[[REST]] : {{.*}} -> !jit.tensor<[4],f32>
// CHECK: %[[GRAD:.*]] = aten.mul.Tensor %{{.*}}, %[[SLOPE]] : {{.*}} -> !jit.tensor<[4],f32>
// CHECK: %[[ROUNDED:.*]] = aten.to.dtype %[[GRAD]], %{{.*}} -> !jit.tensor<[4],f16>
// CHECK-NOT: aten.sigmoid
// CHECK: return %[[R]], %[[ROUNDED]]
func.func @forward(%x: !jit.tensor<[4],f16> {jit.requires_grad}) -> !jit.tensor<[4],f16> {
  %r = aten.sigmoid %x : (!jit.tensor<[4],f16>) -> !jit.tensor<[4],f16>
  return %r : !jit.tensor<[4],f16>
}

// A conversion has an operand of another type, which gets its gradient.
// CONVERTED-LABEL: func.func @converted(
// CONVERTED: %[[R:.*]] = aten.to.dtype %{{.*}} -> !jit.tensor<[4],f16>
// CONVERTED: %[[ONES:.*]] = aten.ones_like %[[R]]
// CONVERTED: %[[GRAD:.*]] = aten.to.dtype %[[ONES]], %{{.*}} -> !jit.tensor<[4],f32>
// CONVERTED: return %[[R]], %[[GRAD]]
func.func @converted(%x: !jit.tensor<[4],f32> {jit.requires_grad}) -> !jit.tensor<[4],f16> {
  %half = arith.constant 5 : i64
  %no = arith.constant false
  %none = jit.constant !jit.none = unit
  %r = aten.to.dtype %x, %half, %no, %no, %none : (!jit.tensor<[4],f32>, i64, i1, i1, !jit.none) -> !jit.tensor<[4],f16>
  return %r : !jit.tensor<[4],f16>
}

// SINGLE-LABEL: func.func @single(
// SINGLE-NOT: aten.to.dtype
// SINGLE: return
func.func @single(%x: !jit.tensor<[4],f32> {jit.requires_grad}) -> !jit.tensor<[4],f32> {
  %r = aten.sigmoid %x : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  return %r : !jit.tensor<[4],f32>
}

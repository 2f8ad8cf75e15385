// RUN: jit-opt %s --jit-move-grad-sum-to-size | FileCheck %s

// The sum moves behind a product with what does not vary over it.
// CHECK-LABEL: func.func @product
//  CHECK-SAME: (%[[G:[a-z0-9]+]]: !jit.tensor<[4,8],f32>, %[[Y:[a-z0-9]+]]:
//       CHECK: %[[T:.*]] = aten.neg %[[G]]
//       CHECK: %[[P:.*]] = aten.mul.Tensor %[[T]], %[[Y]] {{.*}} -> !jit.tensor<[4,8],f32>
//       CHECK: %[[SUM:.*]] = aten._grad_sum_to_size %[[P]]
//       CHECK: return %[[SUM]]
func.func @product(%g: !jit.tensor<[4,8],f32>, %y: !jit.tensor<[8],f32>, %a: !jit.list<i64>) -> !jit.tensor<[8],f32> {
  %t = aten.neg %g : (!jit.tensor<[4,8],f32>) -> !jit.tensor<[4,8],f32>
  %0 = aten._grad_sum_to_size %t, %a : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
  %1 = aten.mul.Tensor %0, %y : (!jit.tensor<[8],f32>, !jit.tensor<[8],f32>) -> !jit.tensor<[8],f32>
  return %1 : !jit.tensor<[8],f32>
}

// Not past an addition: %y would be added four times. (PyTorch once did.)
// CHECK-LABEL: func.func @addition
//       CHECK: aten._grad_sum_to_size
//       CHECK: %[[R:.*]] = aten.add.Tensor
//       CHECK: return %[[R]]
func.func @addition(%g: !jit.tensor<[4,8],f32>, %y: !jit.tensor<[8],f32>, %a: !jit.list<i64>) -> !jit.tensor<[8],f32> {
  %c1 = arith.constant 1 : i64
  %t = aten.neg %g : (!jit.tensor<[4,8],f32>) -> !jit.tensor<[4,8],f32>
  %0 = aten._grad_sum_to_size %t, %a : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
  %1 = aten.add.Tensor %0, %y, %c1 : (!jit.tensor<[8],f32>, !jit.tensor<[8],f32>, i64) -> !jit.tensor<[8],f32>
  return %1 : !jit.tensor<[8],f32>
}

// Not past a product whose other operand is larger than the sum.
// CHECK-LABEL: func.func @larger
//       CHECK: aten._grad_sum_to_size
//       CHECK: %[[R:.*]] = aten.mul.Tensor
//       CHECK: return %[[R]]
func.func @larger(%g: !jit.tensor<[4,8],f32>, %y: !jit.tensor<[4,8],f32>, %a: !jit.list<i64>) -> !jit.tensor<[4,8],f32> {
  %t = aten.neg %g : (!jit.tensor<[4,8],f32>) -> !jit.tensor<[4,8],f32>
  %0 = aten._grad_sum_to_size %t, %a : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[1,8],f32>
  %1 = aten.mul.Tensor %0, %y : (!jit.tensor<[1,8],f32>, !jit.tensor<[4,8],f32>) -> !jit.tensor<[4,8],f32>
  return %1 : !jit.tensor<[4,8],f32>
}

// Not where another use needs the gradient that is not summed: that would be computed twice.
// CHECK-LABEL: func.func @shared
//       CHECK: aten._grad_sum_to_size
//       CHECK: aten.mul.Tensor
//       CHECK: return
func.func @shared(%g: !jit.tensor<[4,8],f32>, %y: !jit.tensor<[8],f32>, %a: !jit.list<i64>)
    -> (!jit.tensor<[8],f32>, !jit.tensor<[4,8],f32>) {
  %t = aten.neg %g : (!jit.tensor<[4,8],f32>) -> !jit.tensor<[4,8],f32>
  %0 = aten._grad_sum_to_size %t, %a : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
  %1 = aten.mul.Tensor %0, %y : (!jit.tensor<[8],f32>, !jit.tensor<[8],f32>) -> !jit.tensor<[8],f32>
  return %1, %t : !jit.tensor<[8],f32>, !jit.tensor<[4,8],f32>
}

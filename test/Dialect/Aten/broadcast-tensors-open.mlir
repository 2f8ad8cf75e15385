// RUN: jit-opt %s --jit-infer-types --jit-decompose | FileCheck %s

// What has the size that the other lacks gives it; two open sizes are compared in the call.
// CHECK-LABEL: func.func @forward(
// CHECK:         jit.guard %{{.*}}, "jit.UnequalSizes"
// CHECK:         %[[ROWS:.*]] = aten.size.int %arg0
// CHECK:         %[[SIZES:.*]] = jit.list %[[ROWS]], %{{.*}}
// CHECK:         %[[X:.*]] = aten.expand %arg0, %[[SIZES]]
// CHECK:         %[[Y:.*]] = aten.expand %arg1, %[[SIZES]]
func.func @forward(%x: !jit.tensor<[?,1],f32>, %y: !jit.tensor<[4],f32>, %z: !jit.tensor<[?,4],f32>) -> !jit.tensor attributes {jit.symbolic} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %list = jit.list %x, %y, %z : (!jit.tensor<[?,1],f32>, !jit.tensor<[4],f32>, !jit.tensor<[?,4],f32>) -> !jit.list<!jit.tensor>
  %all = aten.broadcast_tensors %list : (!jit.list<!jit.tensor>) -> !jit.list<!jit.tensor>
  %a = aten.__getitem__.t %all, %zero : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
  %b = aten.__getitem__.t %all, %one : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
  %0 = aten.mul.Tensor %a, %b : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %0 : !jit.tensor
}

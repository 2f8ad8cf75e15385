// RUN: jit-opt %s | jit-opt | FileCheck %s

// CHECK-LABEL: func.func @add
func.func @add(%a: !jit.tensor<[2,1],f32>, %b: !jit.tensor<[3],f32>) -> !jit.tensor<[2,3],f32> {
  %one = arith.constant 1 : i64
  // CHECK: aten.add.Tensor %{{.*}}, %{{.*}}, %{{.*}} : (!jit.tensor<[2,1],f32>, !jit.tensor<[3],f32>, i64) -> !jit.tensor<[2,3],f32>
  %r = aten.add.Tensor %a, %b, %one : (!jit.tensor<[2,1],f32>, !jit.tensor<[3],f32>, i64) -> !jit.tensor<[2,3],f32>
  return %r : !jit.tensor<[2,3],f32>
}

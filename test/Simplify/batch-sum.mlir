// RUN: jit-opt %s --jit-batch-products=min-summands=3 --canonicalize | FileCheck %s

// Flat products added up: copying their operands side by side moves less than the additions.

// CHECK-LABEL: func.func @forward
//       CHECK: %[[L:.*]] = jit.list %{{.*}} : (!jit.tensor<[32,2],f32>, !jit.tensor<[32,2],f32>, !jit.tensor<[32,3],f32>)
//       CHECK: %[[LEFT:.*]] = aten.cat %[[L]], {{.*}} -> !jit.tensor<[32,7],f32>
//       CHECK: %[[P:.*]] = aten.mm %[[LEFT]], %{{.*}} : (!jit.tensor<[32,7],f32>, !jit.tensor<[7,32],f32>)
//   CHECK-NOT: aten.mm
//       CHECK: %[[R:.*]] = aten.add.Tensor %[[P]], %{{.*}}
//       CHECK: return %[[R]]
func.func @forward(%a: !jit.tensor<[32,2],f32>, %b: !jit.tensor<[2,32],f32>, %c: !jit.tensor<[32,2],f32>, %d: !jit.tensor<[2,32],f32>,
                   %e: !jit.tensor<[32,3],f32>, %f: !jit.tensor<[3,32],f32>, %g: !jit.tensor<[32,32],f32>) -> !jit.tensor<[32,32],f32> {
  %one = arith.constant 1 : i64
  %0 = aten.mm %a, %b : (!jit.tensor<[32,2],f32>, !jit.tensor<[2,32],f32>) -> !jit.tensor<[32,32],f32>
  %1 = aten.mm %c, %d : (!jit.tensor<[32,2],f32>, !jit.tensor<[2,32],f32>) -> !jit.tensor<[32,32],f32>
  %2 = aten.mm %e, %f : (!jit.tensor<[32,3],f32>, !jit.tensor<[3,32],f32>) -> !jit.tensor<[32,32],f32>
  %3 = aten.add.Tensor %0, %1, %one : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>, i64) -> !jit.tensor<[32,32],f32>
  %4 = aten.add.Tensor %2, %g, %one : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>, i64) -> !jit.tensor<[32,32],f32>
  %5 = aten.add.Tensor %3, %4, %one : (!jit.tensor<[32,32],f32>, !jit.tensor<[32,32],f32>, i64) -> !jit.tensor<[32,32],f32>
  return %5 : !jit.tensor<[32,32],f32>
}

// RUN: jit-opt %s --jit-lower --canonicalize | FileCheck %s

// The place of an element is the number of those before it; topk looks for the first places alone.
// CHECK-LABEL: func.func @topk(
// CHECK-SAME: %[[X:.*]]: tensor<3x5xf32>) -> (tensor<3x2xf32>, tensor<3x2xi64>)
// CHECK: %[[PLACES:.*]] = linalg.generic {{.*}} ["parallel", "parallel", "reduction"]} ins(%[[X]], %[[X]] :
// CHECK: %[[ORDER:.*]] = linalg.generic {{.*}} ["parallel", "parallel", "reduction"]} ins(%[[PLACES]] : tensor<3x5xi64>) outs(%{{.*}} : tensor<3x2xi64>)
// CHECK: %[[VALUES:.*]] = linalg.generic {{.*}} ins(%[[ORDER]] :
// CHECK: return %[[VALUES]], %[[ORDER]]
func.func @topk(%x: !jit.tensor<[3,5],f32>) -> (!jit.tensor<[3,2],f32>, !jit.tensor<[3,2],i64>) {
  %c2 = arith.constant 2 : i64
  %m1 = arith.constant -1 : i64
  %true = arith.constant true
  %v, %i = aten.topk %x, %c2, %m1, %true, %true : (!jit.tensor<[3,5],f32>, i64, i64, i1, i1) -> (!jit.tensor<[3,2],f32>, !jit.tensor<[3,2],i64>)
  return %v, %i : !jit.tensor<[3,2],f32>, !jit.tensor<[3,2],i64>
}

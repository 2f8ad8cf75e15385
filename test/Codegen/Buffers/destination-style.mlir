// RUN: jit-opt %s --jit-destination-style | FileCheck %s

// CHECK-LABEL: func.func @results(
// CHECK-SAME:    %[[X:.*]]: memref<4xf32>, %[[N:.*]]: i64,
// CHECK-SAME:    %[[A:.*]]: memref<4xf32> {jit.result = 0 : i64}, %[[B:.*]]: memref<i64> {jit.result = 1 : i64})
// CHECK:         %[[T:.*]] = bufferization.to_tensor %[[X]] restrict :
// CHECK:         bufferization.materialize_in_destination %[[T]] in restrict writable %[[A]]
// CHECK:         memref.store %[[N]], %[[B]][]
// CHECK:         return
// CHECK-NOT:     tensor
func.func @results(%x: tensor<4xf32>, %n: i64) -> (tensor<4xf32>, i64) {
  return %x, %n : tensor<4xf32>, i64
}

// RUN: jit-opt %s --eliminate-empty-tensors --one-shot-bufferize --canonicalize | FileCheck %s

// The function writes where the result is to go; of what does not lie in rows it is given a copy.
// CHECK-LABEL: func.func @rows
// CHECK-SAME: (%[[X:.*]]: memref<4x4xf32, strided<[1, 4]>>, %[[OUT:.*]]: memref<4x4xf32>)
// CHECK-NEXT: %[[ROWS:.*]] = memref.alloc() {{.*}} : memref<4x4xf32>
// CHECK-NEXT: memref.copy %[[X]], %[[ROWS]]
// CHECK-NEXT: foreign.call "f" "my::f(Tensor x) -> Tensor" [f32] ins(%[[ROWS]] : memref<4x4xf32>) outs(%[[OUT]] : memref<4x4xf32>) [f32]
// CHECK-NEXT: return
func.func @rows(%x: memref<4x4xf32, strided<[1, 4]>>, %out: memref<4x4xf32>) {
  %t = bufferization.to_tensor %x restrict : memref<4x4xf32, strided<[1, 4]>> to tensor<4x4xf32>
  %start = tensor.empty() : tensor<4x4xf32>
  %0 = foreign.call "f" "my::f(Tensor x) -> Tensor" [f32] ins(%t : tensor<4x4xf32>) outs(%start : tensor<4x4xf32>) [f32] -> tensor<4x4xf32>
  bufferization.materialize_in_destination %0 in restrict writable %out : (tensor<4x4xf32>, memref<4x4xf32>) -> ()
  return
}

// So it does where the result is a part of something else.
// CHECK-LABEL: func.func @part
// CHECK: %[[ROWS:.*]] = memref.alloc() {{.*}} : memref<4x2xf32>
// CHECK: foreign.call "f" "my::f(Tensor x) -> Tensor" [f32] ins(%{{.*}}) outs(%[[ROWS]] : memref<4x2xf32>) [f32]
// CHECK: memref.copy %[[ROWS]], %{{.*}} : memref<4x2xf32> to memref<4x2xf32, strided<[4, 1], offset: 2>>
func.func @part(%x: memref<4x2xf32>, %out: memref<4x4xf32>) {
  %t = bufferization.to_tensor %x restrict : memref<4x2xf32> to tensor<4x2xf32>
  %start = tensor.empty() : tensor<4x2xf32>
  %whole = tensor.empty() : tensor<4x4xf32>
  %0 = foreign.call "f" "my::f(Tensor x) -> Tensor" [f32] ins(%t : tensor<4x2xf32>) outs(%start : tensor<4x2xf32>) [f32] -> tensor<4x2xf32>
  %1 = tensor.insert_slice %0 into %whole[0, 2] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<4x4xf32>
  bufferization.materialize_in_destination %1 in restrict writable %out : (tensor<4x4xf32>, memref<4x4xf32>) -> ()
  return
}

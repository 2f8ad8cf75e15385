// RUN: jit-opt %s --one-shot-bufferize --canonicalize | FileCheck %s

// Adds to its output in place.
// CHECK-LABEL: func.func @conv
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: winograd.conv tile 2 taps 3 ins(%arg0, %arg1 : memref<1x30x30x8xf32>, memref<1x16x8x16xf32>)
// CHECK-SAME: outs(%arg2 : memref<1x28x28x16xf32>)
// CHECK-NOT: memref.copy
func.func @conv(%x: memref<1x30x30x8xf32>, %w: memref<1x16x8x16xf32>, %y: memref<1x28x28x16xf32>) {
  %image = bufferization.to_tensor %x restrict : memref<1x30x30x8xf32> to tensor<1x30x30x8xf32>
  %weights = bufferization.to_tensor %w restrict : memref<1x16x8x16xf32> to tensor<1x16x8x16xf32>
  %start = bufferization.to_tensor %y restrict writable : memref<1x28x28x16xf32> to tensor<1x28x28x16xf32>
  %r = winograd.conv tile 2 taps 3 ins(%image, %weights : tensor<1x30x30x8xf32>, tensor<1x16x8x16xf32>)
                                   outs(%start : tensor<1x28x28x16xf32>) -> tensor<1x28x28x16xf32>
  bufferization.materialize_in_destination %r in restrict writable %y : (tensor<1x28x28x16xf32>, memref<1x28x28x16xf32>) -> ()
  return
}

// RUN: jit-opt %s --jit-gpu-outline | FileCheck %s

// A kernel takes a buffer of open size as a pointer and a size; what is computed from sizes, it computes itself.

// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?x4xf32>
// CHECK:         arith.subi
// CHECK:         %[[N:.*]] = memref.dim %[[X]], %c0
// CHECK:         %[[FIRST:.*]] = memref.reinterpret_cast %[[X]] to offset: [0], sizes: [1], strides: [1] : memref<?x4xf32> to memref<1xf32>
// CHECK:         gpu.launch_func @kernels::@forward_test_0 {{.*}} args(%[[FIRST]] : memref<1xf32>, %[[N]] : index)
// CHECK:       gpu.func @forward_test_0(%[[POINTER:.*]]: memref<1xf32>, %[[SIZE:.*]]: index) kernel
// CHECK:         memref.reinterpret_cast %[[POINTER]] to offset: [0], sizes: [%[[SIZE]], 4], strides: [4, 1] : memref<1xf32> to memref<?x4xf32>
// CHECK:         memref.dim
// CHECK:         arith.subi
// CHECK:         memref.store
func.func @forward(%x: memref<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  %n = memref.dim %x, %c0 : memref<?x4xf32>
  %last = arith.subi %n, %c1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %v, %x[%last, %tx] : memref<?x4xf32>
    gpu.terminator
  } {jit.kernel = "test"}
  return
}

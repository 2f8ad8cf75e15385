// RUN: jit-opt %s --jit-gpu-outline | FileCheck %s

memref.global "private" constant @table : memref<4xf32> = dense<[0.0, 1.0, 2.0, 3.0]>

// Equal launches share a kernel; a kernel takes whole buffers and makes its views itself.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<8x16xf32>, %[[Y:[a-z0-9]+]]: memref<8x16xf32>, %[[N:[a-z0-9]+]]: f64
// CHECK:         gpu.launch_func @kernels::@forward_test_0 blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1) args(%[[N]] : f64, %[[X]] : memref<8x16xf32>)
// CHECK:         gpu.launch_func @kernels::@forward_test_0 {{.*}} args(%[[N]] : f64, %[[Y]] : memref<8x16xf32>)
// CHECK:         gpu.launch_func @kernels::@forward_kernel_1 {{.*}} args(%[[Y]] : memref<8x16xf32>)
// CHECK:       gpu.module @kernels {
// CHECK:         memref.global "private" constant @table
// CHECK:         gpu.func @forward_test_0(%[[S:.*]]: f64, %[[B:.*]]: memref<8x16xf32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 1, 1, 1>}
// CHECK-DAG:       gpu.thread_id x
// CHECK-DAG:       memref.subview %[[B]]
// CHECK-DAG:       arith.truncf %[[S]]
// CHECK:           memref.store
// CHECK:         gpu.func @forward_kernel_1(
// CHECK:           memref.get_global @table
func.func @forward(%x: memref<8x16xf32>, %y: memref<8x16xf32>, %n: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %v = arith.truncf %n : f64 to f32
  %sx = memref.subview %x[1, 0] [1, 16] [1, 1] : memref<8x16xf32> to memref<1x16xf32, strided<[16, 1], offset: 16>>
  %sy = memref.subview %y[1, 0] [1, 16] [1, 1] : memref<8x16xf32> to memref<1x16xf32, strided<[16, 1], offset: 16>>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx0 = %c16, %sy0 = %c1, %sz0 = %c1) {
    memref.store %v, %sx[%c0, %tx] : memref<1x16xf32, strided<[16, 1], offset: 16>>
    gpu.terminator
  } {jit.kernel = "test"}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx0 = %c16, %sy0 = %c1, %sz0 = %c1) {
    memref.store %v, %sy[%c0, %tx] : memref<1x16xf32, strided<[16, 1], offset: 16>>
    gpu.terminator
  } {jit.kernel = "test"}
  %t = memref.get_global @table : memref<4xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx0 = %c16, %sy0 = %c1, %sz0 = %c1) {
    %e = memref.load %t[%c0] : memref<4xf32>
    memref.store %e, %y[%c0, %tx] : memref<8x16xf32>
    gpu.terminator
  }
  return
}

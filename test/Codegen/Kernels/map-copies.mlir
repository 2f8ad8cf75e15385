// RUN: jit-opt %s --jit-gpu-map-kernels | FileCheck %s

// The driver copies contiguous memory; anything else is a kernel.
// CHECK-LABEL: func.func @copies(
// CHECK:         memref.copy %arg0, %arg1
// CHECK:         gpu.launch
// CHECK:           vector.load %{{.*}} : memref<4x8xf32, strided<[16, 1], offset: 8>>, vector<4xf32>
// CHECK-NOT:     memref.copy
func.func @copies(%x: memref<8x16xf32>, %y: memref<8x16xf32>, %z: memref<4x8xf32>) {
  memref.copy %x, %y : memref<8x16xf32> to memref<8x16xf32>
  %s = memref.subview %x[0, 8] [4, 8] [1, 1] : memref<8x16xf32> to memref<4x8xf32, strided<[16, 1], offset: 8>>
  memref.copy %s, %z : memref<4x8xf32, strided<[16, 1], offset: 8>> to memref<4x8xf32>
  return
}

// Rows of a matrix are contiguous at an offset.
// CHECK-LABEL: func.func @row(
// CHECK-NOT:     gpu.launch
// CHECK:         memref.copy
func.func @row(%x: memref<8x16xf32>, %y: memref<2x16xf32>) {
  %s = memref.subview %x[3, 0] [2, 16] [1, 1] : memref<8x16xf32> to memref<2x16xf32, strided<[16, 1], offset: 48>>
  memref.copy %s, %y : memref<2x16xf32, strided<[16, 1], offset: 48>> to memref<2x16xf32>
  return
}

// A constant is known to kernels alone.
memref.global "private" constant @table : memref<8xf32> = dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]>
// CHECK-LABEL: func.func @constant(
// CHECK:         gpu.launch
// CHECK-NOT:     memref.copy
func.func @constant(%y: memref<8xf32>) {
  %t = memref.get_global @table : memref<8xf32>
  memref.copy %t, %y : memref<8xf32> to memref<8xf32>
  return
}

// What is in its place already stays there.
// CHECK-LABEL: func.func @same(
// CHECK-NOT:     gpu.launch
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @same(%x: memref<64x96xf32>) {
  %part = memref.subview %x[0, 32] [64, 32] [1, 1] : memref<64x96xf32> to memref<64x32xf32, strided<[96, 1], offset: 32>>
  memref.copy %part, %part : memref<64x32xf32, strided<[96, 1], offset: 32>> to memref<64x32xf32, strided<[96, 1], offset: 32>>
  return
}

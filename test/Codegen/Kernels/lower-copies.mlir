// RUN: jit-opt %s --jit-gpu-lower-copies | FileCheck %s

// What the driver cannot copy is a computation, which others may be joined with.
// CHECK-LABEL: func.func @part(
//  CHECK-NEXT:   memref.copy %arg0, %arg1
//  CHECK-NEXT:   memref.subview
//  CHECK-NEXT:   linalg.copy
//   CHECK-NOT:   memref.copy
func.func @part(%x: memref<8x16xf32>, %y: memref<8x16xf32>, %z: memref<4x8xf32>) {
  memref.copy %x, %y : memref<8x16xf32> to memref<8x16xf32>
  %s = memref.subview %x[0, 8] [4, 8] [1, 1] : memref<8x16xf32> to memref<4x8xf32, strided<[16, 1], offset: 8>>
  memref.copy %s, %z : memref<4x8xf32, strided<[16, 1], offset: 8>> to memref<4x8xf32>
  return
}

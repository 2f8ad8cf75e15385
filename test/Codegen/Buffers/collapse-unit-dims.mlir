// RUN: jit-opt %s --jit-collapse-unit-dims --split-input-file | FileCheck %s

// By its strides the first dimension could be what is dropped; by its shape it is the third.
// CHECK-LABEL: func @open_strides
// CHECK: %[[ALL:.*]] = memref.subview {{.*}} : memref<1x?x?x?xf32, strided<[?, ?, ?, 1]>> to memref<1x?x1x?xf32, strided<[?, ?, ?, 1]>>
// CHECK: memref.collapse_shape %[[ALL]] {{\[\[}}0], [1, 2], [3]] : {{.*}} into memref<1x?x?xf32, strided<[?, ?, 1]>>
func.func @open_strides(%a: memref<1x?x?x?xf32, strided<[?, ?, ?, 1]>>, %n: index, %m: index) -> memref<1x?x?xf32, strided<[?, ?, 1]>> {
  %0 = memref.subview %a[0, 0, 0, 0] [1, %n, 1, %m] [1, 1, 1, 1]
    : memref<1x?x?x?xf32, strided<[?, ?, ?, 1]>> to memref<1x?x?xf32, strided<[?, ?, 1]>>
  return %0 : memref<1x?x?xf32, strided<[?, ?, 1]>>
}

// -----

// Known strides tell.
// CHECK-LABEL: func @known_strides
// CHECK: memref.subview {{.*}} to memref<1x4x5xf32, strided<[60, 15, 1]>>
// CHECK-NOT: collapse_shape
func.func @known_strides(%a: memref<2x4x3x5xf32>) -> memref<1x4x5xf32, strided<[60, 15, 1]>> {
  %0 = memref.subview %a[0, 0, 0, 0] [1, 4, 1, 5] [1, 1, 1, 1] : memref<2x4x3x5xf32> to memref<1x4x5xf32, strided<[60, 15, 1]>>
  return %0 : memref<1x4x5xf32, strided<[60, 15, 1]>>
}

// -----

// Of ones side by side it does not matter which one is dropped.
// CHECK-LABEL: func @side_by_side
// CHECK: memref.subview {{.*}} to memref<1x?xf32, strided<[?, 1]>>
// CHECK-NOT: collapse_shape
func.func @side_by_side(%a: memref<?x?x?xf32, strided<[?, ?, 1]>>, %n: index) -> memref<1x?xf32, strided<[?, 1]>> {
  %0 = memref.subview %a[0, 0, 0] [1, 1, %n] [1, 1, 1] : memref<?x?x?xf32, strided<[?, ?, 1]>> to memref<1x?xf32, strided<[?, 1]>>
  return %0 : memref<1x?xf32, strided<[?, 1]>>
}

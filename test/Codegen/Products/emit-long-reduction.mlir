// RUN: jit-opt %s --pass-pipeline='builtin.module(func.func(jit-emit-products{lanes=16 registers=32 l2-bytes=1048576},canonicalize,cse))' | FileCheck %s

// A panel of 6400 rows of b does not stay in the cache while the rows of the result pass: the sum is cut
// into blocks, one after the other, and each is a product of its own for all threads.
// CHECK-LABEL: func.func @blocks_outermost
// CHECK: scf.for
// CHECK: scf.parallel
// CHECK: vector.fma
func.func @blocks_outermost(%a: memref<512x6400xf32>, %b: memref<6400x2048xf32>, %c: memref<512x2048xf32>) {
  linalg.matmul ins(%a, %b : memref<512x6400xf32>, memref<6400x2048xf32>) outs(%c : memref<512x2048xf32>)
  return
}

// Blocks that serve the accuracy of the sum alone stay inside of each thread's part.
// CHECK-LABEL: func.func @blocks_inside
// CHECK-NOT: scf.for
// CHECK: scf.parallel
// CHECK: scf.for
// CHECK: vector.fma
func.func @blocks_inside(%a: memref<512x1600xf32>, %b: memref<1600x2048xf32>, %c: memref<512x2048xf32>) {
  linalg.matmul ins(%a, %b : memref<512x1600xf32>, memref<1600x2048xf32>) outs(%c : memref<512x2048xf32>)
  return
}

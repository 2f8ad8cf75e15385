// RUN: jit-opt %s --pass-pipeline='builtin.module(func.func(jit-emit-products{lanes=8 registers=16}))' | FileCheck %s

// CHECK-LABEL: func.func @integers
// CHECK: linalg.matmul
func.func @integers(%a: memref<8x8xi64>, %b: memref<8x8xi64>, %c: memref<8x8xi64>) {
  linalg.matmul ins(%a, %b : memref<8x8xi64>, memref<8x8xi64>) outs(%c : memref<8x8xi64>)
  return
}

// Not a sum of products.
// CHECK-LABEL: func.func @largest
// CHECK: linalg.generic
func.func @largest(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.maximumf %z, %p : f32
    linalg.yield %s : f32
  }
  return
}

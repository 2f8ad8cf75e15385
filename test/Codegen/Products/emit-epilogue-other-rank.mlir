// RUN: jit-opt %s --jit-emit-products | FileCheck %s

#all = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>

// What follows a product and has nothing to do with it may have any number of loops.
// CHECK-LABEL: func.func @other_rank(
// CHECK:         vector.fma
// CHECK:         linalg.generic
func.func @other_rank(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %t: memref<64x64xf32>, %x: memref<2x4x8x8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%t : memref<64x64xf32>)
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%t : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%x : memref<2x4x8x8x8xf32>) outs(%x : memref<2x4x8x8x8xf32>) {
  ^bb0(%e: f32, %o: f32):
    %0 = arith.addf %e, %e : f32
    linalg.yield %0 : f32
  }
  return
}

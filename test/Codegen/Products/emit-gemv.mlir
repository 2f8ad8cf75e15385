// RUN: jit-opt %s --pass-pipeline='builtin.module(func.func(jit-emit-products{lanes=16 registers=32},canonicalize,cse))' | FileCheck %s

// One row and four vectors: two sets of accumulators take turns along k, so eight chains run at once.
// CHECK-LABEL: func.func @packed
// CHECK: scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
// CHECK: arith.addf
// CHECK: vector.store
func.func @packed(%x: memref<1x128xf32>, %w: memref<8x128x64xf32>, %y: memref<1x512xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 64, k, n mod 64)>,
                                   affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : memref<1x128xf32>, memref<8x128x64xf32>) outs(%y : memref<1x512xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  }
  return
}

// Rows that are contiguous along k only: lanes are partial sums.
// CHECK-LABEL: func.func @dot
// CHECK: vector.fma
// CHECK: vector.reduction <add>
// CHECK-NOT: linalg
func.func @dot(%w: memref<16x128xf32>, %x: memref<128xf32>, %y: memref<16xf32>) {
  linalg.matvec ins(%w, %x : memref<16x128xf32>, memref<128xf32>) outs(%y : memref<16xf32>)
  return
}

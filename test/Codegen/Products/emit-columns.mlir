// RUN: jit-opt %s --pass-pipeline='builtin.module(func.func(jit-emit-products{lanes=16 registers=32 l2-bytes=1048576}))' | FileCheck %s

// Sums of columns read each element once: no cache has to hold a column of tiles, and wide tiles read long runs of a row.
// CHECK-LABEL: func.func @columns
// CHECK: scf.parallel (%{{.*}}) = (%{{.*}}) to (%c8)
// CHECK: iter_args{{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
func.func @columns(%a: memref<4096x1024xf32>, %b: memref<4096x1024xf32>, %out: memref<1024xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>],
    iterator_types = ["reduction", "parallel"]}
    ins(%a, %b : memref<4096x1024xf32>, memref<4096x1024xf32>) outs(%out : memref<1024xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  }
  return
}

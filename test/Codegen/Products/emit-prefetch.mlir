// RUN: jit-opt %s --pass-pipeline='builtin.module(func.func(jit-emit-products{lanes=16 registers=32 l2-bytes=65536}))' | FileCheck %s

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n floordiv 64, k, n mod 64)>
#c = affine_map<(m, n, k) -> (m, n)>

// 256 KiB of packed weights do not wait in a cache of 64 KiB.
// CHECK-LABEL: func.func @large
// CHECK: memref.prefetch
func.func @large(%x: memref<8x256xf32>, %w: memref<4x256x64xf32>, %out: memref<8x256xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<8x256xf32>, memref<4x256x64xf32>) outs(%out : memref<8x256xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %sum, %m : f32
    linalg.yield %s : f32
  }
  return
}

// CHECK-LABEL: func.func @small
// CHECK: scf.for
// CHECK-NOT: memref.prefetch
func.func @small(%x: memref<8x64xf32>, %w: memref<1x64x64xf32>, %out: memref<8x64xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<8x64xf32>, memref<1x64x64xf32>) outs(%out : memref<8x64xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %sum, %m : f32
    linalg.yield %s : f32
  }
  return
}

// RUN: jit-opt %s --jit-gpu-map-products=multiprocessors=8 | FileCheck %s --check-prefixes=CHECK,MMA
// RUN: jit-opt %s --jit-gpu-map-products="multiprocessors=8 warpgroup-products" | FileCheck %s --check-prefixes=CHECK,TMA

// One tile of halves would occupy one of eight multiprocessors for 64 slices: eight pieces are added up in f32, and only what they come
// to goes on.
// CHECK-LABEL: func.func @long(
// CHECK:         %[[PARTIAL:.*]] = memref.alloc() : memref<8x1x64x64xf32>
// CHECK:         gpu.launch {{.*}} in (%{{.*}} = %c8
// MMA:             nvgpu.mma.sync
// TMA:             nvvm.wgmma.mma_async
// CHECK-NOT:       arith.truncf
// CHECK:           memref.store %{{.*}}, %[[PARTIAL]]
// MMA:           } {jit.kernel = "mma"}
// TMA:           } {jit.kernel = "wgmma"}
// CHECK:         gpu.launch
// CHECK-COUNT-8:   memref.load %[[PARTIAL]]
// CHECK:           arith.truncf
// CHECK:         } {jit.kernel = "joined"}
// CHECK-NOT:     linalg
#ij = affine_map<(i, j) -> (i, j)>
func.func @long(%a: memref<64x4096xf16>, %b: memref<4096x64xf16>, %c: memref<64x64xf16>) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<64x64xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<64x4096xf16>, memref<4096x64xf16>) outs(%sums : memref<64x64xf32>) {
  ^bb0(%l: f16, %r: f16, %o: f32):
    %0 = arith.extf %l : f16 to f32
    %1 = arith.extf %r : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%sums : memref<64x64xf32>) outs(%c : memref<64x64xf16>) {
  ^bb0(%s: f32, %o: f16):
    %0 = arith.truncf %s : f32 to f16
    linalg.yield %0 : f16
  }
  return
}

// The gradient of filters sums over places and images: images lie side by side, and pieces of them all are blocks' own.
// CHECK-LABEL: func.func @filters(
// CHECK-COUNT-2: {jit.kernel = "channels"}
// CHECK:         memref.alloc() : memref<{{[0-9]+}}x1x{{[0-9]+}}x{{[0-9]+}}xf32>
// CHECK:         gpu.launch
// CHECK:           nvgpu.device_async_copy
// CHECK:         {jit.kernel = "joined"}
// CHECK-NOT:     linalg
func.func @filters(%x: memref<16x64x34x34xf16>, %g: memref<16x64x32x32xf16>, %y: memref<64x64x3x3xf32>) {
  linalg.generic {indexing_maps = [affine_map<(f, c, i, j, n, h, w) -> (n, c, h + i, w + j)>, affine_map<(f, c, i, j, n, h, w) -> (n, f, h, w)>,
                                   affine_map<(f, c, i, j, n, h, w) -> (f, c, i, j)>],
                  iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %g : memref<16x64x34x34xf16>, memref<16x64x32x32xf16>) outs(%y : memref<64x64x3x3xf32>) {
  ^bb0(%l: f16, %r: f16, %o: f32):
    %0 = arith.extf %l : f16 to f32
    %1 = arith.extf %r : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

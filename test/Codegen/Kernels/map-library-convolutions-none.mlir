// RUN: jit-opt %s --jit-gpu-map-kernels=library-convolutions | FileCheck %s

// What stays with kernels of our own.
// CHECK-NOT: jit.library_convolution

// A product of matrices, the left one of two dimensions that lie as one.
#x = affine_map<(b, s, n, k) -> (b, s, k)>
#w = affine_map<(b, s, n, k) -> (n, k)>
#y = affine_map<(b, s, n, k) -> (b, s, n)>
func.func @matrices(%x: memref<2x20x48xf32>, %w: memref<32x48xf32>, %y: memref<2x20x32xf32>) {
  linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<2x20x48xf32>, memref<32x48xf32>) outs(%y : memref<2x20x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// Filters whose channels do not lie in them.
func.func @filters(%x: memref<2x8x8x4xf32>, %w: memref<3x3x4x16xf32>, %y: memref<2x6x6x16xf32>) {
  linalg.conv_2d_nhwc_hwcf ins(%x, %w : memref<2x8x8x4xf32>, memref<3x3x4x16xf32>) outs(%y : memref<2x6x6x16xf32>)
  return
}

// The gradient of filters: as many taps as an image has.
func.func @gradient(%x: memref<4x2x40x40xf32>, %w: memref<16x2x38x38xf32>, %y: memref<4x16x3x3xf32>) {
  linalg.conv_2d_nchw_fchw ins(%x, %w : memref<4x2x40x40xf32>, memref<16x2x38x38xf32>) outs(%y : memref<4x16x3x3xf32>)
  return
}

// Doubles, and images of which all are the same one.
func.func @doubles(%x: memref<2x4x8x8xf64>, %w: memref<16x4x3x3xf64>, %y: memref<2x16x6x6xf64>) {
  linalg.conv_2d_nchw_fchw ins(%x, %w : memref<2x4x8x8xf64>, memref<16x4x3x3xf64>) outs(%y : memref<2x16x6x6xf64>)
  return
}

#bx = affine_map<(n, o, h, c, i) -> (c, h + i)>
#bw = affine_map<(n, o, h, c, i) -> (o, c, i)>
#by = affine_map<(n, o, h, c, i) -> (n, o, h)>
func.func @broadcast(%x: memref<4x20xf32>, %w: memref<16x4x5xf32>, %y: memref<2x16x16xf32>) {
  linalg.generic {indexing_maps = [#bx, #bw, #by], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : memref<4x20xf32>, memref<16x4x5xf32>) outs(%y : memref<2x16x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

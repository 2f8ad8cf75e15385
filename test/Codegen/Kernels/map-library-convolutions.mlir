// RUN: jit-opt %s --jit-gpu-map-kernels=library-convolutions | FileCheck %s
// RUN: jit-opt %s --jit-gpu-map-kernels="tf32=true library-convolutions=true" | FileCheck %s --check-prefix=TF32
// RUN: jit-opt %s --jit-gpu-map-kernels=library-products | FileCheck %s --check-prefix=NONE

// NONE-NOT: jit.library_convolution

#x = affine_map<(n, o, h, w, c, i, j) -> (n, c, h * 2 + i, w + j * 3)>
#w = affine_map<(n, o, h, w, c, i, j) -> (o, c, i, j)>
#y = affine_map<(n, o, h, w, c, i, j) -> (n, o, h, w)>

// The type; batches, channels, filters and groups; strides of the images and of the result; whether it adds to what is there and
// whether tf32 is allowed. For each dimension: image, taps, places, step, dilation, padding, and both strides.
// CHECK-LABEL: func.func @steps(
// CHECK-NOT:     gpu.launch
// CHECK:         linalg.generic {{.*}} ins(%arg0, %arg1 : {{.*}}) outs(%arg2 : memref<2x32x5x8xf32>)
// CHECK-SAME:      jit.library_convolution = array<i64: 6, 2, 4, 32, 1, 616, 154, 1280, 40, 0, 0, 11, 3, 5, 2, 1, 0, 14, 8, 14, 3, 8, 1, 3, 0, 1, 1>
// TF32-LABEL:  func.func @steps(
// TF32:          jit.library_convolution = array<i64: 6, 2, 4, 32, 1, 616, 154, 1280, 40, 0, 1,
func.func @steps(%x: memref<2x4x11x14xf32>, %w: memref<32x4x3x3xf32>, %y: memref<2x32x5x8xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<2x32x5x8xf32>)
  linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : memref<2x4x11x14xf32>, memref<32x4x3x3xf32>) outs(%y : memref<2x32x5x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

#id = affine_map<(n, o, h, w) -> (n, o, h, w)>

// Zeros around the images are the library's, the bias is in memory already, and what goes on is a kernel behind it.
// CHECK-LABEL: func.func @padded(
// CHECK-NOT:     gpu.launch
// CHECK:         linalg.generic {{.*}} ins(%arg0, %arg1 : {{.*}}) outs(%arg2 : memref<2x32x6x6xf32>)
// CHECK-SAME:      jit.library_convolution = array<i64: 6, 2, 4, 32, 1, 144, 36, 1152, 36, 1, 0, 6, 3, 6, 1, 1, 1, 6, 6, 6, 3, 6, 1, 1, 1, 1, 1>
// CHECK:         gpu.launch
// CHECK:           arith.maximumf
// CHECK:         } {jit.kernel = "pointwise"}
func.func @padded(%x: memref<2x4x6x6xf32>, %w: memref<32x4x3x3xf32>, %y: memref<2x32x6x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = memref.alloc() : memref<2x4x8x8xf32>
  linalg.map outs(%p : memref<2x4x8x8xf32>) (%init: f32) { linalg.yield %zero : f32 }
  %part = memref.subview %p[0, 0, 1, 1] [2, 4, 6, 6] [1, 1, 1, 1] : memref<2x4x8x8xf32> to memref<2x4x6x6xf32, strided<[256, 64, 8, 1], offset: 9>>
  memref.copy %x, %part : memref<2x4x6x6xf32> to memref<2x4x6x6xf32, strided<[256, 64, 8, 1], offset: 9>>
  linalg.conv_2d_nchw_fchw ins(%p, %w : memref<2x4x8x8xf32>, memref<32x4x3x3xf32>) outs(%y : memref<2x32x6x6xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%y : memref<2x32x6x6xf32>) outs(%y : memref<2x32x6x6xf32>) {
  ^bb0(%s: f32, %o: f32):
    %0 = arith.maximumf %s, %zero : f32
    linalg.yield %0 : f32
  }
  return
}

// Zeros around images that change meanwhile stay.
// CHECK-LABEL: func.func @padded_before(
// CHECK:         linalg.generic {{.*}} ins(%{{alloc.*}}, %arg1 : memref<2x4x8x8xf32>, {{.*}}) outs(%arg2 : memref<2x32x6x6xf32>)
// CHECK-SAME:      jit.library_convolution
func.func @padded_before(%x: memref<2x4x6x6xf32>, %w: memref<32x4x3x3xf32>, %y: memref<2x32x6x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = memref.alloc() : memref<2x4x8x8xf32>
  linalg.fill ins(%zero : f32) outs(%p : memref<2x4x8x8xf32>)
  %part = memref.subview %p[0, 0, 1, 1] [2, 4, 6, 6] [1, 1, 1, 1] : memref<2x4x8x8xf32> to memref<2x4x6x6xf32, strided<[256, 64, 8, 1], offset: 9>>
  memref.copy %x, %part : memref<2x4x6x6xf32> to memref<2x4x6x6xf32, strided<[256, 64, 8, 1], offset: 9>>
  linalg.fill ins(%zero : f32) outs(%x : memref<2x4x6x6xf32>)
  linalg.conv_2d_nchw_fchw ins(%p, %w : memref<2x4x8x8xf32>, memref<32x4x3x3xf32>) outs(%y : memref<2x32x6x6xf32>)
  return
}

#gx = affine_map<(n, g, o, w, c, j) -> (n, g, c, w + j)>
#gw = affine_map<(n, g, o, w, c, j) -> (g, o, c, j)>
#gy = affine_map<(n, g, o, w, c, j) -> (n, g, o, w)>

// Groups are channels to the library; halves come out as halves, to which others are made in memory of their own.
// CHECK-LABEL: func.func @groups(
// CHECK:         %[[HALVES:.*]] = memref.alloc() : memref<2x3x16x10xf16>
// CHECK:         linalg.generic {{.*}} outs(%[[HALVES]] : memref<2x3x16x10xf16>)
// CHECK-SAME:      jit.library_convolution = array<i64: 5, 2, 12, 48, 3, 144, 12, 480, 10, 0, 0, 12, 3, 10, 1, 1, 0, 1, 1>
// CHECK:         gpu.launch
// CHECK:           arith.extf
// CHECK:           arith.addf
// CHECK:         } {jit.kernel = "pointwise"}
func.func @groups(%x: memref<2x3x4x12xf16>, %w: memref<3x16x4x3xf16>, %y: memref<2x3x16x10xf32>) {
  linalg.generic {indexing_maps = [#gx, #gw, #gy], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : memref<2x3x4x12xf16>, memref<3x16x4x3xf16>) outs(%y : memref<2x3x16x10xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

#px = affine_map<(n, o, h, c) -> (n, c, h)>
#pw = affine_map<(n, o, h, c) -> (o, c)>
#py = affine_map<(n, o, h, c) -> (n, o, h)>

// One tap for each channel: a convolution where the places of all images do not lie as one.
// CHECK-LABEL: func.func @one_tap(
// CHECK:         jit.library_convolution = array<i64: 6, 3, 32, 16, 1, 1280, 40, 640, 40, 1, 0, 40, 1, 40, 1, 1, 0, 1, 1>
func.func @one_tap(%x: memref<3x32x40xf32>, %w: memref<16x32xf32>, %y: memref<3x16x40xf32>) {
  linalg.generic {indexing_maps = [#px, #pw, #py], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<3x32x40xf32>, memref<16x32xf32>) outs(%y : memref<3x16x40xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

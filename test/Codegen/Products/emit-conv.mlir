// RUN: jit-opt %s --pass-pipeline='builtin.module(func.func(jit-emit-products{lanes=16 registers=32},canonicalize,cse))' | FileCheck %s

#x = affine_map<(n, f, h, w, c, kh, kw) -> (n, c, h * 2 + kh, w * 2 + kw)>
#w = affine_map<(n, f, h, w, c, kh, kw) -> (f floordiv 32, kh, kw, c, f mod 32)>
#y = affine_map<(n, f, h, w, c, kh, kw) -> (n, f, h, w)>

// Output channels lie in the lanes; the tile is transposed in registers to store rows of pixels.
// CHECK-LABEL: func.func @conv
// CHECK: scf.parallel
// CHECK: vector.load {{.*}} vector<16xf32>
// CHECK: vector.fma
// CHECK: vector.shuffle
// CHECK-NOT: memref.store
// CHECK: vector.maskedstore
// CHECK: jit.flops = 14450688
func.func @conv(%x: memref<1x64x29x29xf32>, %w: memref<2x3x3x64x32xf32>, %y: memref<1x64x14x14xf32>) {
  linalg.generic {indexing_maps = [#x, #w, #y],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
    ins(%x, %w : memref<1x64x29x29xf32>, memref<2x3x3x64x32xf32>) outs(%y : memref<1x64x14x14xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  }
  return
}

// No output channels to vectorise: a row of pixels is.
// CHECK-LABEL: func.func @depthwise
// CHECK: vector.load
// CHECK: vector.fma
// CHECK-NOT: vector.shuffle
// CHECK: vector.store
func.func @depthwise(%x: memref<1x8x34x34xf32>, %w: memref<8x3x3xf32>, %y: memref<1x8x32x32xf32>) {
  linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %w : memref<1x8x34x34xf32>, memref<8x3x3xf32>) outs(%y : memref<1x8x32x32xf32>)
  return
}

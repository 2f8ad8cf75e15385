// RUN: jit-opt %s --pass-pipeline='builtin.module(func.func(jit-use-winograd{lanes=16 registers=32 l2-bytes=1048576}))' | FileCheck %s --implicit-check-not=winograd.conv

#image1 = affine_map<(n, h, w, o, c, y, x) -> (n, h + y, w + x, c)>
#image2 = affine_map<(n, h, w, o, c, y, x) -> (n, h * 2 + y, w * 2 + x, c)>
#weight = affine_map<(n, h, w, o, c, y, x) -> (o, c, y, x)>
#out = affine_map<(n, h, w, o, c, y, x) -> (n, h, w, o)>

// Weights that come with every call would be transformed in every call.
// CHECK-LABEL: func.func @call
func.func @call(%x: tensor<1x58x58x64xf32>, %w: tensor<64x64x3x3xf32>, %y: tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32> {
  %r = linalg.generic {indexing_maps = [#image1, #weight, #out],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x58x58x64xf32>, tensor<64x64x3x3xf32>) outs(%y : tensor<1x56x56x64xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %s, %m : f32
    linalg.yield %a : f32
  } -> tensor<1x56x56x64xf32>
  return %r : tensor<1x56x56x64xf32>
}

// Windows of tiles do not overlap as those of single outputs.
// CHECK-LABEL: func.func @strided
func.func @strided(%x: tensor<1x57x57x64xf32>, %w: tensor<64x64x3x3xf32> {jit.weight = "w"}, %y: tensor<1x28x28x64xf32>) -> tensor<1x28x28x64xf32> {
  %r = linalg.generic {indexing_maps = [#image2, #weight, #out],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x57x57x64xf32>, tensor<64x64x3x3xf32>) outs(%y : tensor<1x28x28x64xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %s, %m : f32
    linalg.yield %a : f32
  } -> tensor<1x28x28x64xf32>
  return %r : tensor<1x28x28x64xf32>
}

// No transforms for 5x5.
// CHECK-LABEL: func.func @kernel
func.func @kernel(%x: tensor<1x60x60x64xf32>, %w: tensor<64x64x5x5xf32> {jit.weight = "w"}, %y: tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32> {
  %r = linalg.generic {indexing_maps = [#image1, #weight, #out],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x60x60x64xf32>, tensor<64x64x5x5xf32>) outs(%y : tensor<1x56x56x64xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %s, %m : f32
    linalg.yield %a : f32
  } -> tensor<1x56x56x64xf32>
  return %r : tensor<1x56x56x64xf32>
}

// Who asks for doubles asks for their digits.
// CHECK-LABEL: func.func @double
func.func @double(%x: tensor<1x58x58x64xf64>, %w: tensor<64x64x3x3xf64> {jit.weight = "w"}, %y: tensor<1x56x56x64xf64>) -> tensor<1x56x56x64xf64> {
  %r = linalg.generic {indexing_maps = [#image1, #weight, #out],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x58x58x64xf64>, tensor<64x64x3x3xf64>) outs(%y : tensor<1x56x56x64xf64>) {
  ^bb0(%p: f64, %q: f64, %s: f64):
    %m = arith.mulf %p, %q : f64
    %a = arith.addf %s, %m : f64
    linalg.yield %a : f64
  } -> tensor<1x56x56x64xf64>
  return %r : tensor<1x56x56x64xf64>
}

// Three channels: transforms would cost more than the products.
// CHECK-LABEL: func.func @image
func.func @image(%x: tensor<1x226x226x3xf32>, %w: tensor<64x3x3x3xf32> {jit.weight = "w"}, %y: tensor<1x224x224x64xf32>) -> tensor<1x224x224x64xf32> {
  %r = linalg.generic {indexing_maps = [#image1, #weight, #out],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x226x226x3xf32>, tensor<64x3x3x3xf32>) outs(%y : tensor<1x224x224x64xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %s, %m : f32
    linalg.yield %a : f32
  } -> tensor<1x224x224x64xf32>
  return %r : tensor<1x224x224x64xf32>
}

// One position: 36 times the weights for a ninth of their taps.
// CHECK-LABEL: func.func @pixel
func.func @pixel(%x: tensor<1x3x3x512xf32>, %w: tensor<512x512x3x3xf32> {jit.weight = "w"}, %y: tensor<1x1x1x512xf32>) -> tensor<1x1x1x512xf32> {
  %r = linalg.generic {indexing_maps = [#image1, #weight, #out],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x3x3x512xf32>, tensor<512x512x3x3xf32>) outs(%y : tensor<1x1x1x512xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %s, %m : f32
    linalg.yield %a : f32
  } -> tensor<1x1x1x512xf32>
  return %r : tensor<1x1x1x512xf32>
}

// A sum over more channels than one chain may have.
// CHECK-LABEL: func.func @long
func.func @long(%x: tensor<1x16x16x2048xf32>, %w: tensor<64x2048x3x3xf32> {jit.weight = "w"}, %y: tensor<1x14x14x64xf32>) -> tensor<1x14x14x64xf32> {
  %r = linalg.generic {indexing_maps = [#image1, #weight, #out],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x16x16x2048xf32>, tensor<64x2048x3x3xf32>) outs(%y : tensor<1x14x14x64xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %s, %m : f32
    linalg.yield %a : f32
  } -> tensor<1x14x14x64xf32>
  return %r : tensor<1x14x14x64xf32>
}

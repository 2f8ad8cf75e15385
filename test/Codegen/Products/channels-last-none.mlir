// RUN: jit-opt %s --pass-pipeline='builtin.module(func.func(jit-channels-last{lanes=8}))' | FileCheck %s

#image = affine_map<(n, o, h, w, c, y, x) -> (n, c, h + y, w + x)>
#weight = affine_map<(n, o, h, w, c, y, x) -> (o, c, y, x)>
#out = affine_map<(n, o, h, w, c, y, x) -> (n, o, h, w)>

// One convolution would have its argument and its result turned.
// CHECK-LABEL: func.func @alone
// CHECK-NOT: linalg.transpose
// CHECK: return {{.*}} : tensor<1x32x10x10xf32>
func.func @alone(%x: tensor<1x16x12x12xf32>, %w: tensor<32x16x3x3xf32>, %s: tensor<1x32x10x10xf32>) -> tensor<1x32x10x10xf32> {
  %c = linalg.generic {indexing_maps = [#image, #weight, #out],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x16x12x12xf32>, tensor<32x16x3x3xf32>) outs(%s : tensor<1x32x10x10xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %sum, %m : f32
    linalg.yield %a : f32
  } -> tensor<1x32x10x10xf32>
  return %c : tensor<1x32x10x10xf32>
}

// More taps than positions: the gradient of a weight looks like that.
// CHECK-LABEL: func.func @few_positions
// CHECK: outs({{.*}} : tensor<1x32x3x3xf32>)
func.func @few_positions(%x: tensor<1x3x12x12xf32>, %w: tensor<32x3x10x10xf32>, %s: tensor<1x32x3x3xf32>) -> tensor<1x32xf32> {
  %c = linalg.generic {indexing_maps = [#image, #weight, #out],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x3x12x12xf32>, tensor<32x3x10x10xf32>) outs(%s : tensor<1x32x3x3xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %sum, %m : f32
    linalg.yield %a : f32
  } -> tensor<1x32x3x3xf32>
  %first = tensor.extract_slice %c[0, 0, 0, 0] [1, 32, 1, 1] [1, 1, 1, 1] : tensor<1x32x3x3xf32> to tensor<1x32xf32>
  return %first : tensor<1x32xf32>
}

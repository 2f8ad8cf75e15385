// RUN: jit-opt %s --pass-pipeline='builtin.module(func.func(jit-channels-last{lanes=8}, canonicalize))' | FileCheck %s

// A depthwise convolution loses the loops of its groups, and its weight becomes vectors of channels; the mean reads
// the image where it lies.

#pointwise = affine_map<(n, o, h, w, c, y, x) -> (n, c, h + y, w + x)>
#weight = affine_map<(n, o, h, w, c, y, x) -> (o, c, y, x)>
#out = affine_map<(n, o, h, w, c, y, x) -> (n, o, h, w)>
#image = affine_map<(n, g, o, h, w, c, y, x) -> (n, g, c, h * 2 + y, w * 2 + x)>
#taps = affine_map<(n, g, o, h, w, c, y, x) -> (g, o, c, y, x)>
#grouped = affine_map<(n, g, o, h, w, c, y, x) -> (n, g, o, h, w)>

// CHECK-DAG: #[[IMAGE:.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d4, d2 * 2 + d5, d3)>
// CHECK-DAG: #[[TAPS:.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5, d3)>
// CHECK-DAG: #[[SUMMED:.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
// CHECK-LABEL: func.func @separable
// CHECK: %[[POINTWISE:.+]] = linalg.generic {{.*}} outs({{.*}} : tensor<1x9x9x32xf32>)
// CHECK: %[[TURNED:.+]] = linalg.transpose {{.*}} outs({{.*}} : tensor<1x1x3x3x32xf32>)
// CHECK: %[[W:.+]] = tensor.collapse_shape %[[TURNED]] {{.*}} into tensor<3x3x32xf32>
// CHECK: %[[DEPTHWISE:.+]] = linalg.generic {indexing_maps = [#[[IMAGE]], #[[TAPS]],
// CHECK-SAME: ins(%[[POINTWISE]], %[[W]] : tensor<1x9x9x32xf32>, tensor<3x3x32xf32>)
// CHECK-SAME: outs({{.*}} : tensor<1x4x4x32xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[SUMMED]],
// CHECK-SAME: ins(%[[DEPTHWISE]] : tensor<1x4x4x32xf32>)
// CHECK-NOT: linalg.transpose
func.func @separable(%x: tensor<1x3x9x9xf32>, %w: tensor<32x3x1x1xf32>, %d: tensor<32x1x1x3x3xf32>) -> tensor<1x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<1x32x9x9xf32>
  %s1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x32x9x9xf32>) -> tensor<1x32x9x9xf32>
  %c1 = linalg.generic {indexing_maps = [#pointwise, #weight, #out],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x3x9x9xf32>, tensor<32x3x1x1xf32>) outs(%s1 : tensor<1x32x9x9xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %sum, %m : f32
    linalg.yield %a : f32
  } -> tensor<1x32x9x9xf32>
  %groups = tensor.expand_shape %c1 [[0], [1], [2, 3], [4]] output_shape [1, 32, 1, 9, 9]
      : tensor<1x32x9x9xf32> into tensor<1x32x1x9x9xf32>
  %e2 = tensor.empty() : tensor<1x32x1x4x4xf32>
  %s2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<1x32x1x4x4xf32>) -> tensor<1x32x1x4x4xf32>
  %c2 = linalg.generic {indexing_maps = [#image, #taps, #grouped], iterator_types =
      ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%groups, %d : tensor<1x32x1x9x9xf32>, tensor<32x1x1x3x3xf32>) outs(%s2 : tensor<1x32x1x4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %sum, %m : f32
    linalg.yield %a : f32
  } -> tensor<1x32x1x4x4xf32>
  %joined = tensor.collapse_shape %c2 [[0], [1], [2, 3], [4]] : tensor<1x32x1x4x4xf32> into tensor<1x32x4x4xf32>
  %e3 = tensor.empty() : tensor<1x32xf32>
  %s3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<1x32xf32>) -> tensor<1x32xf32>
  %sums = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, c)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%joined : tensor<1x32x4x4xf32>) outs(%s3 : tensor<1x32xf32>) {
  ^bb0(%p: f32, %sum: f32):
    %a = arith.addf %sum, %p : f32
    linalg.yield %a : f32
  } -> tensor<1x32xf32>
  return %sums : tensor<1x32xf32>
}

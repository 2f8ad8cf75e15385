// RUN: jit-opt %s --jit-fold-windows --canonicalize | FileCheck %s

#windows = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 + d3, d2 + d4)>
#all = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>

// A product with a matrix of windows is a convolution, and the bias is added in its dimensions.
// CHECK-DAG:   #[[TAPS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, d4, d5)>
// CHECK-DAG:   #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d1 + d4, d2 + d5)>
// CHECK-LABEL: func.func @unfold(
// CHECK-SAME:      %[[X:.*]]: tensor<3x8x8xf32>
// CHECK-NOT:     tensor<3x3x3x6x6xf32>
// CHECK:         %[[SUM:.*]] = linalg.generic {indexing_maps = [#[[TAPS]], #[[IMAGE]], {{.*}} ins(%{{.*}}, %[[X]] : tensor<16x3x3x3xf32>, tensor<3x8x8xf32>)
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[SUM]], %{{.*}} : tensor<16x6x6xf32>, tensor<16xf32>)
func.func @unfold(%x: tensor<3x8x8xf32>, %w: tensor<16x27xf32>, %bias: tensor<16xf32>) -> tensor<16x36xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<3x3x3x6x6xf32>
  %1 = linalg.generic {indexing_maps = [#windows, #all],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<3x8x8xf32>) outs(%0 : tensor<3x3x3x6x6xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<3x3x3x6x6xf32>
  %2 = tensor.collapse_shape %1 [[0, 1, 2], [3, 4]] : tensor<3x3x3x6x6xf32> into tensor<27x36xf32>
  %3 = tensor.empty() : tensor<16x36xf32>
  %4 = linalg.fill ins(%zero : f32) outs(%3 : tensor<16x36xf32>) -> tensor<16x36xf32>
  %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
                                        affine_map<(d0, d1, d2) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%w, %2 : tensor<16x27xf32>, tensor<27x36xf32>) outs(%4 : tensor<16x36xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %6 = arith.mulf %a, %b : f32
    %7 = arith.addf %s, %6 : f32
    linalg.yield %7 : f32
  } -> tensor<16x36xf32>
  %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>,
                                        affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%5, %bias : tensor<16x36xf32>, tensor<16xf32>) outs(%3 : tensor<16x36xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %9 = arith.addf %a, %b : f32
    linalg.yield %9 : f32
  } -> tensor<16x36xf32>
  return %8 : tensor<16x36xf32>
}

// What is read backwards is no window.
// CHECK-LABEL: func.func @backwards(
// CHECK:         %[[FLIPPED:.*]] = linalg.generic
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %[[FLIPPED]] : tensor<8xf32>, tensor<3xf32>)
func.func @backwards(%x: tensor<8xf32>, %w: tensor<3xf32>) -> tensor<6xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<3xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (-d0 + 2)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%w : tensor<3xf32>) outs(%0 : tensor<3xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<3xf32>
  %2 = tensor.empty() : tensor<6xf32>
  %3 = linalg.fill ins(%zero : f32) outs(%2 : tensor<6xf32>) -> tensor<6xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%x, %1 : tensor<8xf32>, tensor<3xf32>) outs(%3 : tensor<6xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %5 = arith.mulf %a, %b : f32
    %6 = arith.addf %s, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<6xf32>
  return %4 : tensor<6xf32>
}

// RUN: jit-opt %s --pass-pipeline="builtin.module(func.func(jit-fuse-loops))" | FileCheck %s

// Rows that are gathered from windows stay rows: read where they lie, a product of as many of them as the call tells would be plain loops.
// CHECK-LABEL: func.func @rows(
// CHECK: %[[ROWS:.*]] = linalg.generic
// CHECK: linalg.generic {{.*}} ins(%[[ROWS]], %arg1 :
func.func @rows(%x: tensor<?x8xf32>, %w: tensor<16x3x8xf32>, %sums: tensor<?x16xf32>, %n: index) -> tensor<?x16xf32> {
  %empty = tensor.empty(%n) : tensor<?x3x8xf32>
  %rows = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0 + d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<?x8xf32>) outs(%empty : tensor<?x3x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<?x3x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%rows, %w : tensor<?x3x8xf32>, tensor<16x3x8xf32>) outs(%sums : tensor<?x16xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %out, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}

// RUN: jit-opt %s --pass-pipeline='builtin.module(func.func(jit-pack-products{lanes=16 registers=32 tiles=%S/Inputs/tiles.json}))' | FileCheck %s

// What a table says is done: blocks of one vector here, and the tile for the emitter.
// CHECK-LABEL: func.func @measured
// CHECK: linalg.transpose {{.*}} outs(%{{.*}} : tensor<7x40x16xf32>)
// CHECK: linalg.generic
// CHECK-SAME: attrs = {jit.tile = array<i64: 1, 4, 1>}
func.func @measured(%x: tensor<64x40xf32>, %w: tensor<100x40xf32> {jit.weight = "w"}, %out: tensor<64x100xf32>) -> tensor<64x100xf32> {
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<64x40xf32>, tensor<100x40xf32>) outs(%out : tensor<64x100xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x100xf32>
  return %r : tensor<64x100xf32>
}

// A packing that the product cannot have is none.
// CHECK-LABEL: func.func @does_not_fit
// CHECK-NOT: tensor.expand_shape
// CHECK: linalg.generic
// CHECK-SAME: attrs = {jit.tile = array<i64: 99, 4, 1>}
func.func @does_not_fit(%x: tensor<8x40xf32>, %w: tensor<100x40xf32> {jit.weight = "w"}, %out: tensor<8x100xf32>) -> tensor<8x100xf32> {
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<8x40xf32>, tensor<100x40xf32>) outs(%out : tensor<8x100xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x100xf32>
  return %r : tensor<8x100xf32>
}

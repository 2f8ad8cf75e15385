// RUN: jit-opt %s --pass-pipeline='builtin.module(func.func(jit-pack-products{lanes=16 registers=32}))' | FileCheck %s

// A Linear weight [n, k] becomes [blocks, k, lanes], zero-padded to whole blocks.
// CHECK: #[[W:.+]] = affine_map<(d0, d1, d2) -> (d1 floordiv [[NR:[0-9]+]], d2, d1 mod [[NR]])>
// CHECK-LABEL: func.func @linear
// CHECK: %[[PAD:.*]] = tensor.pad %arg1 low[0, 0] high[
// CHECK: %[[CUT:.*]] = tensor.expand_shape %[[PAD]] {{\[\[}}0, 1], [2]]
// CHECK: %[[PACKED:.*]] = linalg.transpose ins(%[[CUT]]
// CHECK-SAME: permutation = [0, 2, 1]
// CHECK: linalg.generic
// CHECK-SAME: ins(%arg0, %[[PACKED]]
func.func @linear(%x: tensor<64x40xf32>, %w: tensor<100x40xf32> {jit.weight = "w"}, %out: tensor<64x100xf32>) -> tensor<64x100xf32> {
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

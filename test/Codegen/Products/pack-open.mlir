// RUN: jit-opt %s --pass-pipeline='builtin.module(func.func(jit-pack-products{lanes=16 registers=32}))' | FileCheck %s

// A weight is packed whatever the number of rows.
// CHECK: #[[W:.+]] = affine_map<(d0, d1, d2) -> (d1 floordiv [[NR:[0-9]+]], d2, d1 mod [[NR]])>
// CHECK-LABEL: func.func @linear
// CHECK: %[[PACKED:.*]] = linalg.transpose
// CHECK: linalg.generic
// CHECK-SAME: ins(%arg0, %[[PACKED]]
func.func @linear(%x: tensor<?x40xf32>, %w: tensor<96x40xf32> {jit.weight = "w"}, %out: tensor<?x96xf32>) -> tensor<?x96xf32> {
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<?x40xf32>, tensor<96x40xf32>) outs(%out : tensor<?x96xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x96xf32>
  return %r : tensor<?x96xf32>
}

// An operand of open size is not.
// CHECK-LABEL: func.func @open_operand
// CHECK-NOT: linalg.transpose
// CHECK: linalg.matmul
func.func @open_operand(%a: tensor<64x4096xf32>, %b: tensor<4096x?xf32>, %out: tensor<64x?xf32>) -> tensor<64x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x4096xf32>, tensor<4096x?xf32>) outs(%out : tensor<64x?xf32>) -> tensor<64x?xf32>
  return %r : tensor<64x?xf32>
}

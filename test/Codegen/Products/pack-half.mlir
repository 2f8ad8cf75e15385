// RUN: jit-opt %s --pass-pipeline='builtin.module(func.func(jit-pack-products{lanes=16 registers=32}))' | FileCheck %s

// Weights are packed in the type in which they are kept.
// CHECK-LABEL: func.func @linear
// CHECK: linalg.transpose {{.*}} outs(%{{.*}} : tensor<{{.*}}xbf16>)
// CHECK: linalg.generic
// CHECK: ^bb0(%{{.*}}: f32, %[[B:.*]]: bf16
// CHECK-NEXT: arith.extf %[[B]]
func.func @linear(%x: tensor<64x40xf32>, %w: tensor<96x40xbf16> {jit.weight = "w"}, %out: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<64x40xf32>, tensor<96x40xbf16>) outs(%out : tensor<64x96xf32>) {
  ^bb0(%a: f32, %b: bf16, %c: f32):
    %g = arith.extf %b : bf16 to f32
    %p = arith.mulf %a, %g : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x96xf32>
  return %r : tensor<64x96xf32>
}

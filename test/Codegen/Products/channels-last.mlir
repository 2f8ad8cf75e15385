// RUN: jit-opt %s --pass-pipeline='builtin.module(func.func(jit-channels-last{lanes=8}))' | FileCheck %s

// Two convolutions with bias, ReLU and padding between. Only the argument and the result change their order.

#image = affine_map<(n, o, h, w, c, y, x) -> (n, c, h + y, w + x)>
#weight = affine_map<(n, o, h, w, c, y, x) -> (o, c, y, x)>
#out = affine_map<(n, o, h, w, c, y, x) -> (n, o, h, w)>
#id = affine_map<(n, o, h, w) -> (n, o, h, w)>
#channel = affine_map<(n, o, h, w) -> (0, o, 0, 0)>

// CHECK-DAG: #[[IMAGE:.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d5, d2 + d6, d4)>
// CHECK-DAG: #[[WEIGHT:.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d3, d4, d5, d6)>
// CHECK-DAG: #[[OUT:.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[BIAS:.+]] = affine_map<(d0, d1, d2, d3) -> (0, d3, 0, 0)>
// CHECK-LABEL: func.func @chain
// CHECK: %[[X:.+]] = linalg.transpose ins(%arg0 : tensor<1x16x12x12xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK: %[[SUM:.+]] = linalg.generic {indexing_maps = [#[[IMAGE]], #[[WEIGHT]], #[[OUT]]]
// CHECK-SAME: ins(%[[X]], %arg1 : tensor<1x12x12x16xf32>, tensor<32x16x3x3xf32>)
// CHECK: %[[ACTIVE:.+]] = linalg.generic {indexing_maps = [#{{.+}}, #[[BIAS]], #{{.+}}]
// CHECK-SAME: ins(%[[SUM]], %arg3 : tensor<1x10x10x32xf32>, tensor<1x32x1x1xf32>)
// CHECK: tensor.pad %[[ACTIVE]] low[0, 1, 1, 0] high[0, 1, 1, 0]
// CHECK: tensor<1x10x10x32xf32> to tensor<1x12x12x32xf32>
// CHECK: %[[LAST:.+]] = linalg.generic
// CHECK-SAME: outs({{.*}} : tensor<1x10x10x16xf32>)
// CHECK-NOT: linalg.generic
// CHECK: %[[R:.+]] = linalg.transpose ins(%[[LAST]] : tensor<1x10x10x16xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK: return %[[R]]
func.func @chain(%x: tensor<1x16x12x12xf32>, %w1: tensor<32x16x3x3xf32>, %w2: tensor<16x32x3x3xf32>,
                 %b: tensor<1x32x1x1xf32>) -> tensor<1x16x10x10xf32> {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<1x32x10x10xf32>
  %s1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x32x10x10xf32>) -> tensor<1x32x10x10xf32>
  %c1 = linalg.generic {indexing_maps = [#image, #weight, #out],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w1 : tensor<1x16x12x12xf32>, tensor<32x16x3x3xf32>) outs(%s1 : tensor<1x32x10x10xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %sum, %m : f32
    linalg.yield %a : f32
  } -> tensor<1x32x10x10xf32>
  %r1 = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c1, %b : tensor<1x32x10x10xf32>, tensor<1x32x1x1xf32>) outs(%e1 : tensor<1x32x10x10xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %a = arith.addf %p, %q : f32
    %m = arith.maximumf %a, %zero : f32
    linalg.yield %m : f32
  } -> tensor<1x32x10x10xf32>
  %pad = tensor.pad %r1 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x32x10x10xf32> to tensor<1x32x12x12xf32>
  %e2 = tensor.empty() : tensor<1x16x10x10xf32>
  %s2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<1x16x10x10xf32>) -> tensor<1x16x10x10xf32>
  %c2 = linalg.generic {indexing_maps = [#image, #weight, #out],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%pad, %w2 : tensor<1x32x12x12xf32>, tensor<16x32x3x3xf32>) outs(%s2 : tensor<1x16x10x10xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %sum, %m : f32
    linalg.yield %a : f32
  } -> tensor<1x16x10x10xf32>
  return %c2 : tensor<1x16x10x10xf32>
}

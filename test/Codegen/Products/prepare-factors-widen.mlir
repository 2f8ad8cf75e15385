// RUN: jit-opt %s --pass-pipeline='builtin.module(func.func(jit-prepare-factors))' | FileCheck %s

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#out = affine_map<(m, n, k) -> (m, n)>

// What the call brings is widened before; the weight where it is read, for it is read once from memory.
// CHECK-LABEL: func.func @linear
// CHECK-SAME: %[[X:.*]]: tensor<64x40xf16>, %[[W:.*]]: tensor<100x40xf16>
// CHECK: %[[WIDE:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<64x40xf16>) outs({{.*}} : tensor<64x40xf32>)
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: linalg.generic {{.*}} ins(%[[WIDE]], %[[W]] : tensor<64x40xf32>, tensor<100x40xf16>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f16, %[[SUM:.*]]: f32)
// CHECK-NEXT: %[[F:.*]] = arith.extf %[[B]]
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[A]], %[[F]]
// CHECK-NEXT: arith.addf %[[SUM]], %[[P]]
func.func @linear(%x: tensor<64x40xf16>, %w: tensor<100x40xf16> {jit.weight = "w"}, %out: tensor<64x100xf32>) -> tensor<64x100xf32> {
  %r = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<64x40xf16>, tensor<100x40xf16>) outs(%out : tensor<64x100xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %f = arith.extf %a : f16 to f32
    %g = arith.extf %b : f16 to f32
    %p = arith.mulf %f, %g : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x100xf32>
  return %r : tensor<64x100xf32>
}

// A matrix that is multiplied with one row is read as often as a copy of it would be.
// CHECK-LABEL: func.func @one_row
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %arg1 : tensor<1x40xf32>, tensor<100x40xf16>)
func.func @one_row(%x: tensor<1x40xf16>, %w: tensor<100x40xf16>, %out: tensor<1x100xf32>) -> tensor<1x100xf32> {
  %r = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<1x40xf16>, tensor<100x40xf16>) outs(%out : tensor<1x100xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %f = arith.extf %a : f16 to f32
    %g = arith.extf %b : f16 to f32
    %p = arith.mulf %f, %g : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x100xf32>
  return %r : tensor<1x100xf32>
}

// Windows read an element again and again, and what transforms their weights knows f32.
// CHECK-LABEL: func.func @windows
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x34xf32>, tensor<8x4x3xf32>)
func.func @windows(%x: tensor<4x34xbf16>, %w: tensor<8x4x3xbf16> {jit.weight = "w"}, %out: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %r = linalg.generic {
    indexing_maps = [affine_map<(f, i, c, t) -> (c, i + t)>, affine_map<(f, i, c, t) -> (f, c, t)>, affine_map<(f, i, c, t) -> (f, i)>],
    iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%x, %w : tensor<4x34xbf16>, tensor<8x4x3xbf16>) outs(%out : tensor<8x32xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %f = arith.extf %a : bf16 to f32
    %g = arith.extf %b : bf16 to f32
    %p = arith.mulf %f, %g : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x32xf32>
  return %r : tensor<8x32xf32>
}

// RUN: jit-opt %s --pass-pipeline='builtin.module(func.func(jit-prepare-factors{pairs=true}))' | FileCheck %s

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#out = affine_map<(m, n, k) -> (m, n)>

// Elements 2i and 2i + 1 are the halves of word i, and the product sums half as many words.
// CHECK-DAG: #[[FIRST:.*]] = affine_map<(d0, d1) -> (d0, d1 * 2)>
// CHECK-DAG: #[[SECOND:.*]] = affine_map<(d0, d1) -> (d0, d1 * 2 + 1)>
// CHECK-LABEL: func.func @linear
// CHECK: %[[X:.*]] = linalg.generic {indexing_maps = [#[[FIRST]], #[[SECOND]], {{.*}} ins(%arg0, %arg0 : tensor<?x40xbf16>, tensor<?x40xbf16>)
// CHECK-SAME: tensor<?x20xi32>
// CHECK: ^bb0(%[[A:.*]]: bf16, %[[B:.*]]: bf16
// CHECK-DAG: %[[LOW:.*]] = arith.bitcast %[[A]] : bf16 to i16
// CHECK-DAG: %[[HIGH:.*]] = arith.bitcast %[[B]] : bf16 to i16
// CHECK-DAG: %[[WIDE:.*]] = arith.extui %[[HIGH]]
// CHECK-DAG: %[[UP:.*]] = arith.shli %[[WIDE]]
// CHECK: arith.ori {{.*}} %[[UP]]
// CHECK: %[[W:.*]] = linalg.generic {{.*}} tensor<100x20xi32>
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[W]] : tensor<?x20xi32>, tensor<100x20xi32>) outs({{.*}} : tensor<?x100xf32>)
// CHECK: vector.bitcast %{{.*}} : vector<1xi32> to vector<2xbf16>
// CHECK: vector.reduction <add>
func.func @linear(%x: tensor<?x40xbf16>, %w: tensor<100x40xbf16> {jit.weight = "w"}, %out: tensor<?x100xf32>) -> tensor<?x100xf32> {
  %r = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<?x40xbf16>, tensor<100x40xbf16>) outs(%out : tensor<?x100xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %f = arith.extf %a : bf16 to f32
    %g = arith.extf %b : bf16 to f32
    %p = arith.mulf %f, %g : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x100xf32>
  return %r : tensor<?x100xf32>
}

// An odd number of terms has no pairs.
// CHECK-LABEL: func.func @odd
// CHECK-NOT: i32
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %arg1 : tensor<64x41xf32>, tensor<100x41xbf16>)
func.func @odd(%x: tensor<64x41xbf16>, %w: tensor<100x41xbf16> {jit.weight = "w"}, %out: tensor<64x100xf32>) -> tensor<64x100xf32> {
  %r = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<64x41xbf16>, tensor<100x41xbf16>) outs(%out : tensor<64x100xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %f = arith.extf %a : bf16 to f32
    %g = arith.extf %b : bf16 to f32
    %p = arith.mulf %f, %g : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x100xf32>
  return %r : tensor<64x100xf32>
}

// Batches of matrices are attention's, whose two products run row by row.
// CHECK-LABEL: func.func @batches
// CHECK-NOT: i32
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x64x40xf32>, tensor<2x40x64xf32>)
func.func @batches(%x: tensor<2x64x40xbf16>, %y: tensor<2x40x64xbf16>, %out: tensor<2x64x64xf32>) -> tensor<2x64x64xf32> {
  %r = linalg.generic {
    indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%x, %y : tensor<2x64x40xbf16>, tensor<2x40x64xbf16>) outs(%out : tensor<2x64x64xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %f = arith.extf %a : bf16 to f32
    %g = arith.extf %b : bf16 to f32
    %p = arith.mulf %f, %g : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x64x64xf32>
  return %r : tensor<2x64x64xf32>
}

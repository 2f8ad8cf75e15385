// RUN: jit-opt %s --pass-pipeline='builtin.module(func.func(jit-fold-transposes,canonicalize))' | FileCheck %s

// CHECK: #[[A:.+]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK: #[[B:.+]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-LABEL: func.func @both_along_rows
// CHECK-NOT: linalg.transpose
// CHECK: linalg.generic {indexing_maps = [#[[A]], #[[B]],
// CHECK-SAME: ins(%arg0, %arg1
func.func @both_along_rows(%a: tensor<40x24xf32>, %b: tensor<40x64xf32>, %out: tensor<24x64xf32>) -> tensor<24x64xf32> {
  %empty = tensor.empty() : tensor<24x40xf32>
  %t = linalg.transpose ins(%a : tensor<40x24xf32>) outs(%empty : tensor<24x40xf32>) permutation = [1, 0]
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%t, %b : tensor<24x40xf32>, tensor<40x64xf32>) outs(%out : tensor<24x64xf32>) {
  ^bb0(%x: f32, %y: f32, %c: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<24x64xf32>
  return %r : tensor<24x64xf32>
}

// An elementwise operation is no product.
// CHECK-LABEL: func.func @elementwise
// CHECK: linalg.transpose
func.func @elementwise(%a: tensor<40x24xf32>, %out: tensor<24x40xf32>) -> tensor<24x40xf32> {
  %empty = tensor.empty() : tensor<24x40xf32>
  %t = linalg.transpose ins(%a : tensor<40x24xf32>) outs(%empty : tensor<24x40xf32>) permutation = [1, 0]
  %r = linalg.exp ins(%t : tensor<24x40xf32>) outs(%out : tensor<24x40xf32>) -> tensor<24x40xf32>
  return %r : tensor<24x40xf32>
}

// What is transposed, padded and multiplied is padded first, and the product reads that.
// CHECK-LABEL: func.func @padded
// CHECK: %[[PADDED:.+]] = tensor.pad %arg0 low[1, 0] high[2, 0]
// CHECK: tensor<40x24xf32> to tensor<43x24xf32>
// CHECK-NOT: linalg.transpose
// CHECK: linalg.generic {indexing_maps = [#[[A]], #[[B]],
// CHECK-SAME: ins(%[[PADDED]], %arg1
func.func @padded(%a: tensor<40x24xf32>, %b: tensor<43x64xf32>, %out: tensor<24x64xf32>) -> tensor<24x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<24x40xf32>
  %t = linalg.transpose ins(%a : tensor<40x24xf32>) outs(%empty : tensor<24x40xf32>) permutation = [1, 0]
  %p = tensor.pad %t low[0, 1] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<24x40xf32> to tensor<24x43xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%p, %b : tensor<24x43xf32>, tensor<43x64xf32>) outs(%out : tensor<24x64xf32>) {
  ^bb0(%x: f32, %y: f32, %c: f32):
    %q = arith.mulf %x, %y : f32
    %s = arith.addf %c, %q : f32
    linalg.yield %s : f32
  } -> tensor<24x64xf32>
  return %r : tensor<24x64xf32>
}

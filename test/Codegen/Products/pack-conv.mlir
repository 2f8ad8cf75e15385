// RUN: jit-opt %s --pass-pipeline='builtin.module(func.func(jit-pack-products{lanes=16 registers=32}))' | FileCheck %s

// The taps of the window come before the channels, so that the innermost loop never reads an element twice.
// CHECK: #[[W:.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1 floordiv [[NR:[0-9]+]], d5, d6, d4, d1 mod [[NR]])>
// CHECK-LABEL: func.func @conv
// CHECK-NOT: tensor.pad
// CHECK: tensor.expand_shape %arg1
// CHECK: linalg.transpose
// CHECK-SAME: permutation = [0, 3, 4, 2, 1]
// CHECK: linalg.generic
// CHECK-NOT: linalg.conv
func.func @conv(%x: tensor<1x64x58x58xf32>, %w: tensor<64x64x3x3xf32> {jit.weight = "w"},
                %out: tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32> {
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x64x58x58xf32>, tensor<64x64x3x3xf32>)
                                outs(%out : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  return %r : tensor<1x64x56x56xf32>
}

// RUN: jit-opt %s --pass-pipeline='builtin.module(func.func(jit-pack-products{lanes=16 registers=32 l1-bytes=49152 l2-bytes=1048576}))' | FileCheck %s

// Rows that lie pages apart share the sets of a cache of 12 ways: five rows by five vectors, where 14 by two do for others.
// CHECK-LABEL: func.func @pages_apart
// CHECK: linalg.transpose {{.*}} outs(%{{.*}} : tensor<13x1024x80xf32>)
func.func @pages_apart(%a: tensor<1024x1024xf32>, %w: tensor<1024x1024xf32> {jit.weight = "w"}, %out: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %r = linalg.matmul ins(%a, %w : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%out : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %r : tensor<1024x1024xf32>
}

// CHECK-LABEL: func.func @others
// CHECK: linalg.transpose {{.*}} outs(%{{.*}} : tensor<32x1000x32xf32>)
func.func @others(%a: tensor<1024x1000xf32>, %w: tensor<1000x1024xf32> {jit.weight = "w"}, %out: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %r = linalg.matmul ins(%a, %w : tensor<1024x1000xf32>, tensor<1000x1024xf32>) outs(%out : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %r : tensor<1024x1024xf32>
}

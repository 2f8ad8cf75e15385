// RUN: jit-opt %s --pass-pipeline='builtin.module(func.func(jit-pack-products{lanes=16 registers=32}))' | FileCheck %s

// One output channel: the contiguous reduction is vectorised where it stands.
// CHECK-LABEL: func.func @one_output
// CHECK-NOT: linalg.transpose
// CHECK: linalg.matvec
func.func @one_output(%w: tensor<1x128xf32> {jit.weight = "w"}, %x: tensor<128xf32>, %out: tensor<1xf32>) -> tensor<1xf32> {
  %r = linalg.matvec ins(%w, %x : tensor<1x128xf32>, tensor<128xf32>) outs(%out : tensor<1xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// A product of weights alone is a constant of the module: packing it would gain nothing.
// CHECK-LABEL: func.func @constant
// CHECK-NOT: linalg.transpose
// CHECK: linalg.matmul
func.func @constant(%a: tensor<32x32xf32> {jit.weight = "a"}, %b: tensor<32x32xf32> {jit.weight = "b"},
                    %out: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>) outs(%out : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %r : tensor<32x32xf32>
}

// CHECK-LABEL: func.func @integers
// CHECK-NOT: linalg.transpose
// CHECK: linalg.matmul
func.func @integers(%a: tensor<32x32xi64>, %b: tensor<32x32xi64> {jit.weight = "b"},
                    %out: tensor<32x32xi64>) -> tensor<32x32xi64> {
  %r = linalg.matmul ins(%a, %b : tensor<32x32xi64>, tensor<32x32xi64>) outs(%out : tensor<32x32xi64>) -> tensor<32x32xi64>
  return %r : tensor<32x32xi64>
}

// RUN: jit-opt %s --jit-separate-inits | FileCheck %s

// Each of two writers gets zeros of its own; a reader is no writer.
// CHECK-LABEL: func.func @two_writers(
// CHECK:         linalg.fill
// CHECK:         %[[A:.*]] = linalg.fill
// CHECK:         linalg.matmul {{.*}} outs(%[[A]]
// CHECK:         %[[B:.*]] = linalg.fill
// CHECK:         linalg.matmul {{.*}} outs(%[[B]]
func.func @two_writers(%x: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x2xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x2xf32>) -> tensor<2x2xf32>
  %a = linalg.matmul ins(%x, %x : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zeros : tensor<2x2xf32>) -> tensor<2x2xf32>
  %b = linalg.matmul ins(%a, %x : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zeros : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %a, %b, %zeros : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
}

// A loop finds zeros each time.
// CHECK-LABEL: func.func @in_loop(
// CHECK:         scf.for
// CHECK:           %[[ZEROS:.*]] = linalg.fill
// CHECK:           linalg.matmul {{.*}} outs(%[[ZEROS]]
func.func @in_loop(%x: tensor<2x2xf32>, %n: index) -> tensor<2x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x2xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x2xf32>) -> tensor<2x2xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<2x2xf32>) {
    %b = linalg.matmul ins(%a, %x : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zeros : tensor<2x2xf32>) -> tensor<2x2xf32>
    scf.yield %b : tensor<2x2xf32>
  }
  return %r : tensor<2x2xf32>
}

// RUN: jit-opt %s --pass-pipeline='builtin.module(canonicalize{disable-patterns="(anonymous namespace)::FoldTensorCastProducerOp"})' | FileCheck %s

// What a transposition writes to is known to have three rows: what it takes then has three columns, and the operation knows both or neither.
// CHECK-LABEL: func.func @forward
// CHECK: %[[KNOWN:.*]] = tensor.cast %arg0 : tensor<?x?xf32> to tensor<?x3xf32>
// CHECK: linalg.transpose ins(%[[KNOWN]] : tensor<?x3xf32>) outs(%arg1 : tensor<3x?xf32>)
func.func @forward(%x: tensor<?x?xf32>, %init: tensor<3x?xf32>) -> tensor<?x?xf32> {
  %open = tensor.cast %init : tensor<3x?xf32> to tensor<?x?xf32>
  %r = linalg.transpose ins(%x : tensor<?x?xf32>) outs(%open : tensor<?x?xf32>) permutation = [1, 0]
  return %r : tensor<?x?xf32>
}

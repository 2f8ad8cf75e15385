// RUN: jit-opt %s --pass-pipeline='builtin.module(canonicalize{disable-patterns="FoldTensorCastProducerOp,(anonymous namespace)::InferStaticShapeOfOperands"})' | FileCheck %s
// RUN: jit-opt %s --jit-to-cpu | FileCheck %s --check-prefix=CPU

// What a transposition writes to is known to have three rows: what it takes then has three columns, and the operation knows both or neither. Upstream's
// pattern of casts makes an operation that knows one, so that our canonicalizer has to be without it.
// CHECK-LABEL: func.func @forward
// CHECK: %[[KNOWN:.*]] = tensor.cast %arg0 : tensor<?x?xf32> to tensor<3x?xf32>
// CHECK: linalg.transpose ins(%[[KNOWN]] : tensor<3x?xf32>) outs(%{{.*}} : tensor<?x3xf32>)
// CPU: llvm.func @forward
func.func @forward(%x: tensor<?x?xf32>, %n: index, %ok: i1) -> tensor<?x?xf32> {
  jit.guard %ok, "builtins.RuntimeError", "expected a guard"
  %c3 = arith.constant 3 : index
  %empty = tensor.empty(%n, %c3) : tensor<?x?xf32>
  %r = linalg.transpose ins(%x : tensor<?x?xf32>) outs(%empty : tensor<?x?xf32>) permutation = [1, 0]
  return %r : tensor<?x?xf32>
}

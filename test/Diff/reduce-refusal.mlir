// RUN: rm -rf %t && mkdir %t
// RUN: jit-reduce %s --input='f32[3]' --refusal="not small" --output=%t/small.mlir | FileCheck %s
// RUN: not jit-run %t/small.mlir --input=@%t/small.0.npy --input=false 2>&1 | FileCheck %s --check-prefix=AGAIN

// A call that raises is a failure to keep as well.

// CHECK: small.mlir: 1 of 5 operators
// AGAIN: it is not small
func.func @forward(%x: !jit.tensor<[3],f32>) -> !jit.tensor<[3],f32> {
  %none = jit.constant !jit.none = unit
  %limit = arith.constant -1.0e+03 : f64
  %b = aten.tanh %x : (!jit.tensor<[3],f32>) -> !jit.tensor<[3],f32>
  %s = aten.sum %x, %none : (!jit.tensor<[3],f32>, !jit.none) -> !jit.tensor<[],f32>
  %l = aten.lt.Scalar %s, %limit : (!jit.tensor<[],f32>, f64) -> !jit.tensor<[],i1>
  %is = aten.item %l : (!jit.tensor<[],i1>) -> i1
  jit.guard %is, "builtins.ValueError", "it is not small"
  return %b : !jit.tensor<[3],f32>
}

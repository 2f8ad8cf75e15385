// RUN: not jit-opt %s --jit-infer-types 2>&1 | FileCheck %s

// CHECK: error: expected a dimension from -2 to 1, got 2
func.func @beyond(%x: !jit.tensor<[8,3],f32>) -> !jit.tensor {
  %two = arith.constant 2 : i64
  %eps = arith.constant 1.0e-05 : f64
  %none = jit.constant !jit.none = unit
  %dims = jit.list %two : (i64) -> !jit.list<i64>
  %r:4 = aten._normalized_batch %x, %none, %none, %dims, %eps : (!jit.tensor<[8,3],f32>, !jit.none, !jit.none, !jit.list<i64>, f64) -> (!jit.tensor, !jit.tensor, !jit.tensor, !jit.tensor)
  return %r#0 : !jit.tensor
}

// RUN: jit-opt %s --jit-decompose | FileCheck %s

// PyTorch adds nothing up where no factor has the dimension that it unrolls.
// CHECK: aten._trilinear
func.func @forward(%a: !jit.tensor<[2],f32>, %b: !jit.tensor<[2],f32>, %c: !jit.tensor<[2],f32>) -> !jit.tensor {
  %1 = arith.constant 1 : i64
  %new = jit.list %1 : (i64) -> !jit.list<i64>
  %r = aten._trilinear %a, %b, %c, %new, %new, %new, %new, %1 : (!jit.tensor<[2],f32>, !jit.tensor<[2],f32>, !jit.tensor<[2],f32>, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor
  return %r : !jit.tensor
}

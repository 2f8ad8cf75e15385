// RUN: jit-opt %s --jit-specialize="args=f32[n],f32[m]" --jit-infer-types --jit-decompose | FileCheck %s

// Sizes of grids come from the tensors where a variant leaves them open.
// CHECK-LABEL: func.func @forward
// CHECK: %[[N:.*]] = aten.size.int %arg0
// CHECK: %[[M:.*]] = aten.size.int %arg1
// CHECK: arith.muli %[[N]], %[[M]]
// CHECK: aten.expand {{.*}} -> !jit.tensor<[?,?],f32>
// CHECK: aten.cat {{.*}} -> !jit.tensor<[?,2],f32>
func.func @forward(%x: !jit.tensor, %y: !jit.tensor) -> !jit.tensor {
  %tensors = jit.list %x, %y : (!jit.tensor, !jit.tensor) -> !jit.list<!jit.tensor>
  %0 = aten.cartesian_prod %tensors : (!jit.list<!jit.tensor>) -> !jit.tensor
  return %0 : !jit.tensor
}

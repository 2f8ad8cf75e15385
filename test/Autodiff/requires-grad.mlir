// RUN: jit-opt %s --jit-expand-gradients | FileCheck %s

// An argument that the call marks, a parameter and a leaf require a gradient, and what a gradient flows back from.

jit.slot parameter @weight : !jit.tensor<[2],f32> = #jit.storage<"data/0", 0, [1]>

// CHECK-LABEL: func.func @forward
//   CHECK-DAG: %[[NO:.*]] = arith.constant false
//   CHECK-DAG: %[[YES:.*]] = arith.constant true
//       CHECK: return %{{false.*}}, %{{true.*}}, %{{true.*}}, %{{true.*}}, %{{false.*}}, %{{false.*}}, %{{false.*}}
func.func @forward(%x: !jit.tensor<[2],f32>, %y: !jit.tensor<[2],f32> {jit.requires_grad}) -> (i1, i1, i1, i1, i1, i1, i1) {
  %zero = arith.constant 0 : i64
  %weight = jit.slot_get @weight : !jit.tensor<[2],f32>
  %leaf = aten._leaf %x : (!jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  %sin = aten.sin %leaf : (!jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  %cut = aten.detach %sin : (!jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  %larger = aten.gt.Scalar %sin, %zero : (!jit.tensor<[2],f32>, i64) -> !jit.tensor<[2],i1>
  %typed = aten.type_as %x, %sin : (!jit.tensor<[2],f32>, !jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  %0 = aten.requires_grad %x : (!jit.tensor<[2],f32>) -> i1
  %1 = aten.requires_grad %y : (!jit.tensor<[2],f32>) -> i1
  %2 = aten.requires_grad %weight : (!jit.tensor<[2],f32>) -> i1
  %3 = aten.requires_grad %sin : (!jit.tensor<[2],f32>) -> i1
  %4 = aten.requires_grad %cut : (!jit.tensor<[2],f32>) -> i1
  %5 = aten.requires_grad %larger : (!jit.tensor<[2],i1>) -> i1
  %6 = aten.requires_grad %typed : (!jit.tensor<[2],f32>) -> i1
  return %0, %1, %2, %3, %4, %5, %6 : i1, i1, i1, i1, i1, i1, i1
}

// RUN: jit-opt %s --jit-functionalize-tensors | FileCheck %s

// A leaf that is written, where gradients are off, is the same leaf with other elements.
// CHECK-LABEL: func.func @leaf
//       CHECK: %[[CUT:.*]] = aten.detach %arg0
//       CHECK: %[[LEAF:.*]] = aten._leaf %[[CUT]]
//   CHECK-NOT: aten._leaf
//       CHECK: %[[VALUE:.*]] = aten._with_elements %[[LEAF]], %arg1
//       CHECK: %[[ELEMENTS:.*]] = jit.derefine %[[VALUE]]
//       CHECK: %[[AFTER:.*]] = aten._with_elements %[[LEAF]], %[[ELEMENTS]]
//       CHECK: aten.sin %[[AFTER]]
func.func @leaf(%x: !jit.tensor<[2],f32> {jit.arg = array<i64: 0>}, %y: !jit.tensor<[2],f32> {jit.arg = array<i64: 1>}) -> !jit.tensor<[2],f32> {
  %cut = aten.detach %x : (!jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  %leaf = aten._leaf %cut : (!jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  %value = aten._with_elements %leaf, %y : (!jit.tensor<[2],f32>, !jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  %0 = jit.overwrite %leaf, %value : (!jit.tensor<[2],f32>, !jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  %1 = aten.sin %leaf : (!jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  return %1 : !jit.tensor<[2],f32>
}

// An argument that requires a gradient is none of its own.
// CHECK-LABEL: func.func @argument
//   CHECK-NOT: aten._leaf
//       CHECK: return
func.func @argument(%x: !jit.tensor<[2],f32> {jit.arg = array<i64: 0>, jit.requires_grad}, %y: !jit.tensor<[2],f32> {jit.arg = array<i64: 1>}) -> !jit.tensor<[2],f32> {
  %leaf = aten._leaf %x : (!jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  %value = aten._with_elements %leaf, %y : (!jit.tensor<[2],f32>, !jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  %0 = jit.overwrite %leaf, %value : (!jit.tensor<[2],f32>, !jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  %1 = aten.sin %leaf : (!jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  return %1 : !jit.tensor<[2],f32>
}

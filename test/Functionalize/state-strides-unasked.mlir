// RUN: jit-opt %s --jit-functionalize-tensors | FileCheck %s

// Where no program asks for strides, a slot does not say them.
// CHECK-LABEL: func.func @turned
// CHECK-SAME: jit.outputs = [{slot = "s", value = 0 : i64}]
func.func @turned(%x: !jit.tensor<[2,3],f32>) -> !jit.tensor<[3,2],f32>
    attributes {jit.outputs = [{slot = "s", value = 0 : i64}]} {
  %y = aten.relu %x : (!jit.tensor<[2,3],f32>) -> !jit.tensor<[2,3],f32>
  %t = aten.t %y : (!jit.tensor<[2,3],f32>) -> !jit.tensor<[3,2],f32>
  return %t : !jit.tensor<[3,2],f32>
}

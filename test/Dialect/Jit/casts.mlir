// RUN: jit-opt %s --canonicalize | FileCheck %s

// A cast that undoes a derefine is the value itself, under the type that the cast's users saw.
// CHECK-LABEL: func.func @cast
// CHECK-SAME: (%[[X:.*]]: !jit.tensor<[2],f32>)
func.func @cast(%x: !jit.tensor<[2],f32>) -> (!jit.tensor<[2],f32>, !jit.tensor) {
  // CHECK-NEXT: %[[W:.*]] = jit.derefine %[[X]] : !jit.tensor<[2],f32> to !jit.tensor
  // CHECK-NEXT: return %[[X]], %[[W]]
  %o = jit.derefine %x : !jit.tensor<[2],f32> to !jit.optional<!jit.tensor>
  %a = jit.unchecked_cast %o : !jit.optional<!jit.tensor> to !jit.tensor<[2],f32>
  %b = jit.unchecked_cast %o : !jit.optional<!jit.tensor> to !jit.tensor
  return %a, %b : !jit.tensor<[2],f32>, !jit.tensor
}

// So are the elements of a container.
// CHECK-LABEL: func.func @elements
// CHECK-SAME: (%[[X:.*]]: !jit.tensor<[2],f32>)
func.func @elements(%x: !jit.tensor<[2],f32>) -> (!jit.tensor, !jit.tensor, !jit.tensor) {
  // CHECK-NOT: jit.tuple
  // CHECK-NOT: jit.list
  // CHECK: %[[A:.*]] = jit.derefine %[[X]] : !jit.tensor<[2],f32> to !jit.tensor
  %t = jit.tuple %x : (!jit.tensor<[2],f32>) -> !jit.tuple<!jit.tensor>
  %a = jit.tuple_unpack %t : (!jit.tuple<!jit.tensor>) -> !jit.tensor
  %b = jit.tuple_index %t[0] : (!jit.tuple<!jit.tensor>) -> !jit.tensor
  %l = jit.list %x : (!jit.tensor<[2],f32>) -> !jit.list<!jit.tensor>
  %c = jit.list_unpack %l : (!jit.list<!jit.tensor>) -> !jit.tensor
  return %a, %b, %c : !jit.tensor, !jit.tensor, !jit.tensor
}

// What is cast from one size to another one is behind a check that does not hold.
// CHECK-LABEL: func.func @contradiction
func.func @contradiction(%x: tensor<3xf32>, %y: tensor<3x?xf32>) -> (tensor<4xf32>, tensor<4x?xf32>) {
  // CHECK-DAG: tensor.empty() : tensor<4xf32>
  // CHECK-DAG: tensor.empty(%{{.*}}) : tensor<4x?xf32>
  %a = tensor.cast %x : tensor<3xf32> to tensor<?xf32>
  %b = tensor.cast %a : tensor<?xf32> to tensor<4xf32>
  %c = tensor.cast %y : tensor<3x?xf32> to tensor<?x?xf32>
  %d = tensor.cast %c : tensor<?x?xf32> to tensor<4x?xf32>
  return %b, %d : tensor<4xf32>, tensor<4x?xf32>
}

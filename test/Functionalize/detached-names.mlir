// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --cse | FileCheck %s

!m = !jit.tensor<[2],f32>

// What is written through a detached name has its history there; under its other name the tensor has the elements alone.
// CHECK-LABEL: func.func @written
// CHECK-SAME: (%[[X:.*]]: !jit.tensor<[2],f32>, %[[V:.*]]: !jit.tensor<[2],f32>)
func.func @written(%x: !m, %v: !m) -> (!m, !m) {
  // CHECK: %[[Y:.*]] = aten.relu %[[X]]
  // CHECK: %[[Y2:.*]] = aten._with_elements %[[Y]], %[[V]]
  // CHECK: return %[[V]], %[[Y2]]
  %y = aten.relu %x : (!m) -> !m
  %cut = aten.detach %y : (!m) -> !m
  %w = jit.overwrite %cut, %v : (!m, !m) -> !m
  return %cut, %y : !m, !m
}

// A write to the tensor gives the detached name elements, and takes nothing of its history.
// CHECK-LABEL: func.func @both
// CHECK-SAME: (%[[X:.*]]: !jit.tensor<[2],f32>, %[[U:.*]]: !jit.tensor<[2],f32>, %[[V:.*]]: !jit.tensor<[2],f32>)
func.func @both(%x: !m, %u: !m, %v: !m) -> (!m, !m) {
  // CHECK: %[[CUT:.*]] = aten._with_elements %[[U]], %[[V]]
  // CHECK: return %[[CUT]], %[[V]]
  %y = aten.relu %x : (!m) -> !m
  %cut = aten.detach %y : (!m) -> !m
  %w0 = jit.overwrite %cut, %u : (!m, !m) -> !m
  %w1 = jit.overwrite %y, %v : (!m, !m) -> !m
  return %cut, %y : !m, !m
}

// Nothing is written through this one: it is a view of the tensor.
// CHECK-LABEL: func.func @shown
// CHECK-SAME: (%[[X:.*]]: !jit.tensor<[2],f32>, %[[V:.*]]: !jit.tensor<[2],f32>)
func.func @shown(%x: !m, %v: !m) -> !m {
  // CHECK: %[[CUT:.*]] = aten.detach %[[V]]
  // CHECK: return %[[CUT]]
  %y = aten.relu %x : (!m) -> !m
  %cut = aten.detach %y : (!m) -> !m
  %w = jit.overwrite %y, %v : (!m, !m) -> !m
  return %cut : !m
}

// RUN: jit-opt %s --jit-specialize="args=f32[2,3],f32[2]" --split-input-file | FileCheck %s

// An argument that is too small for what is written to it as out= has memory of its own from there on, where nothing else that is used afterwards shows its memory.

// CHECK-LABEL: func.func @forward
// CHECK: %[[V:.*]] = aten.relu %arg0
// CHECK: %[[OWN:.*]] = aten.to.dtype %[[V]]
// CHECK-NOT: jit.overwrite
// CHECK: aten.tanh %[[OWN]]
func.func @forward(%x: !jit.tensor, %h: !jit.tensor) -> !jit.tensor {
  %v = aten.relu %x : (!jit.tensor) -> !jit.tensor
  %w = jit.overwrite %h, %v {jit.out} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %t = aten.tanh %h : (!jit.tensor) -> !jit.tensor
  return %t : !jit.tensor
}

// -----

// A view that was used before.
// CHECK-LABEL: func.func @forward
// CHECK: %[[V:.*]] = aten.relu %arg0
// CHECK: %[[OWN:.*]] = aten.to.dtype %[[V]]
// CHECK-NOT: jit.overwrite
// CHECK: aten.tanh %[[OWN]]
func.func @forward(%x: !jit.tensor, %h: !jit.tensor) -> (!jit.tensor, !jit.tensor) {
  %zero = arith.constant 0 : i64
  %p = aten.unsqueeze %h, %zero : (!jit.tensor, i64) -> !jit.tensor
  %s = aten.exp %p : (!jit.tensor) -> !jit.tensor
  %v = aten.relu %x : (!jit.tensor) -> !jit.tensor
  %w = jit.overwrite %h, %v {jit.out} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %t = aten.tanh %h : (!jit.tensor) -> !jit.tensor
  return %t, %s : !jit.tensor, !jit.tensor
}

// -----

// A view that is used afterwards: the write is left.
// CHECK-LABEL: func.func @forward
// CHECK: jit.overwrite %arg1, {{.*}}jit.out
func.func @forward(%x: !jit.tensor, %h: !jit.tensor) -> (!jit.tensor, !jit.tensor) {
  %zero = arith.constant 0 : i64
  %p = aten.unsqueeze %h, %zero : (!jit.tensor, i64) -> !jit.tensor
  %v = aten.relu %x : (!jit.tensor) -> !jit.tensor
  %w = jit.overwrite %h, %v {jit.out} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %t = aten.tanh %h : (!jit.tensor) -> !jit.tensor
  return %t, %p : !jit.tensor, !jit.tensor
}

// -----

// A view in a list that is used afterwards: the write is left.
// CHECK-LABEL: func.func @forward
// CHECK: jit.overwrite %arg1, {{.*}}jit.out
func.func @forward(%x: !jit.tensor, %h: !jit.tensor) -> (!jit.tensor, !jit.list<!jit.tensor>) {
  %zero = arith.constant 0 : i64
  %p = aten.unsqueeze %h, %zero : (!jit.tensor, i64) -> !jit.tensor
  %l = jit.list %x, %p : (!jit.tensor, !jit.tensor) -> !jit.list<!jit.tensor>
  %v = aten.relu %x : (!jit.tensor) -> !jit.tensor
  %w = jit.overwrite %h, %v {jit.out} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %t = aten.tanh %h : (!jit.tensor) -> !jit.tensor
  return %t, %l : !jit.tensor, !jit.list<!jit.tensor>
}

// -----

// A list of the argument itself holds what it becomes.
// CHECK-LABEL: func.func @forward
// CHECK: %[[V:.*]] = aten.relu %arg0
// CHECK: %[[OWN:.*]] = aten.to.dtype %[[V]]
// CHECK-NOT: jit.overwrite
// CHECK: %[[T:.*]] = aten.tanh %[[OWN]]
// CHECK: return %[[T]], %[[OWN]]
func.func @forward(%x: !jit.tensor, %h: !jit.tensor) -> (!jit.tensor, !jit.list<!jit.tensor>) {
  %l = jit.list %h : (!jit.tensor) -> !jit.list<!jit.tensor>
  %v = aten.relu %x : (!jit.tensor) -> !jit.tensor
  %w = jit.overwrite %h, %v {jit.out} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %t = aten.tanh %h : (!jit.tensor) -> !jit.tensor
  return %t, %l : !jit.tensor, !jit.list<!jit.tensor>
}

// -----

// Memory that the program made becomes larger for all that shows it: the view of its first element, which nobody wrote, is one of that.
// CHECK-LABEL: func.func @forward
// CHECK: %[[Y:.*]] = aten.exp %arg1
// CHECK: %[[V:.*]] = aten.relu %arg0
// CHECK: %[[ROWS:.*]] = aten.reshape %[[V]]
// CHECK: %[[LARGER:.*]] = aten.to.dtype %[[ROWS]]
// CHECK-DAG: aten.as_strided %[[LARGER]], {{.*}} -> !jit.tensor<[2,3],f32>
// CHECK-DAG: aten.as_strided %[[LARGER]], {{.*}} -> !jit.tensor<[1],f32>
// CHECK: return
func.func @forward(%x: !jit.tensor, %h: !jit.tensor) -> (!jit.tensor, !jit.tensor) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.exp %h : (!jit.tensor) -> !jit.tensor
  %p = aten.slice.Tensor %y, %zero, %zero, %one, %one : (!jit.tensor, i64, i64, i64, i64) -> !jit.tensor
  %v = aten.relu %x : (!jit.tensor) -> !jit.tensor
  %w = jit.overwrite %y, %v {jit.out} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %y, %p : !jit.tensor, !jit.tensor
}

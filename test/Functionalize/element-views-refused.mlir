// RUN: jit-opt %s --jit-element-views --split-input-file | FileCheck %s

// Elements of a list that is no split of one tensor stay what they are, and nothing demands a length.
// CHECK-LABEL: func.func @list(
// CHECK: jit.list_unpack
// CHECK-NOT: jit.guard
// CHECK: jit.overwrite
func.func @list(%x: !jit.tensor, %y: !jit.tensor) -> !jit.tensor {
  %l = jit.list %x, %y : (!jit.tensor, !jit.tensor) -> !jit.list<!jit.tensor>
  %a, %b = jit.list_unpack %l : (!jit.list<!jit.tensor>) -> (!jit.tensor, !jit.tensor)
  %w = jit.overwrite %a, %b : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %x : !jit.tensor
}

// -----

// Parts that are unpacked of a tensor that nothing writes stay elements.
// CHECK-LABEL: func.func @read(
// CHECK: %[[PARTS:.*]]:2 = jit.list_unpack
// CHECK-NOT: jit.guard
// CHECK: aten.mul.Tensor %[[PARTS]]#0, %[[PARTS]]#1
func.func @read(%x: !jit.tensor) -> !jit.tensor {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %parts = aten.chunk %x, %two, %one : (!jit.tensor, i64, i64) -> !jit.list<!jit.tensor>
  %a, %b = jit.list_unpack %parts : (!jit.list<!jit.tensor>) -> (!jit.tensor, !jit.tensor)
  %y = aten.mul.Tensor %a, %b : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %y : !jit.tensor
}

// -----

// Parts of a view are views of the tensor that is written through another one.
// CHECK-LABEL: func.func @of_view(
// CHECK: %[[T:.*]] = aten.t %arg0
// CHECK: %[[A:.*]] = aten.slice.Tensor %[[T]]
// CHECK: %[[B:.*]] = aten.slice.Tensor %[[T]]
// CHECK: jit.guard
// CHECK: aten.mul.Tensor %[[A]], %[[B]]
func.func @of_view(%x: !jit.tensor, %v: !jit.tensor) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %t = aten.t %x : (!jit.tensor) -> !jit.tensor
  %parts = aten.chunk %t, %two, %one : (!jit.tensor, i64, i64) -> !jit.list<!jit.tensor>
  %a, %b = jit.list_unpack %parts : (!jit.list<!jit.tensor>) -> (!jit.tensor, !jit.tensor)
  %row = aten.select.int %x, %zero, %zero : (!jit.tensor, i64, i64) -> !jit.tensor
  %w = jit.overwrite %row, %v : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %y = aten.mul.Tensor %a, %b : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %y : !jit.tensor
}

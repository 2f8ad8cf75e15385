// RUN: jit-opt %s --jit-expand-gradients --split-input-file | FileCheck %s

// Elements that are alike, of which data pick one, and rows of one tensor.
!t = !jit.tensor<[2],f32>
// CHECK-LABEL: func.func @alike(
// CHECK: %[[TRUE:.*]] = arith.constant true
// CHECK: return %[[TRUE]]
func.func @alike(%x: !t {jit.requires_grad}, %y: !t {jit.requires_grad}, %i: i64) -> i1 {
  %list = jit.list %x, %y : (!t, !t) -> !jit.list<!jit.tensor>
  %a = aten.__getitem__.t %list, %i : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
  %0 = aten.requires_grad %a : (!jit.tensor) -> i1
  return %0 : i1
}

// -----

// CHECK-LABEL: func.func @rows(
// CHECK: %[[TRUE:.*]] = arith.constant true
// CHECK: return %[[TRUE]]
func.func @rows(%x: !jit.tensor<[?,2],f32> {jit.requires_grad}, %i: i64) -> i1 {
  %zero = arith.constant 0 : i64
  %list = aten.unbind.int %x, %zero : (!jit.tensor<[?,2],f32>, i64) -> !jit.list<!jit.tensor>
  %a = aten.__getitem__.t %list, %i : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
  %0 = aten.requires_grad %a : (!jit.tensor) -> i1
  return %0 : i1
}

// -----

// CHECK-LABEL: func.func @none(
// CHECK: %[[FALSE:.*]] = arith.constant false
// CHECK: return %[[FALSE]]
!t = !jit.tensor<[2],f32>
func.func @none(%x: !t, %y: !t, %i: i64) -> i1 {
  %list = jit.list %x, %y : (!t, !t) -> !jit.list<!jit.tensor>
  %a = aten.__getitem__.t %list, %i : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
  %0 = aten.requires_grad %a : (!jit.tensor) -> i1
  return %0 : i1
}

// RUN: jit-opt %s --jit-functionalize-tensors --split-input-file | FileCheck %s

// What PyTorch casts where a result is written in place: within a category, and to the same type.

!h = !jit.tensor<[3],f16>
!f = !jit.tensor<[3],f32>
!u = !jit.tensor<[3],?>

// CHECK-LABEL: func.func @within_category(
// CHECK: aten.copy
func.func @within_category(%x: !f, %y: !f) -> !h {
  %no = arith.constant false
  %none = jit.constant !jit.none = unit
  %half = arith.constant 5 : i64
  %z = aten.to.dtype %x, %half, %no, %no, %none : (!f, i64, i1, i1, !jit.none) -> !h
  %w = jit.overwrite %z, %y {jit.cast = "category"} : (!h, !f) -> !h
  return %z : !h
}

// CHECK-LABEL: func.func @the_same(
// CHECK: return
func.func @the_same(%x: !f, %y: !f) -> !f {
  %z = aten.relu %x : (!f) -> !f
  %w = jit.overwrite %z, %y {jit.cast = "same"} : (!f, !f) -> !f
  return %z : !f
}

// Where one of them is not known nothing is wrong with it yet.
// CHECK-LABEL: func.func @unknown_written(
// CHECK: aten.copy
func.func @unknown_written(%x: !u, %y: !f) -> !u {
  %z = aten.relu %x : (!u) -> !u
  %w = jit.overwrite %z, %y {jit.cast = "same"} : (!u, !f) -> !u
  return %z : !u
}

// CHECK-LABEL: func.func @unknown_value(
// CHECK: aten.copy
func.func @unknown_value(%x: !f, %y: !u) -> !f {
  %z = aten.relu %x : (!f) -> !f
  %w = jit.overwrite %z, %y {jit.cast = "same"} : (!f, !u) -> !f
  return %z : !f
}

// -----

!m = !jit.tensor<[2,2],f32>

// An argument that stands for memory says so when it is handed back.
// CHECK-LABEL: func.func @memory(
// CHECK-SAME: jit.outputs = [{value = 0 : i64}, {memory, mutates = array<i64: 0>, value = 1 : i64}]
func.func @memory(%x: !m {jit.memory = 0 : i64}, %v: !m) -> !m attributes {jit.outputs = [{value = 0 : i64}]} {
  %w = jit.overwrite %x, %v : (!m, !m) -> !m
  %y = aten.relu %v : (!m) -> !m
  return %y : !m
}

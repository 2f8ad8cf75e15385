// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --split-input-file | FileCheck %s

// as_strided of a view of a tensor with gaps in its memory counts the elements of that tensor.

!x = !jit.tensor<[4,3],f32>
!r = !jit.tensor<[3],f32>
!p = !jit.tensor<[2],f32>

// Place 6 is that of element (1, 0), which the row has, place 12 that of (2, 0), which gets no gradient by the row.
// CHECK-LABEL: func.func @row
// CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : i64
// CHECK-DAG: %[[STEPS:.*]] = jit.list %[[THREE]]
// CHECK: aten.as_strided %arg0, %{{.*}}, %[[STEPS]], %[[THREE]] {jit.of_memory, jit.places = array<i64: 6, 6>, jit.shown = array<i1: true, false>}
func.func @row(%x: !x {jit.strides = array<i64: 6, 2>}) -> !p {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %six = arith.constant 6 : i64
  %none = jit.constant !jit.none = unit
  %row = aten.select.int %x, %zero, %one : (!x, i64, i64) -> !r
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %six : (i64) -> !jit.list<i64>
  %a = aten.as_strided %row, %sizes, %steps, %none : (!r, !jit.list<i64>, !jit.list<i64>, !jit.none) -> !p
  return %a : !p
}

// -----

// Behind a detach there are no gradients that could tell.

!x = !jit.tensor<[4,3],f32>
!r = !jit.tensor<[3],f32>
!p = !jit.tensor<[2],f32>

// CHECK-LABEL: func.func @detached
// CHECK: %[[ALL:.*]] = aten.detach %arg0
// CHECK: aten.as_strided %[[ALL]], {{.*}} {jit.of_memory, jit.places = array<i64: 6, 6>} :
func.func @detached(%x: !x {jit.strides = array<i64: 6, 2>}) -> !p {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %six = arith.constant 6 : i64
  %none = jit.constant !jit.none = unit
  %alone = aten.detach %x : (!x) -> !x
  %row = aten.select.int %alone, %zero, %one : (!x, i64, i64) -> !r
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %six : (i64) -> !jit.list<i64>
  %a = aten.as_strided %row, %sizes, %steps, %none : (!r, !jit.list<i64>, !jit.list<i64>, !jit.none) -> !p
  return %a : !p
}

// -----

// From the start of the memory that is known here, wherever in PyTorch's memory it begins.

!x = !jit.tensor<[4,3],f32>
!p = !jit.tensor<[2],f32>

module attributes {jit.asks_strides} {
jit.slot @s : !x = #jit.storage<"data/0", 5, [6, 2]>
// CHECK-LABEL: func.func @from_start
// CHECK: aten.as_strided %arg0, {{.*}} {jit.from_start, jit.of_memory, jit.places = array<i64: 6, 6>} :
func.func @from_start(%x: !x {jit.slot = "s", jit.strides = array<i64: 6, 2>}) -> !p {
  %two = arith.constant 2 : i64
  %six = arith.constant 6 : i64
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %six : (i64) -> !jit.list<i64>
  %a = aten.as_strided %x, %sizes, %steps, %six {jit.from_start} : (!x, !jit.list<i64>, !jit.list<i64>, i64) -> !p
  return %a : !p
}
}

// RUN: jit-opt %s --jit-functionalize-tensors --split-input-file | FileCheck %s

// as_strided counts from the start of memory: it is made one of a tensor that shows all of that row by row.

!m = !jit.tensor<[2,3],f32>
!f = !jit.tensor<[6],f32>

// Of a matrix that lies column by column this is the transpose.
// CHECK-LABEL: func.func @columns
// CHECK: %[[ORDER:.*]] = jit.list %[[ONE:.*]], %[[ZERO:.*]] : (i64, i64)
// CHECK: %[[WHOLE:.*]] = aten.permute %arg0, %[[ORDER]] : {{.*}} -> !jit.tensor<[3,2],f32>
// CHECK: aten.as_strided %[[WHOLE]], {{.*}} {jit.of_memory}
func.func @columns(%x: !m {jit.strides = array<i64: 1, 2>}) -> !f {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %six = arith.constant 6 : i64
  %sizes = jit.list %six : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  %a = aten.as_strided %x, %sizes, %steps, %zero : (!m, !jit.list<i64>, !jit.list<i64>, i64) -> !f
  return %a : !f
}

// -----

!m = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>

// Of a row the operator may show the row before: gradients reach the elements alone that lie in its own.
// CHECK-LABEL: func.func @part
// CHECK: %[[Y:.*]] = aten.relu
// CHECK: aten.as_strided %[[Y]], {{.*}} {jit.of_memory, jit.shown = array<i1: false, true>}
func.func @part(%x: !m) -> !r {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %y = aten.relu %x : (!m) -> !m
  %s = aten.select.int %y, %zero, %one : (!m, i64, i64) -> !r
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  %a = aten.as_strided %s, %sizes, %steps, %one : (!r, !jit.list<i64>, !jit.list<i64>, i64) -> !r
  return %a : !r
}

// Where all of them do, nothing is to be said; without a place it begins where the row does.
// CHECK-LABEL: func.func @own
// CHECK: %[[Y:.*]] = aten.relu
// CHECK: %[[TWO:[a-z0-9_]+]] = arith.constant 2 : i64
// CHECK: aten.as_strided %[[Y]], %{{.*}}, %{{.*}}, %[[TWO]] {jit.of_memory} :
func.func @own(%x: !m) -> !jit.tensor<[1],f32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %s = aten.select.int %y, %zero, %one : (!m, i64, i64) -> !r
  %none = jit.constant !jit.none = unit
  %sizes = jit.list %one : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  %a = aten.as_strided %s, %sizes, %steps, %none : (!r, !jit.list<i64>, !jit.list<i64>, !jit.none) -> !jit.tensor<[1],f32>
  return %a : !jit.tensor<[1],f32>
}

// -----

!m = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>

// Nothing behind a detach has a gradient; the memory is shown under a detached name, too.
// CHECK-LABEL: func.func @detached
// CHECK: %[[Y:.*]] = aten.relu
// CHECK: %[[CUT:.*]] = aten.detach %[[Y]]
// CHECK: aten.as_strided %[[CUT]], {{.*}} {jit.of_memory} :
func.func @detached(%x: !m) -> !r {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %y = aten.relu %x : (!m) -> !m
  %s = aten.select.int %y, %zero, %one : (!m, i64, i64) -> !r
  %d = aten.detach %s : (!r) -> !r
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  %a = aten.as_strided %d, %sizes, %steps, %one : (!r, !jit.list<i64>, !jit.list<i64>, i64) -> !r
  return %a : !r
}

// A leaf that is all of its memory has gradients of its own.
// CHECK-LABEL: func.func @leaf
// CHECK: %[[LEAF:.*]] = aten._leaf
// CHECK: aten.as_strided %[[LEAF]], {{.*}} {jit.of_memory
func.func @leaf(%x: !m) -> !r {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %y = aten.relu %x : (!m) -> !m
  %d = aten._leaf %y : (!m) -> !m
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  %a = aten.as_strided %d, %sizes, %steps, %one : (!m, !jit.list<i64>, !jit.list<i64>, i64) -> !r
  return %a : !r
}

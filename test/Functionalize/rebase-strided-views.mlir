// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize | FileCheck %s

// A view of as_strided that is written: what the write is computed of is a view of all of the memory, what is read of the view besides has gradients of the row alone.

!m = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>
!v = !jit.tensor<[1,2],f32>

// CHECK-LABEL: func.func @forward
// CHECK: %[[Y:.*]] = aten.relu
// CHECK-DAG: %[[SHOWN:.*]] = aten.as_strided %[[Y]], {{.*}} {jit.of_memory, jit.shown = array<i1: false, true>}
// CHECK-DAG: %[[ALL:.*]] = aten.as_strided %[[Y]], {{.*}} {jit.of_memory} :
// CHECK-DAG: %[[READ:.*]] = aten.unsqueeze %[[SHOWN]]
// CHECK-DAG: %[[WRITTEN:.*]] = aten.unsqueeze %[[ALL]]
// CHECK-DAG: aten.tanh %[[READ]]
// CHECK-DAG: aten.exp %[[WRITTEN]]
func.func @forward(%x: !m) -> (!v, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %y = aten.relu %x : (!m) -> !m
  %s = aten.select.int %y, %zero, %one : (!m, i64, i64) -> !r
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  %a = aten.as_strided %s, %sizes, %steps, %one : (!r, !jit.list<i64>, !jit.list<i64>, i64) -> !r
  %v = aten.unsqueeze %a, %zero : (!r, i64) -> !v
  %read = aten.tanh %v : (!v) -> !v
  %value = aten.exp %v : (!v) -> !v
  %w = jit.overwrite %v, %value : (!v, !v) -> !v
  return %read, %y : !v, !m
}

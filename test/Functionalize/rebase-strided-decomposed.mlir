// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize | FileCheck %s

// as_strided of a row that shows the row before, too, where an operator in place has become several.

!m = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>

// All parts of it are computed of what it writes, which shows all of the memory.
// CHECK-LABEL: func.func @parts
// CHECK: %[[Y:.*]] = aten.relu
// CHECK-NOT: jit.shown
// CHECK: %[[A:.*]] = aten.as_strided %[[Y]], {{.*}} {jit.of_memory} :
// CHECK: %[[PART:.*]] = aten.exp %[[A]]
// CHECK: aten.sin %[[PART]]
func.func @parts(%x: !m) -> !m {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %y = aten.relu %x : (!m) -> !m
  %s = aten.select.int %y, %zero, %one : (!m, i64, i64) -> !r
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  %a = aten.as_strided %s, %sizes, %steps, %one : (!r, !jit.list<i64>, !jit.list<i64>, i64) -> !r
  %part = aten.exp %a : (!r) -> !r loc(fused<"aten.op">["code.py":3:1])
  %value = aten.sin %part : (!r) -> !r loc(fused<"aten.op">["code.py":3:1])
  %w = jit.overwrite %a, %value : (!r, !r) -> !r loc("code.py":3:1)
  return %y : !m
}

// An operator of its own, on which the value depends, reads what the view showed before.
// CHECK-LABEL: func.func @apart
// CHECK: %[[Y:.*]] = aten.relu
// CHECK: %[[A:.*]] = aten.as_strided %[[Y]], {{.*}} {jit.of_memory, jit.shown = array<i1: false, true>} :
// CHECK: %[[OTHER:.*]] = aten.exp %[[A]]
// CHECK: aten.sin %[[OTHER]]
func.func @apart(%x: !m) -> !m {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %y = aten.relu %x : (!m) -> !m
  %s = aten.select.int %y, %zero, %one : (!m, i64, i64) -> !r
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  %a = aten.as_strided %s, %sizes, %steps, %one : (!r, !jit.list<i64>, !jit.list<i64>, i64) -> !r
  %other = aten.exp %a : (!r) -> !r loc("code.py":3:9)
  %value = aten.sin %other : (!r) -> !r loc(fused<"aten.op">["code.py":3:1])
  %w = jit.overwrite %a, %value : (!r, !r) -> !r loc("code.py":3:1)
  return %y : !m
}

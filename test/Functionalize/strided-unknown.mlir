// RUN: jit-opt %s --jit-functionalize-tensors --split-input-file | FileCheck %s

// Whether as_strided names a place that the memory does not have is not known where sizes, steps or the memory are open, or what else the memory has is not known: a call that
// gets there is not ended.

!m = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>
!o = !jit.tensor<[?],f32>

// CHECK-LABEL: func.func @sizes(
// CHECK-NOT: jit.guard
// CHECK: aten.as_strided
func.func @sizes(%x: !m, %c: i1, %n: i64) -> !o {
  %one = arith.constant 1 : i64
  %nine = arith.constant 9 : i64
  %sizes = jit.list %n : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  %y = aten.relu %x : (!m) -> !m
  %v = scf.if %c -> !o {
    %p = aten.as_strided %y, %sizes, %steps, %nine : (!m, !jit.list<i64>, !jit.list<i64>, i64) -> !o
    scf.yield %p : !o
  } else {
    %p = aten.as_strided %y, %sizes, %steps, %one : (!m, !jit.list<i64>, !jit.list<i64>, i64) -> !o
    scf.yield %p : !o
  }
  return %v : !o
}

// CHECK-LABEL: func.func @list_of_sizes(
// CHECK-NOT: jit.guard
// CHECK: aten.as_strided
func.func @list_of_sizes(%x: !m, %c: i1, %sizes: !jit.list<i64>) -> !jit.tensor<*,f32> {
  %one = arith.constant 1 : i64
  %nine = arith.constant 9 : i64
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  %y = aten.relu %x : (!m) -> !m
  %v = scf.if %c -> !jit.tensor<*,f32> {
    %p = aten.as_strided %y, %sizes, %steps, %nine : (!m, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<*,f32>
    scf.yield %p : !jit.tensor<*,f32>
  } else {
    %p = aten.as_strided %y, %sizes, %steps, %one : (!m, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<*,f32>
    scf.yield %p : !jit.tensor<*,f32>
  }
  return %v : !jit.tensor<*,f32>
}

// CHECK-LABEL: func.func @list_of_steps(
// CHECK-NOT: jit.guard
// CHECK: aten.as_strided
func.func @list_of_steps(%x: !m, %c: i1, %steps: !jit.list<i64>) -> !r {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %nine = arith.constant 9 : i64
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %y = aten.relu %x : (!m) -> !m
  %v = scf.if %c -> !r {
    %p = aten.as_strided %y, %sizes, %steps, %nine : (!m, !jit.list<i64>, !jit.list<i64>, i64) -> !r
    scf.yield %p : !r
  } else {
    %p = aten.as_strided %y, %sizes, %steps, %one : (!m, !jit.list<i64>, !jit.list<i64>, i64) -> !r
    scf.yield %p : !r
  }
  return %v : !r
}

// CHECK-LABEL: func.func @start(
// CHECK-NOT: jit.guard
// CHECK: aten.as_strided
func.func @start(%x: !m, %c: i1, %n: i64) -> !r {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  %y = aten.relu %x : (!m) -> !m
  %v = scf.if %c -> !r {
    %p = aten.as_strided %y, %sizes, %steps, %n : (!m, !jit.list<i64>, !jit.list<i64>, i64) -> !r
    scf.yield %p : !r
  } else {
    %p = aten.as_strided %y, %sizes, %steps, %one : (!m, !jit.list<i64>, !jit.list<i64>, i64) -> !r
    scf.yield %p : !r
  }
  return %v : !r
}

// CHECK-LABEL: func.func @memory(
// CHECK-NOT: jit.guard
// CHECK: aten.as_strided
func.func @memory(%x: !jit.tensor<[?,2],f32>, %c: i1) -> !r {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %nine = arith.constant 9 : i64
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  %y = aten.mm %x, %x : (!jit.tensor<[?,2],f32>, !jit.tensor<[?,2],f32>) -> !jit.tensor<[?,2],f32>
  %v = scf.if %c -> !r {
    %p = aten.as_strided %y, %sizes, %steps, %nine : (!jit.tensor<[?,2],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !r
    scf.yield %p : !r
  } else {
    %p = aten.as_strided %y, %sizes, %steps, %one : (!jit.tensor<[?,2],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !r
    scf.yield %p : !r
  }
  return %v : !r
}

// -----

!m = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>

// What a branch gives may be of more memory.
// CHECK-LABEL: func.func @of_a_branch(
// CHECK-NOT: jit.guard
// CHECK: aten.as_strided
func.func @of_a_branch(%x: !m, %c: i1, %d: i1) -> !r {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %nine = arith.constant 9 : i64
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  %y = scf.if %d -> !m {
    %a = aten.mm %x, %x : (!m, !m) -> !m
    scf.yield %a : !m
  } else {
    %k = aten.mm %x, %x : (!m, !m) -> !m
    %b = aten.mm %k, %x : (!m, !m) -> !m
    scf.yield %b : !m
  }
  %v = scf.if %c -> !r {
    %p = aten.as_strided %y, %sizes, %steps, %nine : (!m, !jit.list<i64>, !jit.list<i64>, i64) -> !r
    scf.yield %p : !r
  } else {
    %p = aten.as_strided %y, %sizes, %steps, %one : (!m, !jit.list<i64>, !jit.list<i64>, i64) -> !r
    scf.yield %p : !r
  }
  return %v : !r
}

// -----

!m = !jit.tensor<[2,2],f32>
!e = !jit.tensor<[0],f32>

// No element has no place.
// CHECK-LABEL: func.func @nothing(
// CHECK-NOT: jit.guard
// CHECK: return
func.func @nothing(%x: !m, %c: i1) -> !e {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %nine = arith.constant 9 : i64
  %sizes = jit.list %zero : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  %y = aten.mm %x, %x : (!m, !m) -> !m
  %v = scf.if %c -> !e {
    %p = aten.as_strided %y, %sizes, %steps, %nine : (!m, !jit.list<i64>, !jit.list<i64>, i64) -> !e
    scf.yield %p : !e
  } else {
    %p = aten.as_strided %y, %sizes, %steps, %one : (!m, !jit.list<i64>, !jit.list<i64>, i64) -> !e
    scf.yield %p : !e
  }
  return %v : !e
}

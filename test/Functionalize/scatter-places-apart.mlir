// RUN: jit-opt %s --jit-functionalize-tensors --split-input-file | FileCheck %s

// Elements that a view shows by strides, or in windows, are written one by one where each has a place of its own, which is known or seen to in each call.

!y = !jit.tensor<[8],f32>
!a = !jit.tensor<[2,3],f32>

// Rows that reach into each other, whose places 0, 2, 4 and 3, 5, 7 are six all the same.
// CHECK-LABEL: func.func @between_each_other(
// CHECK-NOT: jit.guard
// CHECK: return
func.func @between_each_other(%x: !y, %v: !a) -> !y {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %sizes = jit.list %two, %three : (i64, i64) -> !jit.list<i64>
  %steps = jit.list %three, %two : (i64, i64) -> !jit.list<i64>
  %y = aten.relu %x : (!y) -> !y
  %s = aten.unfold %y, %zero, %two, %two : (!y, i64, i64, i64) -> !jit.tensor<[4,2],f32>
  %a = aten.as_strided %y, %sizes, %steps, %zero : (!y, !jit.list<i64>, !jit.list<i64>, i64) -> !a
  %w = jit.overwrite %a, %v : (!a, !a) -> !a
  return %y : !y
}

// -----

!y = !jit.tensor<[8],f32>
!a = !jit.tensor<[1,2],f32>

// One row, which goes on by no place.
// CHECK-LABEL: func.func @one_row(
// CHECK: jit.of_memory
// CHECK-NOT: jit.guard
// CHECK: return
func.func @one_row(%x: !y, %v: !a) -> !y {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %sizes = jit.list %one, %two : (i64, i64) -> !jit.list<i64>
  %steps = jit.list %zero, %one : (i64, i64) -> !jit.list<i64>
  %y = aten.relu %x : (!y) -> !y
  %a = aten.as_strided %y, %sizes, %steps, %zero : (!y, !jit.list<i64>, !jit.list<i64>, i64) -> !a
  %w = jit.overwrite %a, %v : (!a, !a) -> !a
  return %y : !y
}

// -----

!y = !jit.tensor<[0,1],f32>
!a = !jit.tensor<[0,2],f32>

// Where there is no element none is shown twice.
// CHECK-LABEL: func.func @no_element(
// CHECK: aten.scatter.src
func.func @no_element(%x: !y, %v: !a) -> !y {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %false = arith.constant false
  %sizes = jit.list %zero, %two : (i64, i64) -> !jit.list<i64>
  %y = aten.relu %x : (!y) -> !y
  %e = aten.expand %y, %sizes, %false : (!y, !jit.list<i64>, i1) -> !a
  %w = jit.overwrite %e, %v : (!a, !a) -> !a
  return %y : !y
}

// -----

!y = !jit.tensor<[4],f32>
!a = !jit.tensor<[?,?],f32>

// How long windows are, or how far apart, a call says.
// CHECK-LABEL: func.func @open_windows(
// CHECK: jit.guard
// CHECK: aten.scatter.src
func.func @open_windows(%x: !y, %v: !a, %n: i64) -> !y {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %y = aten.relu %x : (!y) -> !y
  %s = aten.unfold %y, %zero, %n, %two : (!y, i64, i64, i64) -> !a
  %w = jit.overwrite %s, %v : (!a, !a) -> !a
  return %y : !y
}

// CHECK-LABEL: func.func @open_steps(
// CHECK: jit.guard
// CHECK: aten.scatter.src
func.func @open_steps(%x: !y, %v: !jit.tensor<[?,2],f32>, %n: i64) -> !y {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %y = aten.relu %x : (!y) -> !y
  %s = aten.unfold %y, %zero, %two, %n : (!y, i64, i64, i64) -> !jit.tensor<[?,2],f32>
  %w = jit.overwrite %s, %v : (!jit.tensor<[?,2],f32>, !jit.tensor<[?,2],f32>) -> !jit.tensor<[?,2],f32>
  return %y : !y
}

// -----

!y = !jit.tensor<[2],f32>
!a = !jit.tensor<[?,2],f32>

// A known tensor is shown as often as a call says.
// CHECK-LABEL: func.func @open_expand(
// CHECK: jit.guard
// CHECK: aten.scatter.src
func.func @open_expand(%x: !y, %v: !a, %n: i64) -> !y {
  %two = arith.constant 2 : i64
  %false = arith.constant false
  %sizes = jit.list %n, %two : (i64, i64) -> !jit.list<i64>
  %y = aten.relu %x : (!y) -> !y
  %e = aten.expand %y, %sizes, %false : (!y, !jit.list<i64>, i1) -> !a
  %w = jit.overwrite %e, %v : (!a, !a) -> !a
  return %y : !y
}

// -----

!y = !jit.tensor<[4],f32>
!a = !jit.tensor<[2,2],f32>
!o = !jit.tensor<[?,?],f32>

// What the windows are called, and under which type they are seen, says nothing of places; which way round they are does.
// CHECK-LABEL: func.func @names_of_windows(
// CHECK: %[[WHERE:.*]] = aten.unfold %{{.*}} -> !jit.tensor<[2,2],i64>
// CHECK: %[[TURNED:.*]] = aten.t %[[WHERE]]
// CHECK-NOT: aten.alias
// CHECK: aten.view %[[TURNED]]
// CHECK: aten.scatter.src
func.func @names_of_windows(%x: !y, %v: !a) -> !y {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %y = aten.relu %x : (!y) -> !y
  %s = aten.unfold %y, %zero, %two, %two : (!y, i64, i64, i64) -> !a
  %t = aten.t %s : (!a) -> !a
  %b = aten.alias %t : (!a) -> !a
  %o = jit.derefine %b : !a to !o
  %w = jit.overwrite %o, %v : (!o, !a) -> !o
  return %y : !y
}

// -----

!y = !jit.tensor<[4],f32>
!a = !jit.tensor<[2,2],f32>

// Behind two detached names gradients do not see what is written either.
// CHECK-LABEL: func.func @detached_twice(
// CHECK: %[[Y:.*]] = aten.relu
// CHECK: %[[NEW:.*]] = aten.scatter.src
// CHECK: %[[ELEMENTS:.*]] = aten.view %[[NEW]]
// CHECK: %[[Y2:.*]] = aten._with_elements %[[Y]], %[[ELEMENTS]]
// CHECK: return %[[Y2]]
func.func @detached_twice(%x: !y, %v: !a) -> !y {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %y = aten.relu %x : (!y) -> !y
  %s = aten.unfold %y, %zero, %two, %two : (!y, i64, i64, i64) -> !a
  %d = aten.detach %s : (!a) -> !a
  %e = aten.detach %d : (!a) -> !a
  %w = jit.overwrite %e, %v : (!a, !a) -> !a
  return %y : !y
}

// -----

!y = !jit.tensor<[?],f32>
!a = !jit.tensor<[2,2],f32>

// How many elements there are of what is shown four times, or twice two, a call says.
// CHECK-LABEL: func.func @open_memory(
// CHECK: jit.guard
// CHECK: return
func.func @open_memory(%x: !y, %v: !a) -> !y {
  %two = arith.constant 2 : i64
  %false = arith.constant false
  %sizes = jit.list %two, %two : (i64, i64) -> !jit.list<i64>
  %y = aten.relu %x : (!y) -> !y
  %e = aten.expand %y, %sizes, %false : (!y, !jit.list<i64>, i1) -> !a
  %w = jit.overwrite %e, %v : (!a, !a) -> !a
  return %y : !y
}

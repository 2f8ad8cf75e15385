// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --cse | FileCheck %s

// A diagonal is no whole part of a matrix: its elements are counted, as many as the sizes say when the call runs.
!u = !jit.tensor<[?,?],f32>
!d = !jit.tensor<[?],f32>
// CHECK-LABEL: func.func @diagonal
// CHECK: %[[Y:.*]] = aten.relu
// CHECK: %[[ROWS:.*]] = aten.size.int %[[Y]], %c0_i64
// CHECK: %[[COLUMNS:.*]] = aten.size.int %[[Y]], %c1_i64
// CHECK: %[[COUNT:.*]] = arith.muli %[[ROWS]], %[[COLUMNS]]
// CHECK: %[[NUMBERS:.*]] = aten.arange %[[COUNT]]
// CHECK: %[[PLACES:.*]] = aten.view %[[NUMBERS]]
// CHECK: %[[SHOWN:.*]] = aten.diagonal %[[PLACES]]
// CHECK: aten.scatter.src
func.func @diagonal(%x: !u, %v: !d) -> !u {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!u) -> !u
  %s = aten.diagonal %y, %zero, %zero, %one : (!u, i64, i64, i64) -> !d
  %w = jit.overwrite %s, %v : (!d, !d) -> !d
  return %y : !u
}

// Rows that may be one: a call in which they are is refused.
// CHECK-LABEL: func.func @rows
// CHECK: %[[WHERE:.*]] = aten.expand %{{.*}} -> !jit.tensor<[?,?],i64>
// CHECK: %[[FLAT:.*]] = aten.view %[[WHERE]]
// CHECK: %[[WRITERS:.*]] = aten.scatter.src %{{.*}}, %c0_i64, %[[FLAT]]
// CHECK: %[[LAST:.*]] = aten.gather %[[WRITERS]], %c0_i64, %[[FLAT]]
// CHECK: %[[SAME:.*]] = aten.eq.Tensor %[[LAST]]
// CHECK: %[[ALL:.*]] = aten.all %[[SAME]]
// CHECK: %[[APART:.*]] = aten.item %[[ALL]]
// CHECK: jit.guard %[[APART]], "jit.Unsupported", "expected a write to elements each of which has a place of its own
func.func @rows(%x: !u, %v: !u, %n: i64) -> !u {
  %false = arith.constant false
  %y = aten.relu %x : (!u) -> !u
  %sizes = jit.list %n, %n : (i64, i64) -> !jit.list<i64>
  %s = aten.expand %y, %sizes, %false : (!u, !jit.list<i64>, i1) -> !u
  %w = jit.overwrite %s, %v : (!u, !u) -> !u
  return %y : !u
}

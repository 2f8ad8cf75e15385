// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --cse | FileCheck %s

// A row that a name may be exists where the name is it, and where it is not perhaps nowhere: with open sizes it is taken in that way alone.

!m = !jit.tensor<[?,?],f32>
!r = !jit.tensor<[?],f32>

// CHECK-LABEL: func.func @open(
// CHECK-SAME: %[[X:[a-z0-9]+]]:{{.*}}%[[O:[a-z0-9]+]]:{{.*}}%[[V:[a-z0-9]+]]:{{.*}}%[[C:[a-z0-9]+]]: i1
// CHECK: %[[Y:.*]] = aten.relu %[[X]]
// CHECK-NEXT: %[[Z:.*]] = aten.tanh %[[O]]
// CHECK-NEXT: %[[B:.*]] = scf.if %[[C]]
// CHECK-NEXT: aten.select.int %[[Y]], %c0_i64, %c5_i64
// CHECK: %[[NOW:.*]] = aten.copy %[[B]], %[[V]]
// CHECK-NEXT: scf.if %[[C]]
// CHECK-NEXT: aten.select_scatter %[[Y]], %[[NOW]]
func.func @open(%x: !m, %o: !r, %v: !r, %c: i1) -> (!m, !r) {
  %zero = arith.constant 0 : i64
  %five = arith.constant 5 : i64
  %y = aten.relu %x : (!m) -> !m
  %z = aten.tanh %o : (!r) -> !r
  %b = scf.if %c -> !r {
    %row = aten.select.int %y, %zero, %five : (!m, i64, i64) -> !r
    scf.yield %row : !r
  } else {
    scf.yield %z : !r
  }
  %w = jit.overwrite %b, %v : (!r, !r) -> !r
  return %y, %b : !m, !r
}

// What is written under the first name is seen in the row, in that way.
// CHECK-LABEL: func.func @first_name(
// CHECK-SAME: %[[X:[a-z0-9]+]]:{{.*}}%[[O:[a-z0-9]+]]:{{.*}}%[[V:[a-z0-9]+]]:{{.*}}%[[C:[a-z0-9]+]]: i1
// CHECK: %[[Y:.*]] = aten.copy %{{.*}}, %[[V]]
// CHECK-NEXT: %[[B:.*]] = scf.if %[[C]]
// CHECK-NEXT: %[[ROW:.*]] = aten.select.int %[[Y]], %c0_i64, %c5_i64
// CHECK-NEXT: scf.yield %[[ROW]]
// CHECK: return %[[Y]], %[[B]]
func.func @first_name(%x: !m, %o: !r, %v: !m, %c: i1) -> (!m, !r) {
  %zero = arith.constant 0 : i64
  %five = arith.constant 5 : i64
  %y = aten.relu %x : (!m) -> !m
  %z = aten.tanh %o : (!r) -> !r
  %b = scf.if %c -> !r {
    %row = aten.select.int %y, %zero, %five : (!m, i64, i64) -> !r
    scf.yield %row : !r
  } else {
    scf.yield %z : !r
  }
  %w = jit.overwrite %y, %v : (!m, !m) -> !m
  return %y, %b : !m, !r
}

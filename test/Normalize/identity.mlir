// RUN: jit-opt %s --jit-fold-known | FileCheck %s

// One value is one object; two may be.
// CHECK-LABEL: func.func @forward
// CHECK-SAME: (%[[X:.*]]: !jit.tensor, %[[Y:.*]]: !jit.tensor)
func.func @forward(%x: !jit.tensor, %y: !jit.tensor) -> (i1, i1, i1) {
  // CHECK-DAG: %[[T:.*]] = arith.constant true
  // CHECK-DAG: %[[F:.*]] = arith.constant false
  // CHECK: %[[OPEN:.*]] = aten.__is__ %[[X]], %[[Y]]
  %is = aten.__is__ %x, %x : (!jit.tensor, !jit.tensor) -> i1
  %not = aten.__isnot__ %x, %x : (!jit.tensor, !jit.tensor) -> i1
  %open = aten.__is__ %x, %y : (!jit.tensor, !jit.tensor) -> i1
  // CHECK: return %[[T]], %[[F]], %[[OPEN]]
  return %is, %not, %open : i1, i1, i1
}

// Results of a branch are one object where they are in each of its arms.
// CHECK-LABEL: func.func @branch
// CHECK-DAG: %[[T:.*]] = arith.constant true
// CHECK: %[[R:.*]]:3 = scf.if %{{.*}} -> (!jit.tensor, !jit.tensor, i1) {
// CHECK:   %[[S:.*]] = aten.relu
// CHECK:   scf.yield %[[S]], %{{.*}}, %[[T]]
// CHECK: } else {
// CHECK:   %[[OPEN:.*]] = aten.__is__ %[[X:.*]], %[[Y:.*]] :
// CHECK:   scf.yield %[[X]], %[[Y]], %[[OPEN]]
// CHECK: return %[[R]]#2, %[[T]]
func.func @branch(%x: !jit.tensor, %y: !jit.tensor, %c: i1) -> (i1, i1, !jit.tensor, !jit.tensor) {
  %r:3 = scf.if %c -> (!jit.tensor, !jit.tensor, !jit.tensor) {
    %s = aten.relu %x : (!jit.tensor) -> !jit.tensor
    scf.yield %s, %s, %s : !jit.tensor, !jit.tensor, !jit.tensor
  } else {
    scf.yield %x, %y, %y : !jit.tensor, !jit.tensor, !jit.tensor
  }
  %open = aten.__is__ %r#0, %r#1 : (!jit.tensor, !jit.tensor) -> i1
  %is = aten.__is__ %r#1, %r#2 : (!jit.tensor, !jit.tensor) -> i1
  return %open, %is, %r#0, %r#1 : i1, i1, !jit.tensor, !jit.tensor
}
